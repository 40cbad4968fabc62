import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { ReviewModeration } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Clock } from '../../kit/clock.ts'
import { recordOf } from './record.ts'

/** Hides a review: it stays stored but is not served. */
export async function hideReview(
  { reviews, clock }: { readonly reviews: ReviewModeration; readonly clock: Clock },
  actor: Actor,
  { id }: { readonly id: Id },
): Promise<{ readonly id: Id; readonly state: 'hidden'; readonly changed: boolean } | AdminFault> {
  const outcome = await reviews.hide(id, recordOf(clock, actor, { action: 'review.hide', target: id.toString() }))
  if (outcome === 'unknown') return adminFault('review_unknown', ['id'], { review: id })
  if (outcome === 'erased') return adminFault('review_erased', ['id'], { review: id })
  return { id, state: 'hidden', changed: outcome === 'hidden' }
}
