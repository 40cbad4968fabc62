/**
 * Every storage interface, on one page. All of them are asynchronous, so that
 * the engine of a cluster fits behind them. Reading something that does not exist gives undefined. Apart from the errors
 * in store-errors.ts, an exception means a bug or a broken disk.
 */
import type { Change, PruneOptions, PruneResult } from './change.ts'
import type { EnumValuesInUse } from './enum-value.ts'
import type { Erased } from './erased.ts'
import type { Edition, FeedPinChange, FeedSnapshot, Gone, RecordEnding } from './feed.ts'
import type { Id } from './id.ts'
import type { Key, KeyBySecret, KeyChange, NewSecret } from './key.ts'
import type { Ledger } from './ledger.ts'
import type { LocationEntry } from './location.ts'
import type { Partner, PartnerChange } from './partner.ts'
import type {
  ExternalKey,
  IdAssignment,
  LocationRef,
  LocationWrite,
  RecordKind,
  ReviewWrite,
  WriteOutcome,
} from './record-write.ts'
import type { Review } from './review.ts'
import type { PlacedReview, PlaceTexts, ReviewQuery, ReviewSample } from './review-query.ts'

/**
 * Everything that is stored. The plain members share connections, which open on first use and stay open until `close`.
 * What an `open` method returns has connections of its own and is closed by its caller. The first use of a store
 * upgrades its schema; it throws NewerSchema when a newer release wrote the store.
 */
export interface Engine {
  /** Data from which another thread opens the same engine; may be sent to it. */
  readonly descriptor: EngineDescriptor
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  readonly texts: PlaceTextSource
  readonly changes: ChangeLog
  readonly keys: KeyAdmin
  readonly ledger: Ledger
  readonly moderation: ReviewModeration
  readonly locks: Locks
  readonly upkeep: Upkeep
  /** Opens all stores now, so that a process that cannot use them fails at its start. */
  prepare(): Promise<void>
  /** Notifies of commits by other processes or connections within a second: of keys and partners, or of the data. */
  watch(what: 'keys' | 'data', listener: WatchListener): Watch
  /** A dry run works on private copies and in a transaction that `close` rolls back. */
  openWriter(options: { readonly dryRun: boolean }): Promise<DataWriter>
  openFeedSource(): Promise<FeedSource>
  openFeedDownloads(): Promise<FeedDownloads>
  openStoreCopy(): Promise<StoreCopy>
  /** Checks of what a copy can damage, or of everything that is stored. */
  integrityChecks(scope: 'copy' | 'everything'): readonly IntegrityCheck[]
  /** Closes what the plain members opened. */
  close(): Promise<void>
}

/** The engine of an installation and where its stores are. */
export interface EngineDescriptor {
  readonly kind: 'sqlite'
  /** The data folder. */
  readonly folder: string
}

/** Locks between processes, held until `release` or the end of the process, however it ends. */
export interface Locks {
  /** Throws LockHeld with `message` when another process holds the lock. */
  hold(name: LockName, message: string): Promise<Lock>
  isHeld(name: LockName): Promise<boolean>
}

/** `import`: one import at a time; `feeds`: one build of feeds at a time. */
export type LockName = 'import' | 'feeds'

export interface Lock {
  release(): Promise<void>
}

/** Receives the notices of a Watch. */
export interface WatchListener {
  /** Another process may have changed what is watched. When the promise rejects, the call is repeated later. */
  changed(): Promise<void>
  /** Reports a failed check or call. */
  failed(error: unknown): void
}

/** A running watch. `stop` resolves when the call that is under way has ended. */
export interface Watch {
  stop(): Promise<void>
}

/** Work on the store files themselves. */
export interface Upkeep {
  /** Removes the copies of all stores, or of the data alone, that schema upgrades made; returns their names. */
  removeUpgradeCopies(of: 'all' | 'data', beforeMs?: number): Promise<readonly string[]>
  /** Returns what remains to be done before no store file holds an erased text. */
  pendingCleanups(): Promise<readonly Cleanup[]>
  /**
   * Does what is pending as far as readers and imports permit, and returns what remains. `erased` are texts that were
   * just erased: the store files are searched for copies of them.
   */
  cleanUp(erased?: readonly string[]): Promise<readonly Cleanup[]>
}

/** `truncate`: a log holds older states of rows. `compact`: a store file holds copies of rows that are gone. */
export type Cleanup = 'truncate' | 'compact'

/** A consistent state of all stores, which stays open while it is copied. */
export interface StoreCopy {
  /** The newest change number in it. */
  readonly revision: number
  /** Bytes that `writeTo` will write, approximately. */
  readonly bytes: number
  /** Writes the stores to where they belong in a data folder, at a pace that leaves half of the time to others. */
  writeTo(folder: string, progress: CopyProgress): Promise<void>
  close(): Promise<void>
}

/** Reports the progress of a long copy: which part, and how many bytes of it are done. */
export type CopyProgress = (part: string, doneBytes: number, totalBytes: number) => void

/** One check of the stores; `problems` returns a user-facing message for each problem. */
export interface IntegrityCheck {
  readonly name: string
  problems(): Promise<string[]>
}

/** Reads locations by id. An id that was merged leads to its survivor. */
export interface LocationReader {
  get(id: Id): Promise<LocationEntry | undefined>
  /** Returns the locations in the order of `ids`, and undefined for each that does not exist. */
  getMany(ids: readonly Id[]): Promise<(LocationEntry | undefined)[]>
}

/** Reads reviews. */
export interface ReviewReader {
  get(id: Id): Promise<Review | undefined>
  /** Returns one page, and the number of all reviews that the query selects. */
  list(query: ReviewQuery): Promise<{ reviews: Review[]; total: number }>
}

/** Reads texts about places, for recommendations. Each call reads a bounded number of rows, however many exist. */
export interface PlaceTextReader {
  read(id: Id, sample: ReviewSample): Promise<PlaceTexts | undefined>
}

/** Gives access to place texts; calls run one at a time. */
export interface PlaceTextSource {
  /** Calls `work` with a reader of one state of the store. */
  readConsistently<T>(work: (texts: PlaceTextReader) => Promise<T>): Promise<T>
}

/** Writes what an import brings. Each batch is one transaction. */
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
  /** Finds the stored records of a source that are not in `kept`. Places that were merged away are never among them. */
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
 * smaller number appear, and no gap is filled later. Old changes are pruned, but never the newest; a reader that is
 * further behind than the oldest line starts again from the data itself.
 */
export interface ChangeLog {
  /** The newest sequence number; 0 when nothing was ever written. */
  lastSeq(): Promise<number>
  /** Changes after a number, ascending, `limit` at most; undefined when some of them have been pruned. */
  after(seq: number, limit: number): Promise<Change[] | undefined>
  /** Removes a batch of the oldest changes. */
  prune(options: PruneOptions): Promise<PruneResult>
}

/** The published snapshots of the feeds. */
export interface FeedLibrary {
  /** Returns the snapshots of an edition, oldest first, without those that are gone. */
  list(edition: Edition): Promise<FeedSnapshot[]>
  /** Returns a snapshot, or the reason why it is gone; undefined when it never existed. */
  find(edition: Edition, snapshotId: string): Promise<FeedSnapshot | Gone | undefined>
}

/** The feed snapshots that keys have begun to download. */
export interface FeedDownloads {
  /** Returns what a key began at `sinceMs` or later, oldest first. */
  since(keyId: string, sinceMs: number): Promise<readonly FeedDownload[]>
  /**
   * Reads what a key began at `sinceMs` or later and adds what `decide` returns, as one step: two calls for one key never
   * decide on the same state.
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

/** A consistent state of the data, however long reading it takes: the source of feeds and of the search index. */
export interface FeedSource {
  readonly position: StorePosition
  /** Returns true if this store has been at `then` and its log has every change since. */
  follows(then: StorePosition): Promise<boolean>
  /** Returns true if the log has every change after a number. */
  hasChangesSince(seq: number): Promise<boolean>
  readonly locations: FeedReader<LocationEntry>
  /** The GEO category alone. */
  readonly geos: FeedReader<LocationEntry>
  /** A review also changes when the ratings of its place do. */
  readonly reviews: FeedReader<PlacedReview>
  /** Categories and subrating types that records name. */
  enumValuesInUse(): Promise<EnumValuesInUse>
  /** Records that were erased after `seq` and have not come back; all of them when the log does not reach back that far. */
  erasedAfter(seq: number): AsyncIterable<readonly { readonly kind: RecordKind; readonly id: Id }[]>
  close(): Promise<void>
}

/** A moment in the history of a data store. Two stores whose histories differ (one was restored) never share one. */
export interface StorePosition {
  /** The newest change-log number; 0 when nothing was ever written. */
  readonly seq: number
  /** Distinguishes that change from others with the same number. */
  readonly mark: string
}

/** Reads the records of one kind, in pages ascending by id. */
export interface FeedReader<T> {
  count(): Promise<number>
  all(): AsyncIterable<readonly T[]>
  /** The ids of the records that changed or ended, each once. */
  changedAfter(seq: number): AsyncIterable<readonly Id[]>
  /** Returns the records in the order of `ids`, and undefined for each that does not exist. */
  getMany(ids: readonly Id[]): Promise<(T | undefined)[]>
  /** Returns the end of a record; undefined when the store does not know it. */
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
 * swap: they resolve to undefined, with nothing changed, when the revision is no longer the expected one.
 */
export interface KeyAdmin extends KeyReader {
  /** Stores a partner; false, with nothing changed, when the id is in use. */
  createPartner(partner: Partner): Promise<boolean>
  partner(id: string): Promise<Partner | undefined>
  partners(): Promise<Partner[]>
  updatePartner(id: string, expectedRevision: number, change: PartnerChange): Promise<Partner | undefined>
  createKey(key: Key, digest: Buffer): Promise<void>
  key(id: string): Promise<Key | undefined>
  keys(): Promise<Key[]>
  updateKey(id: string, expectedRevision: number, change: KeyChange): Promise<Key | undefined>
  /** Moves the pin of one feed, and records the change. */
  pinFeed(expectedRevision: number, change: FeedPinChange): Promise<Key | undefined>
  /** Returns the changes of a key's pins, oldest first. */
  feedPinChanges(id: string): Promise<FeedPinChange[]>
  /** Adds a secret; earlier ones end at `othersExpireMs`, or before when an earlier end was set. */
  addSecret(id: string, expectedRevision: number, secret: NewSecret): Promise<Key | undefined>
}

/** Decisions of an operator about single reviews, which no import undoes. */
export interface ReviewModeration {
  /** Removes a review from everything that is served, and keeps it stored. */
  hide(id: Id): Promise<'hidden' | 'unchanged' | 'unknown' | 'erased'>
  /** Undoes `hide`; `removed`: its source has removed the review meanwhile. */
  show(id: Id): Promise<'shown' | 'unchanged' | 'removed' | 'unknown' | 'erased'>
  /** Erases a review permanently; undefined when no review ever had the id. */
  erase(id: Id): Promise<Erased | undefined>
  /** Erases every review of a user (`source:user_id`), and keeps later ones out. */
  eraseUser(userKey: string): Promise<Erased>
  /** Returns true if a review of that source was erased. */
  isErased(source: string, sourceId: string): Promise<boolean>
}
