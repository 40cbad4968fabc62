import { randomUUID } from 'node:crypto'
import {
  countedSinceMs,
  type DownloadLimits,
  type DownloadRefusal,
  formatDownloadHeaders,
  isStarted,
  refuseParallel,
  refuseSnapshot,
} from '../../access/download-limits.ts'
import type { DownloadLease, DownloadLeases } from '../../domain/download-leases.ts'
import { LocalCounts } from '../../kit/held-counts.ts'
import { createSlot, type DownloadSlot, type OpenDownloads } from '../feed-downloads.ts'
import { HeldLeases } from './held-leases.ts'
import { pause, type Scheduler } from './scheduler.ts'

/**
 * Wait before a download that finds too many open ones is decided again, in milliseconds: a client that has received
 * the end of a file may ask for the next one, at another node, before this end is stored.
 */
const decideAgainMs = 250

/** Counts the downloads of each key on all nodes: open downloads as leases in the database. */
export class LeasedDownloads implements OpenDownloads {
  readonly #limits: DownloadLimits
  readonly #leases: DownloadLeases
  readonly #scheduler: Scheduler
  readonly #held: HeldLeases
  /** Downloads of this node, including those that are being decided. */
  readonly #own = new LocalCounts()

  constructor(limits: DownloadLimits, leases: DownloadLeases, scheduler: Scheduler) {
    this.#limits = limits
    this.#leases = leases
    this.#scheduler = scheduler
    this.#held = new HeldLeases(leases, scheduler)
  }

  /** Number of open downloads of this node. */
  get open(): number {
    return this.#held.size
  }

  async start(keyId: string, snapshot: string, nowMs: number): Promise<DownloadSlot | DownloadRefusal> {
    // A key never has more decisions at work than downloads, so that it does not keep the connections from others.
    const { parallelDownloads } = this.#limits
    if (!this.#own.addBelow(keyId, parallelDownloads)) return refuseParallel(this.#limits, parallelDownloads)!
    let slot: DownloadSlot | undefined
    try {
      let decided = await this.#decide(keyId, snapshot, nowMs)
      if (isParallel(decided)) {
        await Promise.all([pause(this.#scheduler, decideAgainMs), this.#held.settled()])
        decided = await this.#decide(keyId, snapshot, nowMs)
      }
      if ('release' in decided) slot = decided
      return decided
    } finally {
      if (!slot) this.#own.add(keyId, -1)
    }
  }

  async headers(keyId: string, nowMs: number): Promise<Record<string, string>> {
    return formatDownloadHeaders(this.#limits, await this.#leases.downloadsOf(keyId, countedSinceMs(nowMs)), nowMs)
  }

  /** Ends the leases of this node, and closes their store. */
  async close(): Promise<void> {
    await this.#held.stop()
    await this.#leases.close()
  }

  /** Opens a lease, or returns a refusal. */
  async #decide(keyId: string, snapshot: string, nowMs: number): Promise<DownloadSlot | DownloadRefusal> {
    const limits = this.#limits
    const lease = { id: randomUUID(), keyId }
    let refusal: DownloadRefusal | undefined
    try {
      await this.#leases.open(lease, countedSinceMs(nowMs), ({ open, started }) => {
        refusal = refuseParallel(limits, open) ?? refuseSnapshot(limits, started, snapshot, nowMs)
        return refusal ? undefined : { snapshot: isStarted(started, snapshot) ? undefined : { snapshot, atMs: nowMs } }
      })
    } catch (error) {
      // The database may have committed it.
      this.#held.end(lease.id)
      throw error
    }
    return refusal ?? this.#hold(lease)
  }

  #hold(lease: DownloadLease): DownloadSlot {
    this.#held.add(lease)
    return createSlot(() => {
      this.#own.add(lease.keyId, -1)
      this.#held.end(lease.id)
    })
  }
}

const isParallel = (decided: DownloadSlot | DownloadRefusal): boolean =>
  'refused' in decided && decided.refused.includes('feed-downloads')
