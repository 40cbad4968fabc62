import type { Id } from './id.ts'
import type { Review } from './review.ts'

/** A review as moderators see it. */
export interface ModeratedReview {
  readonly review: Review
  readonly state: 'shown' | 'hidden'
  /** The reason why it is hidden, if one was given. */
  readonly reason?: string
}

/** Selects reviews of all places or of one, newest id first. */
export interface ReviewListQuery {
  readonly state: 'shown' | 'hidden'
  readonly locationId?: Id | undefined
  readonly limit: number
  /** Id of the last review of the previous page. */
  readonly after?: Id | undefined
}

/** Selects reviews by what no index has. */
export interface ScanQuery {
  readonly state: 'shown' | 'hidden'
  /** `source:user_id`. */
  readonly user?: string | undefined
  /** Part of a title or text, in any case. */
  readonly text?: string | undefined
}

/** A step of a scan. */
export interface ReviewScan extends ScanQuery {
  /** Id of the last review that the previous step read. */
  readonly after?: Id | undefined
  /** Maximum number of reviews to read. */
  readonly rows: number
}

/** The result of a step of a scan. */
export interface ScannedReviews {
  readonly reviews: readonly ModeratedReview[]
  readonly read: number
  /** Id of the last review that was read; undefined at the end. */
  readonly last?: Id
}

/** Reads reviews for moderators, hidden ones included. */
export interface ReviewList {
  find(id: Id): Promise<ModeratedReview | undefined>
  list(query: ReviewListQuery): Promise<ModeratedReview[]>
  /** Returns the number of reviews in a state. */
  count(state: 'shown' | 'hidden'): Promise<number>
  /** Reads some of the reviews, newest id first, and returns those that match. */
  scan(query: ReviewScan): Promise<ScannedReviews>
}
