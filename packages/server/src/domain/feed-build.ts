import { formatMegabytes } from '../kit/bytes.ts'
import type { AdminFault, AdminFaultFacts } from './admin-fault.ts'
import type { Edition, FeedName, FeedSnapshot, Manifest, SnapshotKind } from './feed.ts'

/** A request to build snapshots. */
export interface FeedBuildRequest {
  /** Default: a full snapshot if one is due, otherwise a delta. `due`: only what the schedule requires. */
  readonly kind?: SnapshotKind | 'due'
  /** Default: all. */
  readonly feeds?: readonly FeedName[]
  /** Default: all. */
  readonly versions?: readonly string[]
  /** Publishes what would be withheld. */
  readonly force?: boolean
}

/** A snapshot that was built. */
export interface BuiltSnapshot {
  readonly manifest: Manifest
  /** Duration of the build of its edition, which makes the delta and the full snapshot in one pass. */
  readonly seconds: number
}

/** Largest share of the previous snapshot's records that a build may delete without confirmation. */
export const maxDeletedShare = 0.05

/**
 * A build that was not published. `deletions`: it would delete too many records; `other_store`: the data store
 * is not the one that the previous snapshot was built from.
 */
export interface WithheldBuild extends Edition {
  readonly reason: 'deletions' | 'other_store'
  /** Number of records that it would delete, without erased ones. */
  readonly deletions: number
  /** Number of records in the previous snapshot's data set. */
  readonly records: number
  /** Time of the first build since which the edition has been withheld, in milliseconds since 1970. */
  readonly sinceMs: number
  /** Time of the last build, in milliseconds since 1970. */
  readonly triedMs: number
}

/** Snapshots that were built, and editions that were withheld. */
export interface FeedBuildResult {
  readonly built: readonly BuiltSnapshot[]
  readonly withheld: readonly WithheldBuild[]
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
  /** A file of an earlier snapshot is damaged; the build continues without it. */
  | { readonly type: 'damaged'; readonly file: string }
  | { readonly type: 'progress'; readonly done: number; readonly total: number | undefined }
  | { readonly type: 'end' }

/** Builds snapshots of a data folder. */
export interface FeedBuilder {
  /** Returns the fault that prevented the build, if there was one. */
  build(
    request: FeedBuildRequest,
    options: { readonly mayWait: boolean; readonly onEvent: (event: FeedBuildEvent) => void },
  ): Promise<FeedBuildResult | AdminFault>
}

/** The snapshots of an edition, oldest first. */
export interface EditionSnapshots {
  readonly edition: Edition
  readonly snapshots: readonly FeedSnapshot[]
  /** Present while its builds are withheld. */
  readonly withheld?: WithheldBuild | undefined
}

/** Returns user-facing sentences about a build that does not fit on the disk. */
export const feedSpaceText = (facts: AdminFaultFacts['feed_space_missing']): string =>
  `The feed ${facts.feed} in version ${facts.version} needs about ${formatMegabytes(facts.neededBytes)} in ${facts.folder}, ` +
  `but only ${formatMegabytes(facts.freeBytes)} are free. Existing snapshots are unchanged. Free some space and build again.`
