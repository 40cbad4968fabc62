import type { TopLevelCategory } from './category.ts'
import type { Id } from './id.ts'
import type { Locale } from './locale.ts'
import type { TripType } from './review.ts'
import type { Scope } from './scope.ts'
import type { Point, QueryCaller } from './search.ts'

/** Requested destination: a place by id or name, or a circle. */
export type DestinationQuery =
  | { readonly geoId: Id }
  | { readonly geoName: string }
  | { readonly centre: Point; readonly radiusKm: number }

/** Query for recommendations in natural language. */
export interface RecommendationQuery {
  readonly text: string
  /** Default: the destination mentioned in the text. */
  readonly destination?: DestinationQuery
  readonly categories?: readonly TopLevelCategory[]
  /** As in `Filters`. */
  readonly categoryIds?: readonly string[]
  readonly attributes?: readonly string[]
  /** Default: the trip type mentioned in the text. */
  readonly tripType?: TripType
  /** Ids of places that are not recommended. */
  readonly excluded: readonly Id[]
  /** Scope of the key. */
  readonly scope: Scope
  /** Languages of reviews, in order of preference. */
  readonly languages: readonly Locale[]
  readonly limit: number
  /** Milliseconds since 1970, for the age of reviews. */
  readonly nowMs: number
}

/** Review that supports a recommendation. */
export interface Reason {
  readonly reviewId: Id
  readonly snippet: string
}

export interface RecommendationHit {
  readonly id: Id
  /** Comparable within one result only. */
  readonly score: number
  /** Up to three, best first. */
  readonly reasons: readonly Reason[]
}

/**
 * Hits, best first, or the reason why there is no destination: `no_destination` if neither the query nor its text
 * specifies one, `geo_unknown` if its id is unknown.
 */
export type RecommendationOutcome = readonly RecommendationHit[] | 'no_destination' | 'geo_unknown'

/** Recommends places for a query. The same query over the same data returns the same hits in the same order. */
export interface Recommender {
  recommend(query: RecommendationQuery, caller: QueryCaller): Promise<RecommendationOutcome>
}
