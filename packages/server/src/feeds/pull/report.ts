import type { FeedName } from '../../domain/feed.ts'

/** Shows the progress of the pull of a feed. */
export interface PullProgress {
  update(done: { readonly bytes: number; readonly rows: number; readonly seconds: number }): void
  stop(): void
}

/** Starts to show the progress of the pull of a feed. */
export type StartProgress = (feed: FeedName, totalBytes: number) => PullProgress

/** A feed whose result was updated or is already the newest. */
export interface PulledFeed {
  readonly feed: FeedName
  readonly version: string
  readonly snapshot_id: string
  readonly sequence: number
  readonly kind: 'full' | 'delta' | 'unchanged'
  /** Number of records in the result. */
  readonly records: number
  /** Number of upserts in all downloaded snapshots. */
  readonly upserts: number
  readonly tombstones: number
  /** Compressed size of all downloaded snapshots. */
  readonly bytes: number
  readonly seconds: number
}

/** A feed that failed. An existing result remains unchanged. */
export interface FailedFeed {
  readonly feed: FeedName
  readonly message: string
  /** True if downloaded data differs from its manifest. */
  readonly mismatch: boolean
}

export interface PullReport {
  readonly pulled: readonly PulledFeed[]
  readonly failed: readonly FailedFeed[]
}
