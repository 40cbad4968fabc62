import type { Id } from '../../domain/id.ts'
import { widenLocale } from '../../domain/locale.ts'
import type { ReviewTotals } from '../../domain/ratings.ts'
import type { Review, ReviewBody, TripType } from '../../domain/review.ts'
import type { ReviewQuery } from '../../domain/review-query.ts'
import type { JsonColumns } from '../sql/database.ts'
import { undatedMs } from './codes.ts'

/** A stored review. */
export interface ReviewRow {
  id: bigint
  location_id: bigint
  published_ms: bigint
  rating: bigint
  language: string | null
  trip_type: string | null
  record: string
}

/** A stored review with its user (`source:user_id`). */
export type FullReviewRow = ReviewRow & { user_key: string | null }

/** The columns of a review but `id`, in the order of `reviewColumns`. */
export type ReviewValues = readonly [
  locationId: Id,
  publishedMs: bigint,
  rating: bigint,
  language: string | null,
  tripType: string | null,
  userKey: string | null,
  record: string,
]

/** The columns of ReviewValues. */
export const reviewColumns = [
  'location_id',
  'published_ms',
  'rating',
  'language',
  'trip_type',
  'user_key',
  'record',
] as const satisfies readonly (keyof FullReviewRow)[]

/** The stored reviews of one state, as rules read and write them. */
export interface ReviewRows {
  get(id: Id): FullReviewRow | undefined
  /** Writes a review, whose row before was `before`. */
  put(before: FullReviewRow | undefined, values: ReviewValues, id: Id): void
  /** Returns false if the review was not stored. */
  remove(id: Id): boolean
}

/** Returns the review of a stored row. */
export function toReview(store: JsonColumns, row: ReviewRow): Review {
  const publishedMs = Number(row.published_ms)
  return {
    ...store.parseJson<ReviewBody>(row.record),
    id: row.id,
    locationId: row.location_id,
    ...(publishedMs !== undatedMs && { publishedMs }),
    ...(row.rating > 0n && { rating: Number(row.rating) / 100 }),
    ...(row.language !== null && { language: row.language }),
    ...(row.trip_type !== null && { tripType: row.trip_type as TripType }),
  }
}

/** Returns the columns of a review. */
export function toReviewValues(review: Review): ReviewValues {
  const { id: _, locationId, publishedMs, rating, language, tripType, userKey, ...body } = review
  return [
    locationId,
    BigInt(publishedMs ?? undatedMs),
    BigInt(Math.round((rating ?? 0) * 100)),
    language ?? null,
    tripType ?? null,
    userKey ?? null,
    JSON.stringify(body satisfies ReviewBody),
  ]
}

/** Returns the columns of a stored review. */
export const valuesOfRow = (row: FullReviewRow): ReviewValues => [
  row.location_id,
  row.published_ms,
  row.rating,
  row.language,
  row.trip_type,
  row.user_key,
  row.record,
]

/** Returns true if a row has these columns. */
export const hasValues = (row: FullReviewRow, values: ReviewValues): boolean =>
  valuesOfRow(row).every((value, i) => value === values[i])

/** The orders of reviews, and their reverse. */
export const reviewOrders = {
  MOST_RECENT: { forward: 'published_ms DESC, id DESC', backward: 'published_ms ASC, id ASC' },
  HIGHEST_RATED: {
    forward: 'rating DESC, published_ms DESC, id DESC',
    backward: 'rating ASC, published_ms ASC, id ASC',
  },
} as const

/**
 * Replaces a language with a region that no review of the location has. All reviews of the location decide, so
 * that the other filters and the page never change the language.
 */
export function widenLanguage(query: ReviewQuery, readTotals: () => ReviewTotals | undefined): ReviewQuery {
  if (!query.language?.includes('-')) return query
  return { ...query, language: widenLocale(query.language, Object.keys(readTotals()?.byLanguage ?? {})) }
}
