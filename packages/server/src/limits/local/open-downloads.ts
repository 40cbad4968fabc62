import {
  countedSinceMs,
  type DownloadLimits,
  type DownloadRefusal,
  formatDownloadHeaders,
  isStarted,
  refuseParallel,
  refuseSnapshot,
} from '../../access/download-limits.ts'
import type { FeedDownloads } from '../../domain/feed-stores.ts'

/** An open download. `release` is idempotent. */
export interface DownloadSlot {
  readonly release: () => void
}

/** Counts the downloads of each key: open downloads in memory, started snapshots in the store. */
export class OpenDownloads {
  readonly #limits: DownloadLimits
  readonly #downloads: FeedDownloads
  readonly #open = new Map<string, number>()

  constructor(limits: DownloadLimits, downloads: FeedDownloads) {
    this.#limits = limits
    this.#downloads = downloads
  }

  /** Starts a download of a snapshot, or returns a refusal. */
  async start(keyId: string, snapshot: string, nowMs: number): Promise<DownloadSlot | DownloadRefusal> {
    const open = this.#open.get(keyId) ?? 0
    const parallel = refuseParallel(this.#limits, open)
    if (parallel) return parallel
    // Count it before the store is read, so that downloads that start at the same time include one another.
    this.#open.set(keyId, open + 1)
    const slot = this.#createSlot(keyId)
    try {
      const refusal = await this.#startSnapshot(keyId, snapshot, nowMs)
      if (!refusal) return slot
      slot.release()
      return refusal
    } catch (error) {
      slot.release()
      throw error
    }
  }

  /** Returns the rate limit headers of a response to this key. */
  async headers(keyId: string, nowMs: number): Promise<Record<string, string>> {
    const started = await this.#downloads.since(keyId, countedSinceMs(nowMs))
    return formatDownloadHeaders(this.#limits, { open: this.#open.get(keyId) ?? 0, started }, nowMs)
  }

  async #startSnapshot(keyId: string, snapshot: string, nowMs: number): Promise<DownloadRefusal | undefined> {
    let refusal: DownloadRefusal | undefined
    await this.#downloads.start(keyId, countedSinceMs(nowMs), started => {
      refusal = refuseSnapshot(this.#limits, started, snapshot, nowMs)
      return refusal || isStarted(started, snapshot) ? undefined : { snapshot, atMs: nowMs }
    })
    return refusal
  }

  #createSlot(keyId: string): DownloadSlot {
    let held = true
    return {
      release: () => {
        if (!held) return
        held = false
        const open = this.#open.get(keyId)! - 1
        if (open === 0) this.#open.delete(keyId)
        else this.#open.set(keyId, open)
      },
    }
  }
}
