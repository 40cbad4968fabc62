import type { Clock } from '../kit/clock.ts'
import type { LocationReader, ReviewModeration, ReviewReader } from './data-stores.ts'
import type { Erased } from './erased.ts'
import type { PhotoDecisions } from './photo-decisions.ts'
import type { ReviewList } from './review-list.ts'
import type { Cleanup } from './stores.ts'

/** Traces of erased reviews that were removed from the files of the data folder. */
export interface SweptTraces {
  /** Names of the removed copies of older schema versions. */
  readonly removedCopies: readonly string[]
  /** Number of rows removed from the rejects of imports. */
  readonly removedRejects: number
  /** Withdrawn snapshots, as `feed id`; the next build makes new full ones. */
  readonly withdrawnSnapshots: readonly string[]
  /** Remaining work; a running service completes it within the hour. */
  readonly pending: readonly Cleanup[]
}

/** Stores that the photos of moderators are read from. */
export interface ModeratedPhotos {
  readonly decisions: PhotoDecisions
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  readonly reviewList: Pick<ReviewList, 'find'>
}

/** Moderation of the reviews and photos in a data folder. */
export interface Moderation {
  readonly reviews: ReviewModeration
  readonly photos: ModeratedPhotos
  readonly clock: Clock
  /** Removes the remaining traces of an erasure from the files of the folder. */
  sweep(erased: Erased, userKey?: string): Promise<SweptTraces>
}

/** The result of an erasure. Contains no text of a review. */
export interface Erasure extends SweptTraces {
  /** Ids of all erased reviews, including reviews that were erased before. */
  readonly ids: Erased['ids']
  /** Number of reviews that this erasure removed. */
  readonly removed: number
}
