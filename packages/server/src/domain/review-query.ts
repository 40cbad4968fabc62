import type { Id } from './id.ts'
import type { Location, LocationEntry } from './location.ts'
import type { RatingSummary } from './ratings.ts'
import type { Review, TripType } from './review.ts'

/** Selects reviews of a location and their order. */
export interface ReviewQuery {
  readonly locationId: Id
  /**
   * BCP 47 tag; matches the tag itself and its regional variants, or those of a parent if the location has none.
   */
  readonly language?: string
  readonly ratingMin?: number
  readonly tripType?: TripType
  readonly publishedAfterMs?: number
  readonly publishedAfter?: { readonly publishedMs?: number; readonly id: Id }
  readonly sortBy: 'MOST_RECENT' | 'HIGHEST_RATED'
  readonly offset: number
  readonly limit: number
}

/** Selects a sample of a place's reviews: those in `first`, then the newest up to `most`, preferred ones first. */
export interface ReviewSample {
  /** Ids of reviews; some may be gone or belong to another place. */
  readonly first?: readonly Id[]
  readonly most: number
  /** Reviews of this trip type are preferred. */
  readonly tripType?: TripType
  /** Reviews in these languages (BCP 47 tags) are preferred; regions are ignored. */
  readonly languages: readonly string[]
}

/** A place with its ratings and a sample of its reviews. */
export interface PlaceTexts {
  readonly location: Location
  readonly ratings: RatingSummary | undefined
  readonly reviews: readonly Review[]
}

/** A review and the location it is about. */
export interface PlacedReview {
  readonly review: Review
  readonly of: LocationEntry
}
