import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type Id, parseId } from '../../../domain/id.ts'
import type { ModeratedReview, ScanQuery } from '../../../domain/review-list.ts'
import { apiReviewResource } from '../../../resources/moderated-review.ts'
import { getReview } from '../../../usecases/admin/get-review.ts'
import { listFoundReviews } from '../../../usecases/admin/list-found-reviews.ts'
import { listModeratedReviews } from '../../../usecases/admin/list-reviews.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { collectRows, exportRows } from '../../shared/export.ts'

/** The filters of the list of reviews, as the URL has them. */
export interface ReviewFilters {
  readonly id?: string | undefined
  readonly place?: string | undefined
  readonly state?: string | undefined
  /** Id of the scan whose results are listed; the other filters do not apply. */
  readonly scan?: string | undefined
  readonly after?: string | undefined
}

/** One page of the list. */
export interface ReviewSearchPage {
  readonly reviews: readonly ModeratedReview[]
  /** Value of `after` for the next page. */
  readonly next?: string | undefined
  /** Query and number of results of a scan; missing if there is no scan, or not any more. */
  readonly scan?: { readonly query: ScanQuery; readonly found: number }
}

const rowsPerPage = 25
const reviewsPerRead = 200

/** Returns the filters of a query. */
export const readReviewFilters = ({
  id,
  place,
  state,
  scan,
  after,
}: Readonly<Record<string, string | undefined>>): ReviewFilters =>
  scan === undefined ? { id, place, state: state === 'hidden' ? 'hidden' : undefined, after } : { scan, after }

/** Reads the page of reviews that the filters select; an id that does not exist selects none. */
export async function readReviews(
  { places, work }: ManagementContext,
  { actor }: PageRequest,
  { id, place, state: stateText, scan, after: afterText }: ReviewFilters,
  limit = rowsPerPage,
): Promise<ReviewSearchPage> {
  const state = stateText === 'hidden' ? 'hidden' : 'shown'
  const after = afterText === undefined ? undefined : parseId(afterText)
  if (id !== undefined) return { reviews: await readOne(places, actor, parseId(id)) }
  if (scan !== undefined) {
    const stores = { reviewList: places.reviewList, scans: work.scans }
    const list = await listFoundReviews(stores, actor, { scan, after, limit })
    if (isAdminFault(list)) return { reviews: [] }
    const { reviews, query, found, next } = list
    return { reviews, scan: { query, found }, next: next?.toString() }
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

/** Returns the reviews that the filters select as a file. */
export async function exportReviews(
  context: ManagementContext,
  request: PageRequest,
  filters: ReviewFilters,
  format: 'csv' | 'json',
): Promise<PageAnswer> {
  const found = await collectRows<string>(async (after = filters.after) => {
    const page = await readReviews(context, request, { ...filters, after }, reviewsPerRead)
    return { rows: page.reviews.map(apiReviewResource), next: page.next }
  })
  return isAdminFault(found) ? found : exportRows('reviews', format, found.rows, found.isCut)
}
