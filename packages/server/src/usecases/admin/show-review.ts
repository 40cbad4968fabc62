import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { ReviewModeration } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkOptionalTexts } from './check-texts.ts'
import { recordOf } from './record.ts'

/** The state of a review after `showReview`. */
export interface ShownReview {
  readonly id: Id
  /** `removed`: it is no longer hidden, but its source has since removed it. */
  readonly state: 'shown' | 'removed'
  readonly changed: boolean
}

/** Shows a hidden review again. */
export async function showReview(
  { reviews, clock }: { readonly reviews: ReviewModeration; readonly clock: Clock },
  actor: Actor,
  { id, reason }: { readonly id: Id; readonly reason?: string | undefined },
): Promise<ShownReview | AdminFault> {
  const fault = checkOptionalTexts({ reason })
  if (fault) return fault
  const text = reason?.trim() || undefined
  const record = recordOf(clock, actor, {
    action: 'review.show',
    target: id.toString(),
    ...(text && { after: { reason: text } }),
  })
  const outcome = await reviews.show(id, record)
  if (outcome === 'unknown') return adminFault('review_unknown', ['id'], { review: id })
  if (outcome === 'erased') return adminFault('review_erased', ['id'], { review: id })
  return { id, state: outcome === 'removed' ? 'removed' : 'shown', changed: outcome !== 'unchanged' }
}
