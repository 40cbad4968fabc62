import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { Erasure, Moderation } from '../../domain/moderation.ts'
import { erasedEvents } from './erased-events.ts'
import { recordOf } from './record.ts'

/** Erases a review permanently, and its traces in the data folder; no import restores it. */
export async function eraseReview(
  { reviews, clock, sweep }: Moderation,
  actor: Actor,
  { id }: { readonly id: Id },
): Promise<Erasure | AdminFault> {
  const change = { action: 'review.erase', target: id.toString(), events: erasedEvents([id]) }
  const erased = await reviews.erase(id, recordOf(clock, actor, change))
  if (!erased) return adminFault('review_unknown', ['id'], { review: id })
  return { ids: erased.ids, removed: erased.removed, ...(await sweep(erased)) }
}
