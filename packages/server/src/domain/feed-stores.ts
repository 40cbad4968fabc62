/** The stores of feeds, and the view of the data from which feeds are built. */

import type { BlobBody, BlobRange } from './blob-store.ts'
import type { EnumValuesInUse } from './enum-value.ts'
import type { Edition, FeedSnapshot, Gone, RecordEnding, SnapshotPart } from './feed.ts'
import type { Id } from './id.ts'
import type { LocationEntry } from './location.ts'
import type { RecordKind } from './record-write.ts'
import type { PlacedReview } from './review-query.ts'

/** The published snapshots of the feeds. */
export interface FeedLibrary {
  /** Returns the snapshots of an edition, oldest first, without deleted ones. */
  list(edition: Edition): Promise<FeedSnapshot[]>
  /** Returns a snapshot, or the reason why it was deleted; undefined if it never existed. */
  find(edition: Edition, snapshotId: string): Promise<FeedSnapshot | Gone | undefined>
  /** Returns a file of a snapshot as it is stored; undefined if it is missing. */
  file(snapshot: FeedSnapshot, file: SnapshotPart): Promise<StoredFeedFile | undefined>
}

/** A file in the data folder, or a blob. */
export type StoredFeedFile =
  | { readonly path: string }
  | { readonly read: (range: BlobRange) => Promise<BlobBody | undefined> }

/** The feed snapshots whose download keys have started. */
export interface FeedDownloads {
  /** Returns the downloads that a key started at `sinceMs` or later, oldest first. */
  since(keyId: string, sinceMs: number): Promise<readonly FeedDownload[]>
  /**
   * Reads the downloads that a key started at `sinceMs` or later and adds the result of `decide`, atomically: two calls
   * for one key never decide on the same state.
   */
  start(
    keyId: string,
    sinceMs: number,
    decide: (started: readonly FeedDownload[]) => FeedDownload | undefined,
  ): Promise<void>
  close(): Promise<void>
}

export interface FeedDownload {
  /** Feed and snapshot id. */
  readonly snapshot: string
  readonly atMs: number
}

/**
 * A consistent view of the data, regardless of how long reading takes: the source of feeds and of the search
 * index.
 */
export interface FeedSource {
  readonly position: StorePosition
  /** Id of the data store. A recreated store has another id. */
  readonly storeId: string
  /** Returns true if this store has been at the position `then` and its log contains every change since. */
  follows(then: StorePosition): Promise<boolean>
  /** Returns true if the log contains every change after a number. */
  hasChangesSince(seq: number): Promise<boolean>
  readonly locations: FeedReader<LocationEntry>
  /** The GEO category alone. */
  readonly geos: FeedReader<LocationEntry>
  /** A review also changes when the ratings of its place do. */
  readonly reviews: FeedReader<PlacedReview>
  /** Returns the categories and subrating types that records use. */
  enumValuesInUse(): Promise<EnumValuesInUse>
  /**
   * Yields the records that were erased after `seq` and do not exist again; all erased records if the log does not
   * reach back that far.
   */
  erasedAfter(seq: number): AsyncIterable<readonly { readonly kind: RecordKind; readonly id: Id }[]>
  close(): Promise<void>
}

/**
 * A position in the history of a data store. Stores with different histories (one was restored) never share a position.
 */
export interface StorePosition {
  /** The newest change-log number; 0 if nothing was ever written. */
  readonly seq: number
  /** Distinguishes that change from others with the same number. */
  readonly mark: string
}

/** A range of ids, all of them positive. */
export interface IdRange {
  /** Exclusive. */
  readonly after: Id
  /** Inclusive. */
  readonly upTo: Id
}

/** Reads the records of one kind, in pages ascending by id. */
export interface FeedReader<T> {
  /** Counts all records, or those of a range. */
  count(range?: IdRange): Promise<number>
  /** Returns all records, or those of a range. */
  all(range?: IdRange): AsyncIterable<readonly T[]>
  /** Yields the ids of the records that changed or ended, each once. */
  changedAfter(seq: number): AsyncIterable<readonly Id[]>
  /** Returns the records in the order of `ids`, and undefined for each that does not exist. */
  getMany(ids: readonly Id[]): Promise<(T | undefined)[]>
  /** Returns the removal of a record; undefined if the store has none. */
  ending(id: Id): Promise<RecordEnding | undefined>
}
