import type { Id } from './id.ts'
import type { Review } from './review.ts'

/** A review as moderators see it. */
export interface ModeratedReview {
  readonly review: Review
  readonly state: 'shown' | 'hidden'
}

/** Selects reviews of all places or of one, newest id first. */
export interface ReviewListQuery {
  readonly state: 'shown' | 'hidden'
  readonly locationId?: Id | undefined
  readonly limit: number
  /** Id of the last review of the previous page. */
  readonly after?: Id | undefined
}

/** Reads reviews for moderators, hidden ones included. */
export interface ReviewList {
  find(id: Id): Promise<ModeratedReview | undefined>
  list(query: ReviewListQuery): Promise<ModeratedReview[]>
}
