/**
 * Every storage interface, on one page. All asynchronous, so that a cluster's engines fit behind them. Reading a
 * thing that is not there gives undefined; what throws is a bug or a broken disk.
 */
import type { WordsInUse } from './enum-value.ts'
import type { Edition, FeedPinChange, FeedSnapshot, Gone, RecordEnding } from './feed.ts'
import type { Id } from './id.ts'
import type { Key, KeyBySecret, KeyChange } from './key.ts'
import type { Location, LocationEntry, ScopeFacts } from './location.ts'
import type { Partner, PartnerChange } from './partner.ts'
import type { RatingSummary } from './ratings.ts'
import type { Review, TripType } from './review.ts'

/** Locations by id; an id that was merged leads to its survivor. */
export interface LocationReader {
  get(id: Id): Promise<LocationEntry | undefined>
  /** In the order asked; `undefined` where there is none. */
  getMany(ids: readonly Id[]): Promise<(LocationEntry | undefined)[]>
}

/** Which reviews of a location, in which order. */
export interface ReviewQuery {
  readonly locationId: Id
  /** BCP 47: the tag itself and its regional variants. */
  readonly language?: string
  readonly ratingMin?: number
  readonly tripType?: TripType
  readonly publishedAfterMs?: number
  readonly publishedAfter?: { readonly publishedMs?: number; readonly id: Id }
  readonly sortBy: 'MOST_RECENT' | 'HIGHEST_RATED'
  readonly offset: number
  readonly limit: number
}

export interface ReviewReader {
  get(id: Id): Promise<Review | undefined>
  list(query: ReviewQuery): Promise<{ reviews: Review[]; total: number }>
}

/** Which reviews of a place stand for all of them: `most` of its newest, those that are preferred first. */
export interface ReviewSample {
  readonly most: number
  readonly tripType?: TripType
  /** BCP 47 tags; the bare language counts. */
  readonly languages: readonly string[]
}

/** What is said of a place. */
export interface PlaceTexts {
  readonly location: Location
  readonly ratings: RatingSummary | undefined
  readonly reviews: readonly Review[]
}

/** Texts about places, for recommendations; every call reads a bounded number of rows, however many there are. */
export interface PlaceTextReader {
  read(id: Id, sample: ReviewSample): Promise<PlaceTexts | undefined>
}

/** What the importer writes. A batch is stored whole or not at all. */
export interface DataWriter {
  /** Finds or gives ids for external keys, in order. */
  assignIds(kind: RecordKind, keys: readonly ExternalKey[]): Promise<IdAssignment[]>
  /** Ids that were given before, merges not followed. */
  findIds(kind: RecordKind, keys: readonly ExternalKey[]): Promise<(Id | undefined)[]>
  /** Ids of places by external key, merges followed; undefined where the place is unknown. */
  findLocations(refs: readonly LocationRef[]): Promise<(Id | undefined)[]>
  writeLocations(batch: readonly LocationWrite[]): Promise<WriteOutcome[]>
  writeReviews(batch: readonly ReviewWrite[]): Promise<WriteOutcome[]>
  /** An empty set of ids that does not grow in memory, however many there are. */
  seenIds(): SeenIds
  /** The stored records of a source that are not in `kept`; places that were merged away are none. */
  missing(kind: RecordKind, source: string, kept: SeenIds): Promise<MissingRecords>
  close(): void
}

/** Ids that a file has brought already. */
export interface SeenIds {
  /** Adds each, in order; false where it was there. */
  add(ids: readonly Id[]): boolean[]
  has(id: Id): boolean
  /** All of them in ascending order, at most `size` at a time. */
  batches(size: number): Iterable<readonly Id[]>
  close(): void
}

/** What a full sync finds gone. */
export interface MissingRecords {
  /** Records of the source that are stored, those that are missing among them. */
  readonly stored: number
  readonly count: number
  batches(size: number): Iterable<readonly Id[]>
  close(): void
}

export type RecordKind = 'location' | 'review'
/** `erased`: an operator has erased the review or its user, and it is not stored. */
export type WriteOutcome = 'added' | 'changed' | 'unchanged' | 'removed' | 'merge_cycle' | 'erased'

/** How a source calls its record. A record with an id alone has no `sourceId`; one of the two is there. */
export interface ExternalKey {
  readonly source: string
  readonly sourceId?: string
  readonly id?: Id
}

export type IdAssignment =
  | { readonly id: Id }
  | { readonly conflict: 'id_taken' | 'id_changed'; readonly heldBy: string }
  | { readonly conflict: 'erased' }

export type LocationRef = { readonly id: Id } | { readonly source: string; readonly sourceId: string }

export type LocationWrite =
  | ({ readonly op: 'put'; readonly id: Id; readonly location: Location } & ScopeFacts)
  | { readonly op: 'delete'; readonly id: Id }
  | { readonly op: 'merge'; readonly id: Id; readonly into: Id }

export type ReviewWrite = { readonly op: 'put'; readonly review: Review } | { readonly op: 'delete'; readonly id: Id }

/** One line of the change log: what changed when. The newest line of an entity tells its present state. */
export interface Change {
  readonly seq: number
  readonly atMs: number
  readonly kind: RecordKind
  readonly id: Id
  readonly op: 'upsert' | 'delete' | 'merge'
  readonly mergedInto?: Id
}

export interface ChangeLog {
  /** The newest sequence number; 0 when nothing was ever written. */
  lastSeq(): Promise<number>
  after(seq: number, limit: number): Promise<Change[]>
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

/** Snapshots of the feeds as they are now, and what proves them. */
export interface FeedLibrary {
  /** In the order in which they were made, those that are gone left out. */
  list(edition: Edition): Promise<FeedSnapshot[]>
  /** One snapshot, or why it is there no longer; undefined where there never was one. */
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
  begin(
    keyId: string,
    sinceMs: number,
    decide: (begun: readonly FeedDownload[]) => FeedDownload | undefined,
  ): Promise<void>
}

export interface FeedDownload {
  /** Feed and snapshot id. */
  readonly snapshot: string
  readonly atMs: number
}

/** The data store at one moment, however long reading it takes: what feeds are made of. */
export interface FeedSource {
  readonly moment: StoreMoment
  /** Whether this store has been at `then`, and every change since is in its log. */
  follows(then: StoreMoment): boolean
  readonly locations: FeedReader<LocationEntry>
  /** The GEO category alone. */
  readonly geos: FeedReader<LocationEntry>
  /** A review changes with the ratings of its place, too. */
  readonly reviews: FeedReader<PlacedReview>
  /** Categories and subrating types that records name. */
  words(): Promise<WordsInUse>
  /** What was erased after `seq` and has not come back, in the order in which it happened. */
  erasedAfter(seq: number): AsyncIterable<readonly { readonly kind: RecordKind; readonly id: Id }[]>
  close(): void
}

/** A moment of a data store; two stores that took different ways (one was restored) never share one. */
export interface StoreMoment {
  /** The newest change-log number; 0 when nothing was ever written. */
  readonly seq: number
  /** Tells that change from any other of the same number. */
  readonly mark: string
}

/** The records of one kind: pages of them, ascending by id. */
export interface FeedReader<T> {
  count(): Promise<number>
  all(): AsyncIterable<readonly T[]>
  /** The ids of what changed, ended ones included; each once. */
  changedAfter(seq: number): AsyncIterable<readonly Id[]>
  /** In the order asked; `undefined` where there is none of this kind. */
  getMany(ids: readonly Id[]): Promise<(T | undefined)[]>
  /** How a record ended; undefined where the store does not know. */
  ending(id: Id): Promise<RecordEnding | undefined>
}

/** A review and the location it is about. */
export interface PlacedReview {
  readonly review: Review
  readonly of: LocationEntry
}

/** Keys for the serving path. */
export interface KeyReader {
  /** By the keyed digest of a presented secret. */
  bySecret(digest: Buffer): Promise<KeyBySecret | undefined>
  /** Another number whenever a key or a partner has changed. */
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

/** A secret that a rotation adds to a key. */
export interface NewSecret {
  readonly digest: Buffer
  readonly createdMs: number
  /** End of all earlier secrets of the key. */
  readonly othersExpireMs: number
}

/** What an operator decides about single reviews; no import undoes it. */
export interface ReviewModeration {
  /** Takes a review out of everything that is served, and keeps it. */
  hide(id: Id): Promise<'hidden' | 'unchanged' | 'unknown' | 'erased'>
  /** Undoes `hide`; `removed`: its source has removed the review meanwhile. */
  show(id: Id): Promise<'shown' | 'unchanged' | 'removed' | 'unknown' | 'erased'>
  /** Erases a review for good; undefined where no review ever had the id. */
  erase(id: Id): Promise<Erased | undefined>
  /** Erases every review of a user (`source:user_id`), and keeps later ones out. */
  eraseUser(userKey: string): Promise<Erased>
}

/** What an erasure took out of the store. */
export interface Erased {
  /** Ids of all reviews concerned, those that were erased before included. */
  readonly ids: readonly Id[]
  /** How many were in the store until now. */
  readonly removed: number
  /** What they said, as stored: to look for what is left of it. Never logged, never kept. */
  readonly texts: readonly string[]
}
