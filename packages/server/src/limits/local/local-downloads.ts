import {
  countedSinceMs,
  type DownloadLimits,
  type DownloadRefusal,
  formatDownloadHeaders,
  isStarted,
  refuseParallel,
  refuseSnapshot,
} from '../../access/download-limits.ts'
import type { FeedDownload, FeedDownloads } from '../../domain/feed-stores.ts'
import { type HeldCounts, LocalCounts } from '../../kit/held-counts.ts'
import { createSlot, type DownloadSlot, type OpenDownloads } from '../feed-downloads.ts'

/** The snapshots whose download keys have started. */
export interface StartedSnapshots {
  /** Returns the downloads that a key started at `sinceMs` or later, oldest first. */
  since(keyId: string, sinceMs: number): Promise<readonly FeedDownload[]>
  /** Adds a snapshot to those of a key, unless a limit refuses it. */
  start(keyId: string, snapshot: string, nowMs: number): Promise<DownloadRefusal | undefined>
}

/** Creates the started snapshots of a store. */
export const createStartedSnapshots = (limits: DownloadLimits, downloads: FeedDownloads): StartedSnapshots => ({
  since: (keyId, sinceMs) => downloads.since(keyId, sinceMs),
  start: async (keyId, snapshot, nowMs) => {
    let refusal: DownloadRefusal | undefined
    await downloads.start(keyId, countedSinceMs(nowMs), started => {
      refusal = refuseSnapshot(limits, started, snapshot, nowMs)
      return refusal || isStarted(started, snapshot) ? undefined : { snapshot, atMs: nowMs }
    })
    return refusal
  },
})

/** Counts the downloads of each key: open downloads in memory, started snapshots in the store. */
export class LocalDownloads implements OpenDownloads {
  readonly #limits: DownloadLimits
  readonly #snapshots: StartedSnapshots
  readonly #open: HeldCounts

  /** `open` counts the open downloads; by default those of the calling thread. */
  constructor(limits: DownloadLimits, snapshots: StartedSnapshots, open: HeldCounts = new LocalCounts()) {
    this.#limits = limits
    this.#snapshots = snapshots
    this.#open = open
  }

  async start(keyId: string, snapshot: string, nowMs: number): Promise<DownloadSlot | DownloadRefusal> {
    // Count it before the store is read, so that downloads that start at the same time include one another.
    const { parallelDownloads } = this.#limits
    if (!this.#open.addBelow(keyId, parallelDownloads)) return refuseParallel(this.#limits, parallelDownloads)!
    const slot = createSlot(() => this.#open.add(keyId, -1))
    try {
      const refusal = await this.#snapshots.start(keyId, snapshot, nowMs)
      if (!refusal) return slot
      slot.release()
      return refusal
    } catch (error) {
      slot.release()
      throw error
    }
  }

  async headers(keyId: string, nowMs: number): Promise<Record<string, string>> {
    const started = await this.#snapshots.since(keyId, countedSinceMs(nowMs))
    return formatDownloadHeaders(this.#limits, { open: this.#open.get(keyId), started }, nowMs)
  }
}
