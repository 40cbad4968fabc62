import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { ModeratedReview, ReviewList } from '../../domain/review-list.ts'

/** Returns a review for moderators, hidden or not. */
export async function getReview(
  { reviewList }: { readonly reviewList: ReviewList },
  _actor: Actor,
  { id }: { readonly id: Id },
): Promise<ModeratedReview | AdminFault> {
  return (await reviewList.find(id)) ?? adminFault('review_unknown', ['id'], { review: id })
}
