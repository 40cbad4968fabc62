import type { EnumValue } from '../domain/enum-value.ts'
import type { Fault } from '../domain/fault.ts'
import type { FeedName } from '../domain/feed.ts'
import type { Id } from '../domain/id.ts'
import type { Locale } from '../domain/locale.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { Operation } from '../domain/operation.ts'
import type { Reason, RecommendationQuery } from '../domain/recommendation.ts'
import type { Review, TripType } from '../domain/review.ts'
import type { NearbyHit, NearbyQuery, SearchHit, SearchQuery } from '../domain/search.ts'
import type { RawJson } from '../kit/long-json.ts'
import type { PresentContext } from './primitives/format.ts'
import type { Param, ParamSet, RawQuery } from './primitives/param.ts'
import type { VersionSchemas } from './primitives/schema.ts'

/** What can be turned into JSON text: every field of it is listed by hand in a presenter. */
export type Json = object

export interface LocaleArgs {
  readonly locales: readonly Locale[]
}

export interface ReviewArgs {
  readonly language?: string
  /** Show the original texts only. */
  readonly originalsOnly: boolean
  readonly ratingMin?: number
  readonly tripType?: TripType
  readonly publishedAfterMs?: number
  readonly publishedAfterReviewId?: Id
  readonly sortBy: 'MOST_RECENT' | 'HIGHEST_RATED'
  readonly page: number
  readonly size: number
}

interface PageArgs extends LocaleArgs {
  readonly page: number
  readonly size: number
}

export interface SearchArgs extends PageArgs {
  readonly query: SearchQuery
}

export interface NearbyArgs extends PageArgs {
  /** A circle around a place is one around its coordinates, which the use case looks up. */
  readonly query: Omit<NearbyQuery, 'within'> & {
    readonly within: NearbyQuery['within'] | { readonly locationId: Id; readonly radiusKm: number }
  }
}

export interface RecommendationArgs extends LocaleArgs {
  readonly query: Omit<RecommendationQuery, 'scope' | 'nowMs'>
}

/** A representation of the service: how requests are read and how answers look. It never decides what is answered. */
export interface Version {
  readonly name: string
  /** The parameters of each operation: what requests are checked against, and what the document says. */
  readonly params: Readonly<Partial<Record<Operation, ParamSet>>>
  readonly pathId: Param<Id | undefined>
  readonly read: {
    pathId(text: string): Id | Fault
    getLocation(query: RawQuery): LocaleArgs | Fault
    getLocations(query: RawQuery): (LocaleArgs & { readonly ids: readonly Id[] }) | Fault
    listReviews(query: RawQuery): ReviewArgs | Fault
    getCatalogLocation(query: RawQuery): LocaleArgs | Fault
    /** `nowMs`: what open_now means. The catalog's search and nearby read the same parameters. */
    searchLocations(query: RawQuery, nowMs: number): SearchArgs | Fault
    nearbyLocations(query: RawQuery, nowMs: number): NearbyArgs | Fault
    searchRecommendations(query: RawQuery): RecommendationArgs | Fault
  }
  readonly present: {
    location(entry: LocationEntry, context: PresentContext): Json
    catalogLocation(entry: LocationEntry, context: PresentContext): Json
    /** What stands beside `location` in a result. */
    searchFacts(entry: LocationEntry, hit: SearchHit): Json
    nearbyFacts(hit: NearbyHit): Json
    recommendationFacts(reasons: readonly Reason[]): Json
    review(review: Review, of: LocationEntry, options: { originalsOnly: boolean }, context: PresentContext): Json
    /** A record of the feed `enums`. */
    enumValue(word: EnumValue): Json
    /** How tombstones of a feed name a record: as its lines do. */
    tombstoneId(feed: FeedName, id: Id): number | string | RawJson
  }
  /** Left out for a version that is no longer documented. */
  readonly schemas?: VersionSchemas
  /** `Location`, `Review`, `EnumValue` and what they refer to: the records of feeds. */
  readonly feedSchemas: VersionSchemas['components']
}
