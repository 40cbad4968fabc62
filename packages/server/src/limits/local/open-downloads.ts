import {
  countedSinceMs,
  type DownloadLimits,
  type DownloadRefusal,
  downloadHeaders,
  isStarted,
  refuseParallel,
  refuseSnapshot,
} from '../../access/download-limits.ts'
import type { FeedDownloads } from '../../domain/stores.ts'

/** An open download; `release` may be called more than once. */
export interface DownloadSlot {
  readonly release: () => void
}

/** Counts the downloads of each key: the open ones in memory, the started snapshots in the store. */
export class OpenDownloads {
  readonly #limits: DownloadLimits
  readonly #downloads: FeedDownloads
  readonly #open = new Map<string, number>()

  constructor(limits: DownloadLimits, downloads: FeedDownloads) {
    this.#limits = limits
    this.#downloads = downloads
  }

  /** Begins a download of a snapshot, or returns why it may not begin. */
  async begin(keyId: string, snapshot: string, nowMs: number): Promise<DownloadSlot | DownloadRefusal> {
    const open = this.#open.get(keyId) ?? 0
    const parallel = refuseParallel(this.#limits, open)
    if (parallel) return parallel
    // Counted before the store is asked, so that downloads that begin at once see one another.
    this.#open.set(keyId, open + 1)
    const slot = this.#slot(keyId)
    try {
      const refusal = await this.#beginSnapshot(keyId, snapshot, nowMs)
      if (!refusal) return slot
      slot.release()
      return refusal
    } catch (error) {
      slot.release()
      throw error
    }
  }

  async headers(keyId: string, nowMs: number): Promise<Record<string, string>> {
    const started = await this.#downloads.since(keyId, countedSinceMs(nowMs))
    return downloadHeaders(this.#limits, { open: this.#open.get(keyId) ?? 0, begun: started }, nowMs)
  }

  async #beginSnapshot(keyId: string, snapshot: string, nowMs: number): Promise<DownloadRefusal | undefined> {
    let refusal: DownloadRefusal | undefined
    await this.#downloads.start(keyId, countedSinceMs(nowMs), begun => {
      refusal = refuseSnapshot(this.#limits, begun, snapshot, nowMs)
      return refusal || isStarted(begun, snapshot) ? undefined : { snapshot, atMs: nowMs }
    })
    return refusal
  }

  #slot(keyId: string): DownloadSlot {
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
