import type { AdminFault } from './admin-fault.ts'
import type { Edition, FeedName, FeedSnapshot, Manifest, SnapshotKind } from './feed.ts'

/** A request to build snapshots. */
export interface FeedBuildRequest {
  /** Default: a full snapshot if one is due, otherwise a delta. `due`: only what the schedule requires. */
  readonly kind?: SnapshotKind | 'due'
  /** Default: all. */
  readonly feeds?: readonly FeedName[]
  /** Default: all. */
  readonly versions?: readonly string[]
}

/** A snapshot that was built. */
export interface BuiltSnapshot {
  readonly manifest: Manifest
  /** Duration of the build of its edition, which makes the delta and the full snapshot in one pass. */
  readonly seconds: number
}

/** An event of a build. */
export type FeedBuildEvent =
  /** Another build is running, and this one waits until it finishes. */
  | { readonly type: 'waiting' }
  | {
      readonly type: 'start'
      readonly feed: FeedName
      readonly version: string
      readonly kind: SnapshotKind
      /** True if a full snapshot is built although a delta was requested. */
      readonly isFallback: boolean
    }
  | { readonly type: 'progress'; readonly done: number; readonly total: number | undefined }
  | { readonly type: 'end' }

/** Builds snapshots of a data folder. */
export interface FeedBuilder {
  /** Returns the built snapshots, or the fault that prevented the build. */
  build(
    request: FeedBuildRequest,
    options: { readonly mayWait: boolean; readonly onEvent: (event: FeedBuildEvent) => void },
  ): Promise<readonly BuiltSnapshot[] | AdminFault>
}

/** The snapshots of an edition, oldest first. */
export interface EditionSnapshots {
  readonly edition: Edition
  readonly snapshots: readonly FeedSnapshot[]
}
