import type { TopLevelCategory } from './category.ts'
import type { Id } from './id.ts'
import type { Locale } from './locale.ts'
import type { TripType } from './review.ts'
import type { Scope } from './scope.ts'
import type { Point } from './search.ts'

/** Where to look: in a place by id or name, or in a circle. */
export type PlaceAsked =
  | { readonly geoId: Id }
  | { readonly geoName: string }
  | { readonly centre: Point; readonly radiusKm: number }

/** What somebody wishes for, in plain words. */
export interface RecommendationQuery {
  readonly text: string
  /** Taken from the text where it is left out. */
  readonly place?: PlaceAsked
  readonly categories?: readonly TopLevelCategory[]
  /** Wins over what the text says. */
  readonly tripType?: TripType
  readonly excluded: readonly Id[]
  /** */
  readonly scope: Scope
  /** Of reviews, in order of preference. */
  readonly languages: readonly Locale[]
  readonly limit: number
  /** Milliseconds since 1970, for the age of reviews. */
  readonly nowMs: number
}

/** A review that says why a place is recommended. */
export interface Reason {
  readonly reviewId: Id
  readonly snippet: string
}

export interface RecommendationHit {
  readonly id: Id
  /** Comparable within one answer only. */
  readonly score: number
  /** Up to three, the best first. */
  readonly reasons: readonly Reason[]
}

/** `no_place`: none was given and none is in the text; `geo_unknown`: the id given is no place's. */
export type Recommended = readonly RecommendationHit[] | 'no_place' | 'geo_unknown'

/** Finds places that answer a wish, best first; the same wish over the same data gets the same order. */
export interface Recommender {
  recommend(query: RecommendationQuery): Promise<Recommended>
}
