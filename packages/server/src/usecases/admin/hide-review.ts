import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { ReviewModeration } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkOptionalTexts } from './check-texts.ts'
import { recordOf } from './record.ts'

/** Hides a review: it stays stored but is not served. */
export async function hideReview(
  { reviews, clock }: { readonly reviews: ReviewModeration; readonly clock: Clock },
  actor: Actor,
  { id, reason }: { readonly id: Id; readonly reason?: string | undefined },
): Promise<{ readonly id: Id; readonly state: 'hidden'; readonly changed: boolean } | AdminFault> {
  const fault = checkOptionalTexts({ reason })
  if (fault) return fault
  const text = reason?.trim() || undefined
  const record = recordOf(clock, actor, {
    action: 'review.hide',
    target: id.toString(),
    ...(text && { after: { reason: text } }),
  })
  const outcome = await reviews.hide(id, record, text)
  if (outcome === 'unknown') return adminFault('review_unknown', ['id'], { review: id })
  if (outcome === 'erased') return adminFault('review_erased', ['id'], { review: id })
  return { id, state: 'hidden', changed: outcome === 'hidden' }
}
