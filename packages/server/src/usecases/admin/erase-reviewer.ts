import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { Erasure, Moderation } from '../../domain/moderation.ts'
import { erasedEvents } from './erased-events.ts'
import { recordOf } from './record.ts'

/** Erases all reviews of a user (`source:user_id`) permanently, and rejects later ones. */
export async function eraseReviewer(
  { reviews, clock, sweep }: Moderation,
  actor: Actor,
  { reviewer }: { readonly reviewer: string | undefined },
): Promise<Erasure | AdminFault> {
  if (reviewer === undefined || !/^[^:]+:./s.test(reviewer))
    return adminFault('reviewer_invalid', ['reviewer'], { reviewer })
  // The id of an erased user must not stay in the data folder, so the audit names the source alone.
  const source = reviewer.slice(0, reviewer.indexOf(':'))
  const record = recordOf(clock, actor, { action: 'reviewer.erase', target: source })
  const eventsOf = (ids: readonly Id[]) => erasedEvents(ids).map(event => ({ ...event, atMs: record.audit.atMs }))
  const erased = await reviews.eraseUser(reviewer, eventsOf, record)
  return { ids: erased.ids, removed: erased.removed, ...(await sweep(erased, reviewer)) }
}
