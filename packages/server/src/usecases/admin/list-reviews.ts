import type { Actor } from '../../domain/actor.ts'
import type { ModeratedReview, ReviewList, ReviewListQuery } from '../../domain/review-list.ts'

/** Lists reviews for moderators, newest id first. */
export const listModeratedReviews = (
  { reviewList }: { readonly reviewList: ReviewList },
  _actor: Actor,
  query: ReviewListQuery,
): Promise<ModeratedReview[]> => reviewList.list(query)
