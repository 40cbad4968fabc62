/**
 * All storage interfaces. They are asynchronous, so that a clustered engine can implement them. Reading something that
 * does not exist returns undefined. Apart from the errors
 * in store-errors.ts, an exception indicates a bug.
 */

import type { TokenStore } from './admin-token.ts'
import type { AuditLog } from './audit-log.ts'
import type { Change, PruneOptions, PruneResult } from './change.ts'
import type { ChangeRecord } from './change-record.ts'
import type { IntegrityCheck } from './data-folder.ts'
import type { EnumValuesInUse } from './enum-value.ts'
import type { Erased } from './erased.ts'
import type { EventDraft } from './event.ts'
import type { EventQueue, WebhookAdmin } from './event-store.ts'
import type { UsageExports } from './exported-usage.ts'
import type { Edition, FeedPinChange, FeedSnapshot, Gone, RecordEnding } from './feed.ts'
import type { Id } from './id.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { JobStore } from './job.ts'
import type { Key, KeyBySecret, KeyChange, KeySecret, NewSecret, StoredSecret } from './key.ts'
import type { Ledger } from './ledger.ts'
import type { LocationEntry } from './location.ts'
import type { Partner, PartnerChange, PartnerNote } from './partner.ts'
import type { People } from './people.ts'
import type { PlaceDecisions } from './places.ts'
import type {
  ExternalKey,
  IdAssignment,
  LocationRef,
  LocationWrite,
  RecordKind,
  ReviewWrite,
  WriteOutcome,
} from './record-write.ts'
import type { RequestLog, RequestLogWriter } from './request-log.ts'
import type { Review } from './review.ts'
import type { ReviewList } from './review-list.ts'
import type { PlacedReview, PlaceTexts, ReviewQuery, ReviewSample } from './review-query.ts'
import type { StoreFailureCount } from './store-errors.ts'
import type { UpgradeStore } from './upgrade.ts'
import type { Visibility } from './visibility.ts'

/**
 * Everything that is stored. The plain members share connections, which open on first use and stay open until `close`.
 * The objects that the `open` methods return have separate connections; the caller closes them. The first use of a store
 * upgrades its schema; it throws NewerSchema if a newer release wrote the store.
 */
export interface Engine {
  /** Data from which another thread opens the same engine; may be sent to it. */
  readonly descriptor: EngineDescriptor
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  readonly texts: PlaceTextSource
  readonly changes: ChangeLog
  readonly keys: KeyAdmin
  readonly tokens: TokenStore
  readonly idempotency: IdempotencyStore
  readonly audit: AuditLog
  readonly upgrades: UpgradeStore
  readonly people: People
  readonly ledger: Ledger
  readonly usageExports: UsageExports
  readonly moderation: ReviewModeration
  /** The calls of the last days, up to about a second ago (domain/request-log.ts). */
  readonly requests: RequestLog
  readonly jobs: JobStore
  readonly places: PlaceDecisions
  readonly webhooks: WebhookAdmin
  readonly events: EventQueue
  readonly reviewList: ReviewList
  readonly locks: Locks
  readonly upkeep: Upkeep
  /** Opens all stores, so that a process that cannot use them fails at startup. */
  prepare(): Promise<void>
  /** Reports commits by other processes or connections within a second: of keys and partners, or of the data. */
  watch(what: 'keys' | 'data', listener: WatchListener): Watch
  /** A dry run works on private copies and in a transaction that `close` rolls back. */
  openWriter(options: { readonly dryRun: boolean }): Promise<DataWriter>
  openFeedSource(): Promise<FeedSource>
  openFeedDownloads(): Promise<FeedDownloads>
  openRequestLogWriter(): Promise<RequestLogWriter>
  openStoreCopy(): Promise<StoreCopy>
  /** Returns the number of failures of each store and kind, zero included; waits for other processes do not count. */
  failures(): readonly StoreFailureCount[]
  /** Returns the checks of everything that copying can damage, or of all stores. */
  integrityChecks(scope: 'copy' | 'everything'): readonly IntegrityCheck[]
  /** Closes the connections of the plain members. */
  close(): Promise<void>
}

/** The engine of an installation and where its stores are. */
export interface EngineDescriptor {
  readonly kind: 'sqlite'
  /** The data folder. */
  readonly folder: string
  /** Memory in which all threads of a process count the failures of the stores. */
  readonly failures?: SharedArrayBuffer
}

/** Locks between processes, held until `release` or until the process ends in any way. */
export interface Locks {
  /** Throws LockHeld with `message` if another process holds the lock. */
  hold(name: LockName, message: string): Promise<Lock>
  isHeld(name: LockName): Promise<boolean>
}

/** `import`: one import at a time; `feeds`: one build of feeds at a time. */
export type LockName = 'import' | 'feeds'

export interface Lock {
  release(): Promise<void>
}

/** Receives the notifications of a Watch. */
export interface WatchListener {
  /** Called when another process may have changed the watched data. If the promise rejects, the call is repeated later. */
  changed(): Promise<void>
  /** Reports a failed check or call. */
  failed(error: unknown): void
}

/** A running watch. `stop` resolves when the running call has finished. */
export interface Watch {
  stop(): Promise<void>
}

/** Maintenance of the store files. */
export interface Upkeep {
  /** Removes the copies of all stores, or of the data alone, that schema upgrades made; returns their names. */
  removeUpgradeCopies(of: 'all' | 'data', beforeMs?: number): Promise<readonly string[]>
  /** Returns the remaining work until no store file contains an erased text. */
  pendingCleanups(): Promise<readonly Cleanup[]>
  /**
   * Does the pending work as far as readers and imports permit, and returns the remaining work. Store files are searched
   * for copies of the just erased texts `erased`.
   */
  cleanUp(erased?: readonly string[]): Promise<readonly Cleanup[]>
}

/** `truncate`: a log contains older states of rows. `compact`: a store file contains copies of deleted rows. */
export type Cleanup = 'truncate' | 'compact'

/** A consistent view of all stores as of a single point in time; open while it is being copied. */
export interface StoreCopy {
  /** The newest change number in it. */
  readonly revision: number
  /** Bytes that `writeTo` will write, approximately. */
  readonly bytes: number
  /** Writes the stores to their places in a data folder, pausing half of the time so that other work proceeds. */
  writeTo(folder: string, progress: CopyProgress): Promise<void>
  close(): Promise<void>
}

/** Reports the progress of a long copy: which part, and how many bytes of it are done. */
export type CopyProgress = (part: string, doneBytes: number, totalBytes: number) => void

/** Reads locations by id. The id of a merged location returns its survivor. */
export interface LocationReader {
  get(id: Id): Promise<LocationEntry | undefined>
  /** Returns the locations in the order of `ids`, and undefined for each that does not exist. */
  getMany(ids: readonly Id[]): Promise<(LocationEntry | undefined)[]>
}

/** Reads reviews. */
export interface ReviewReader {
  get(id: Id): Promise<Review | undefined>
  /** Returns one page, and the total number of reviews that match the query. */
  list(query: ReviewQuery): Promise<{ reviews: Review[]; total: number }>
}

/** Reads texts about places, for recommendations. Each call reads a bounded number of rows, regardless of the size of the store. */
export interface PlaceTextReader {
  read(id: Id, sample: ReviewSample): Promise<PlaceTexts | undefined>
}

/** Provides place texts; calls run one at a time. */
export interface PlaceTextSource {
  /** Calls `work` with a reader of a consistent view of the store. */
  readConsistently<T>(work: (texts: PlaceTextReader) => Promise<T>): Promise<T>
}

/** Writes the records of an import. Each batch is one transaction. */
export interface DataWriter {
  /** Finds or assigns ids for external keys, in order. */
  assignIds(kind: RecordKind, keys: readonly ExternalKey[]): Promise<IdAssignment[]>
  /** Finds ids that were assigned before; merges are not followed. */
  findIds(kind: RecordKind, keys: readonly ExternalKey[]): Promise<(Id | undefined)[]>
  /** Finds ids of places and follows merges; undefined for an unknown place. */
  findLocations(refs: readonly LocationRef[]): Promise<(Id | undefined)[]>
  writeLocations(batch: readonly LocationWrite[]): Promise<WriteOutcome[]>
  writeReviews(batch: readonly ReviewWrite[]): Promise<WriteOutcome[]>
  /** Creates an empty set of ids whose memory does not grow with their number. */
  openSeenIds(): Promise<SeenIds>
  /** Finds the stored records of a source that are not in `kept`. Merged places are never among them. */
  openMissing(kind: RecordKind, source: string, kept: SeenIds): Promise<MissingRecords>
  close(): Promise<void>
}

/** The ids that an input has contained so far. */
export interface SeenIds {
  /** Adds ids in order; false for each that was in the set already. */
  add(ids: readonly Id[]): Promise<boolean[]>
  has(ids: readonly Id[]): Promise<boolean[]>
  close(): Promise<void>
}

/** The records that a full sync finds missing from its inputs. */
export interface MissingRecords {
  /** Number of stored records of the source, including those that are missing. */
  readonly stored: number
  readonly count: number
  /** The ids of the missing records, ascending, in batches of at most `size`. */
  batches(size: number): AsyncIterable<readonly Id[]>
  close(): Promise<void>
}

/**
 * The changes of the data. Numbers become visible in ascending order: a reader that has seen number N will never see a
 * smaller number appear, and no gap is filled later. Old changes are pruned, but never the newest; a reader that
 * has missed pruned changes starts again from the data.
 */
export interface ChangeLog {
  /** The newest sequence number; 0 if nothing was ever written. */
  lastSeq(): Promise<number>
  /** Changes after a number, ascending, `limit` at most; undefined if some of them have been pruned. */
  after(seq: number, limit: number): Promise<Change[] | undefined>
  /** Removes a batch of the oldest changes. */
  prune(options: PruneOptions): Promise<PruneResult>
}

/** The published snapshots of the feeds. */
export interface FeedLibrary {
  /** Returns the snapshots of an edition, oldest first, without deleted ones. */
  list(edition: Edition): Promise<FeedSnapshot[]>
  /** Returns a snapshot, or the reason why it was deleted; undefined if it never existed. */
  find(edition: Edition, snapshotId: string): Promise<FeedSnapshot | Gone | undefined>
}

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

/** A consistent view of the data, regardless of how long reading takes: the source of feeds and of the search index. */
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
  /** Yields the records that were erased after `seq` and do not exist again; all erased records if the log does not reach back that far. */
  erasedAfter(seq: number): AsyncIterable<readonly { readonly kind: RecordKind; readonly id: Id }[]>
  close(): Promise<void>
}

/** A position in the history of a data store. Stores with different histories (one was restored) never share a position. */
export interface StorePosition {
  /** The newest change-log number; 0 if nothing was ever written. */
  readonly seq: number
  /** Distinguishes that change from others with the same number. */
  readonly mark: string
}

/** Reads the records of one kind, in pages ascending by id. */
export interface FeedReader<T> {
  count(): Promise<number>
  all(): AsyncIterable<readonly T[]>
  /** Yields the ids of the records that changed or ended, each once. */
  changedAfter(seq: number): AsyncIterable<readonly Id[]>
  /** Returns the records in the order of `ids`, and undefined for each that does not exist. */
  getMany(ids: readonly Id[]): Promise<(T | undefined)[]>
  /** Returns the removal of a record; undefined if the store has none. */
  ending(id: Id): Promise<RecordEnding | undefined>
}

/** Reads keys on the serving path. */
export interface KeyReader {
  /** Finds a key by the keyed digest of a presented secret. */
  bySecret(digest: Buffer): Promise<KeyBySecret | undefined>
  /** Returns a number that changes with every change of a key or partner. */
  revision(): Promise<number>
}

/**
 * Keys and partners for the operator. Every change is on disk before its promise resolves. Changes compare and
 * swap: they resolve to undefined, with nothing changed, if the revision is no longer the expected one. What is not
 * visible is read as unknown. Each change writes its record in its transaction.
 */
export interface KeyAdmin extends KeyReader {
  /** Stores a partner; returns false, with nothing changed, if the id is in use. */
  createPartner(partner: Partner, record: ChangeRecord): Promise<boolean>
  partner(id: string, visibility: Visibility): Promise<Partner | undefined>
  partners(visibility: Visibility): Promise<Partner[]>
  /** Changes a partner; `state: closed` also revokes its keys. */
  updatePartner(
    id: string,
    expectedRevision: number,
    change: PartnerChange,
    record: ChangeRecord,
  ): Promise<Partner | undefined>
  /** Adds a note about a partner that exists. */
  addNote(note: PartnerNote, record: ChangeRecord): Promise<void>
  /** Returns the notes about a partner, the newest first. */
  notes(partnerId: string): Promise<PartnerNote[]>
  /** Stores a key; returns false, with nothing changed, if its partner is closed. */
  createKey(key: Key, secret: StoredSecret, record: ChangeRecord): Promise<boolean>
  key(id: string, visibility: Visibility): Promise<Key | undefined>
  keys(visibility: Visibility): Promise<Key[]>
  updateKey(id: string, expectedRevision: number, change: KeyChange, record: ChangeRecord): Promise<Key | undefined>
  /** Changes the pin of one feed and records the change. */
  pinFeed(expectedRevision: number, change: FeedPinChange, record: ChangeRecord): Promise<Key | undefined>
  /** Returns the changes of a key's pins, oldest first. */
  feedPinChanges(id: string): Promise<FeedPinChange[]>
  /** Adds a secret; earlier secrets expire at `othersExpireMs`, or before if an earlier end was set. */
  addSecret(id: string, expectedRevision: number, secret: NewSecret, record: ChangeRecord): Promise<Key | undefined>
  /** Returns the secrets of a key, including ended ones, oldest first. */
  secrets(id: string): Promise<KeySecret[]>
  /** Ends a secret at `endMs`, or before if an earlier end was set. The secret must exist. */
  endSecret(
    id: string,
    expectedRevision: number,
    secret: { readonly id: string; readonly endMs: number },
    record: ChangeRecord,
  ): Promise<Key | undefined>
}

/** Moderation of single reviews by an operator, which no import undoes. A call that changes nothing is not recorded. */
export interface ReviewModeration {
  /** Hides a review: it stays stored but is not served. */
  hide(id: Id, record: ChangeRecord): Promise<'hidden' | 'unchanged' | 'unknown' | 'erased'>
  /** Undoes `hide`; `removed`: its source has since removed the review. */
  show(id: Id, record: ChangeRecord): Promise<'shown' | 'unchanged' | 'removed' | 'unknown' | 'erased'>
  /** Permanently erases a review; undefined if no review ever had the id. */
  erase(id: Id, record: ChangeRecord): Promise<Erased | undefined>
  /**
   * Permanently erases all reviews of a user (`source:user_id`); later ones are rejected. `eventsOf` returns the events of
   * the erased reviews.
   */
  eraseUser(
    userKey: string,
    eventsOf: (ids: readonly Id[]) => readonly EventDraft[],
    record: ChangeRecord,
  ): Promise<Erased>
  /** Returns true if this review of the source was erased. */
  isErased(source: string, sourceId: string): Promise<boolean>
}
