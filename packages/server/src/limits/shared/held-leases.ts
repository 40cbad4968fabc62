import type { DownloadLease, DownloadLeases } from '../../domain/download-leases.ts'
import type { Scheduler } from './scheduler.ts'

/** Interval of renewals, a third of the time for which a lease counts, in milliseconds. */
const renewEveryMs = 20_000
/** Wait after a failed attempt, in milliseconds. */
const retryMs = 2000
/** Number of attempts to store ends when the node stops. */
const stopAttempts = 3
/** Maximum number of ends that wait for the database; the leases of others end without it, a minute later. */
const maxWaiting = 1000

/** The leases of the downloads of this node: renewed while they are held, and ended in the database afterwards. */
export class HeldLeases {
  readonly #leases: DownloadLeases
  readonly #scheduler: Scheduler
  readonly #held = new Map<string, DownloadLease>()
  /** Ids whose end is not stored yet. */
  readonly #ended = new Set<string>()
  #renewing: Promise<void> | undefined
  #storing: Promise<void> | undefined
  #cancelRound: (() => void) | undefined
  #isStopped = false

  constructor(leases: DownloadLeases, scheduler: Scheduler) {
    this.#leases = leases
    this.#scheduler = scheduler
  }

  /** Number of held leases. */
  get size(): number {
    return this.#held.size
  }

  /** Adds an open lease. */
  add(lease: DownloadLease): void {
    this.#held.set(lease.id, lease)
    this.#schedule(renewEveryMs)
  }

  /** Ends a lease. The end is stored in the background, and again later if the database is not available. */
  end(id: string): void {
    this.#held.delete(id)
    if (this.#ended.size < maxWaiting) this.#ended.add(id)
    void this.#storeEnds()
  }

  /** Resolves when no end is being stored. */
  async settled(): Promise<void> {
    await this.#storing
  }

  /** Ends all leases, and resolves when this is stored, or after some attempts. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelRound?.()
    for (const id of this.#held.keys()) this.#ended.add(id)
    this.#held.clear()
    for (let attempt = 1; this.#ended.size > 0 && attempt <= stopAttempts; attempt++) await this.#storeEnds()
  }

  /** Resolves after an attempt to store all ends. */
  #storeEnds(): Promise<void> {
    if (this.#ended.size === 0) return Promise.resolve()
    this.#storing ??= this.#tryToStore()
    return this.#storing
  }

  async #tryToStore(): Promise<void> {
    try {
      // A renewal that has begun would open a lease again that ends before it.
      await this.#renewing
      while (this.#ended.size > 0) {
        const ids = [...this.#ended]
        await this.#leases.end(ids)
        for (const id of ids) this.#ended.delete(id)
      }
    } catch {
      this.#retrySoon()
    } finally {
      this.#storing = undefined
    }
  }

  #schedule(afterMs: number): void {
    if (this.#isStopped || this.#cancelRound) return
    this.#cancelRound = this.#scheduler.after(afterMs, () => {
      this.#cancelRound = undefined
      void this.#runRound()
    })
  }

  #retrySoon(): void {
    this.#cancelRound?.()
    this.#cancelRound = undefined
    this.#schedule(retryMs)
  }

  /** Renews what is held, and repeats ends that could not be stored. */
  async #runRound(): Promise<void> {
    // The running one continues with all that this one would do.
    if (this.#renewing) return
    this.#renewing = this.#renew()
    await this.#renewing
    this.#renewing = undefined
    await this.#storeEnds()
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return
    try {
      await this.#leases.renew([...this.#held.values()])
      this.#schedule(renewEveryMs)
    } catch {
      this.#retrySoon()
    }
  }
}
