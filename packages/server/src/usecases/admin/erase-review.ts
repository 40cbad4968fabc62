import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { Erasure, Moderation } from '../../domain/moderation.ts'

/** Erases a review permanently, and its traces in the data folder; no import restores it. */
export async function eraseReview(
  { reviews, sweep }: Moderation,
  _actor: Actor,
  { id }: { readonly id: Id },
): Promise<Erasure | AdminFault> {
  const erased = await reviews.erase(id)
  if (!erased) return adminFault('review_unknown', ['id'], { review: id })
  return { ids: erased.ids, removed: erased.removed, ...(await sweep(erased)) }
}
