import type { LocationReader, ReviewReader } from '../../domain/data-stores.ts'
import { type Fault, fault, isFault } from '../../domain/fault.ts'
import type { Id } from '../../domain/id.ts'
import type { ListPosition, PageEnd } from '../../domain/list-position.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type { Review } from '../../domain/review.ts'
import type { ReviewQuery } from '../../domain/review-query.ts'
import type { Scope } from '../../domain/scope.ts'
import { continueList } from './continue-list.ts'
import { getLocation } from './get-location.ts'

/** Filters, order and page of a list of reviews. */
export type ListReviewsArgs = Omit<ReviewQuery, 'locationId' | 'publishedAfter' | 'offset' | 'limit'> & {
  readonly publishedAfterReviewId?: Id
  readonly page: number
  readonly size: number
  /** Begins the page behind a position of an earlier one, in place of `page`. */
  readonly position?: ListPosition | undefined
}

/** One page of a location's reviews. */
export interface ReviewPage extends PageEnd {
  readonly location: LocationEntry
  readonly reviews: readonly Review[]
  /** Exact number of reviews on all pages. */
  readonly total: number
}

/** Lists the reviews of a location or of its survivor; a fault if the location does not exist in this scope. */
export async function listReviews(
  stores: { readonly locations: LocationReader; readonly reviews: ReviewReader },
  scope: Scope,
  locationId: Id,
  { publishedAfterReviewId, page, size, position, ...filters }: ListReviewsArgs,
): Promise<ReviewPage | Fault> {
  const location = await getLocation(stores.locations, scope, locationId)
  if (isFault(location)) return location
  const cursor = publishedAfterReviewId === undefined ? undefined : await stores.reviews.get(publishedAfterReviewId)
  if (publishedAfterReviewId !== undefined && cursor?.locationId !== location.id)
    return cursorUnknown(publishedAfterReviewId)
  const query = { ...filters, locationId: location.id, ...(cursor && { publishedAfter: cursor }) }
  const { hits, ...found } = await continueList(position, { offset: (page - 1) * size, limit: size }, async part => {
    const { reviews: hits, total } = await stores.reviews.list({ ...query, ...part })
    return { hits, total }
  })
  return { location, reviews: hits, ...found }
}

function cursorUnknown(id: Id): Fault {
  const field = 'published_after_review_id'
  const message = `${field} must be the id of a review of this location.`
  return fault('parameters_invalid', { detail: message, fieldErrors: [{ field, message, rejectedValue: String(id) }] })
}
