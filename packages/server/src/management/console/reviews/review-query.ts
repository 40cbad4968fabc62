import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type Id, parseId } from '../../../domain/id.ts'
import type { ModeratedReview } from '../../../domain/review-list.ts'
import { apiReviewResource } from '../../../resources/moderated-review.ts'
import { findReviews } from '../../../usecases/admin/find-reviews.ts'
import { getReview } from '../../../usecases/admin/get-review.ts'
import { listModeratedReviews } from '../../../usecases/admin/list-reviews.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { collectRows, exportRows } from '../../shared/export.ts'

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
export interface ReviewSearchPage {
  readonly reviews: readonly ModeratedReview[]
  /** Value of `after` for the next page. */
  readonly next?: string | undefined
  /** Number of reviews that a search by user or text has read. */
  readonly read?: number
}

const rowsPerPage = 25
const reviewsPerRead = 200
const reviewsPerScan = 2000

/** Returns the filters of a query. */
export const readReviewFilters = ({
  id,
  place,
  state,
  user,
  text,
  after,
}: Readonly<Record<string, string | undefined>>) =>
  ({ id, place, state: state === 'hidden' ? 'hidden' : undefined, user, text, after }) satisfies ReviewFilters

/** Reads the page of reviews that the filters select; an id that does not exist selects none. */
export async function readReviews(
  { places }: ManagementContext,
  { actor }: PageRequest,
  { id, place, state: stateText, user, text, after: afterText }: ReviewFilters,
  limit = rowsPerPage,
): Promise<ReviewSearchPage> {
  const state = stateText === 'hidden' ? 'hidden' : 'shown'
  const after = afterText === undefined ? undefined : parseId(afterText)
  if (id !== undefined) return { reviews: await readOne(places, actor, parseId(id)) }
  if (user !== undefined || text !== undefined) {
    const { reviews, read, next } = await findReviews(places, actor, { state, user, text, after, limit })
    return { reviews, read, next: next?.toString() }
  }
  const locationId = place === undefined ? undefined : parseId(place)
  if (place !== undefined && locationId === undefined) return { reviews: [] }
  const found = await listModeratedReviews(places, actor, { state, locationId, after, limit: limit + 1 })
  const reviews = found.slice(0, limit)
  return { reviews, ...(found.length > limit && { next: String(reviews.at(-1)!.review.id) }) }
}

async function readOne(
  places: ManagementContext['places'],
  actor: PageRequest['actor'],
  id: Id | undefined,
): Promise<readonly ModeratedReview[]> {
  const found = id === undefined ? undefined : await getReview(places, actor, { id })
  return found === undefined || isAdminFault(found) ? [] : [found]
}

/**
 * Returns the reviews that the filters select as a file. Of a search by user or text these are the ones that the page
 * would find from the same position.
 */
export async function exportReviews(
  context: ManagementContext,
  request: PageRequest,
  filters: ReviewFilters,
  format: 'csv' | 'json',
): Promise<PageAnswer> {
  const isScan = filters.user !== undefined || filters.text !== undefined
  let isCut = false
  const found = await collectRows<string>(async (after = filters.after) => {
    const limit = isScan ? reviewsPerScan : reviewsPerRead
    const page = await readReviews(context, request, { ...filters, after }, limit)
    isCut = isScan && page.next !== undefined
    return { rows: page.reviews.map(apiReviewResource), next: isScan ? undefined : page.next }
  })
  return isAdminFault(found) ? found : exportRows('reviews', format, found.rows, isCut || found.isCut)
}
