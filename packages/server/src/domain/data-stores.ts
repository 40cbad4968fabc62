/** The stores of locations, reviews and their changes. */

import type { Change, PruneOptions, PruneResult } from './change.ts'
import type { ChangeRecord } from './change-record.ts'
import type { Erased } from './erased.ts'
import type { EventDraft } from './event.ts'
import type { Id } from './id.ts'
import type { LocationEntry } from './location.ts'
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
import type { PlaceTexts, ReviewQuery, ReviewSample } from './review-query.ts'

/** Reads locations by id. The id of a merged location returns its survivor. */
export interface LocationReader {
  get(id: Id): Promise<LocationEntry | undefined>
  /** Returns the locations in the order of `ids`, and undefined for each that does not exist. */
  getMany(ids: readonly Id[]): Promise<(LocationEntry | undefined)[]>
  /** Returns the ids of merged locations that had each key (domain/external-id.ts); they lead to the survivors. */
  findMerged(keys: readonly string[]): Promise<readonly (readonly Id[])[]>
}

/** Reads reviews. */
export interface ReviewReader {
  get(id: Id): Promise<Review | undefined>
  /** Returns one page, and the total number of reviews that match the query. */
  list(query: ReviewQuery): Promise<{ reviews: Review[]; total: number }>
  /** Returns the newest reviews of a location that have photos, `limit` at most. */
  withPhotos(locationId: Id, limit: number): Promise<Review[]>
}

/**
 * Reads texts about places, for recommendations. Each call reads a bounded number of rows, regardless of the size of
 * the store.
 */
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

/**
 * Moderation of single reviews by an operator, which no import undoes. A call that changes nothing is not
 * recorded.
 */
export interface ReviewModeration {
  /** Hides a review: it stays stored but is not served. The reason is stored until the review is shown or erased. */
  hide(id: Id, record: ChangeRecord, reason?: string): Promise<'hidden' | 'unchanged' | 'unknown' | 'erased'>
  /** Undoes `hide`; `removed`: its source has since removed the review. */
  show(id: Id, record: ChangeRecord): Promise<'shown' | 'unchanged' | 'removed' | 'unknown' | 'erased'>
  /** Permanently erases a review; undefined if no review ever had the id. */
  erase(id: Id, record: ChangeRecord): Promise<Erased | undefined>
  /**
   * Permanently erases all reviews of a user (`source:user_id`); later ones are rejected. `eventsOf` returns the events
   * of the erased reviews.
   */
  eraseUser(
    userKey: string,
    eventsOf: (ids: readonly Id[]) => readonly EventDraft[],
    record: ChangeRecord,
  ): Promise<Erased>
  /** Permanently erases a photo, which later imports leave out; undefined if no record has it. */
  erasePhoto(photoId: string, record: ChangeRecord): Promise<Erased | undefined>
  /** Returns true if this review of the source was erased. */
  isErased(source: string, sourceId: string): Promise<boolean>
}
