import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type Id, parseId } from '../../../domain/id.ts'
import type { ModeratedReview } from '../../../domain/review-list.ts'
import { getReview } from '../../../usecases/admin/get-review.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'

/** Maximum number of reviews that are decided at once. */
const maxChosen = 200

/** Returns the reviews that a form or a link names; ids that are not numbers are left out. */
export const idsOf = (texts: readonly string[]): readonly Id[] =>
  [...new Set(texts)].slice(0, maxChosen).flatMap(text => parseId(text) ?? [])

/** Returns the reviews with these ids; erased ones are left out. */
export async function readChosen(
  { places }: ManagementContext,
  { actor }: PageRequest,
  ids: readonly Id[],
): Promise<readonly ModeratedReview[]> {
  const found = await Promise.all(ids.map(id => getReview(places, actor, { id })))
  return found.flatMap(one => (isAdminFault(one) ? [] : [one]))
}
