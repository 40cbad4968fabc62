import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Erasure, Moderation } from '../../domain/moderation.ts'

/** Erases all reviews of a user (`source:user_id`) permanently, and rejects later ones. */
export async function eraseReviewer(
  { reviews, sweep }: Moderation,
  _actor: Actor,
  { reviewer }: { readonly reviewer: string | undefined },
): Promise<Erasure | AdminFault> {
  if (reviewer === undefined || !/^[^:]+:./s.test(reviewer))
    return adminFault('reviewer_invalid', ['reviewer'], { reviewer })
  const erased = await reviews.eraseUser(reviewer)
  return { ids: erased.ids, removed: erased.removed, ...(await sweep(erased, reviewer)) }
}
