import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type Id, parseId } from '../../../domain/id.ts'
import type { ModeratedReview } from '../../../domain/review-list.ts'
import { findReviews } from '../../../usecases/admin/find-reviews.ts'
import { getReview } from '../../../usecases/admin/get-review.ts'
import { listReviews } from '../../../usecases/admin/list-reviews.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'

/** The filters of the list of reviews, as the URL has them. */
export interface ReviewFilters {
  readonly id?: string | undefined
  readonly place?: string | undefined
  readonly state?: string | undefined
  readonly user?: string | undefined
  readonly text?: string | undefined
  readonly after?: string | undefined
}

/** One page of the list. */
export interface ReviewPage {
  readonly reviews: readonly ModeratedReview[]
  /** Value of `after` for the next page. */
  readonly next?: string | undefined
  /** Number of reviews that a search by user or text has read. */
  readonly read?: number
}

const rowsPerPage = 25

/** Returns the filters of a query. */
export const readFilters = ({ id, place, state, user, text, after }: Readonly<Record<string, string | undefined>>) =>
  ({ id, place, state: state === 'hidden' ? 'hidden' : undefined, user, text, after }) satisfies ReviewFilters

/** Reads the page of reviews that the filters select; an id that does not exist selects none. */
export async function readReviews(
  { places }: ManagementContext,
  { actor }: PageRequest,
  { id, place, state: stateText, user, text, after: afterText }: ReviewFilters,
): Promise<ReviewPage> {
  const state = stateText === 'hidden' ? 'hidden' : 'shown'
  const after = afterText === undefined ? undefined : parseId(afterText)
  if (id !== undefined) return { reviews: await readOne(places, actor, parseId(id)) }
  if (user !== undefined || text !== undefined) {
    const { reviews, read, next } = await findReviews(places, actor, { state, user, text, after, limit: rowsPerPage })
    return { reviews, read, next: next?.toString() }
  }
  const locationId = place === undefined ? undefined : parseId(place)
  if (place !== undefined && locationId === undefined) return { reviews: [] }
  const found = await listReviews(places, actor, { state, locationId, after, limit: rowsPerPage + 1 })
  const reviews = found.slice(0, rowsPerPage)
  return { reviews, ...(found.length > rowsPerPage && { next: String(reviews.at(-1)!.review.id) }) }
}

async function readOne(
  places: ManagementContext['places'],
  actor: PageRequest['actor'],
  id: Id | undefined,
): Promise<readonly ModeratedReview[]> {
  const found = id === undefined ? undefined : await getReview(places, actor, { id })
  return found === undefined || isAdminFault(found) ? [] : [found]
}
