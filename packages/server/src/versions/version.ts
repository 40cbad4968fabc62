import type { AutocompleteQuery, Suggestion } from '../domain/autocomplete.ts'
import type { ListedCategory } from '../domain/category.ts'
import type { EnumValue } from '../domain/enum-value.ts'
import type { Fault } from '../domain/fault.ts'
import type { FeedName } from '../domain/feed.ts'
import type { GeoAncestor } from '../domain/geo-contents.ts'
import type { Id } from '../domain/id.ts'
import type { Interpretation } from '../domain/interpretation.ts'
import type { Locale } from '../domain/locale.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { OwnRecord } from '../domain/match.ts'
import type { Operation } from '../domain/operation.ts'
import type { ChangesStart } from '../domain/place-change.ts'
import type { Reason, RecommendationQuery } from '../domain/recommendation.ts'
import type { Review, TripType } from '../domain/review.ts'
import type { NearbyHit, NearbyQuery, SearchHit, SearchQuery } from '../domain/search.ts'
import type { RawJson } from '../kit/long-json.ts'
import type { PresentContext } from './primitives/format.ts'
import type { ListCursor } from './primitives/list-cursor.ts'
import type { Param, ParamSet, RawQuery } from './primitives/param.ts'
import type { VersionSchemas } from './primitives/schema.ts'

/** A value that serialises to JSON. Presenters list its fields by hand. */
export type Json = object

/** Arguments of operations whose only parameter is `locale`. */
export interface LocaleArgs {
  readonly locales: readonly Locale[]
}

/** Arguments of `getLocations`. */
export interface LocationsArgs extends LocaleArgs {
  readonly ids: readonly Id[]
  /** Ids in other sources, such as `wikidata:Q1492`. */
  readonly externalIds: readonly string[]
}

/** Arguments of `listReviews`. */
export interface ReviewArgs {
  readonly language?: string
  /** True to return original texts only, without translations. */
  readonly originalsOnly: boolean
  readonly ratingMin?: number
  readonly tripType?: TripType
  readonly publishedAfterMs?: number
  readonly publishedAfterReviewId?: Id
  readonly sortBy: 'MOST_RECENT' | 'HIGHEST_RATED'
  readonly page: number
  readonly cursor?: ListCursor
  readonly size: number
}

/** Arguments of `getGeo`, and those of all lists of places. */
export interface PageArgs extends LocaleArgs {
  readonly page: number
  readonly cursor?: ListCursor
  readonly size: number
}

/** Arguments of the location and catalog searches. */
export interface SearchArgs extends PageArgs {
  readonly query: SearchQuery
}

/** Arguments of the location and catalog nearby operations. */
export interface NearbyArgs extends PageArgs {
  /** A circle may be centred on a location id; the use case looks up that location's coordinates. */
  readonly query: Omit<NearbyQuery, 'within'> & {
    readonly within: NearbyQuery['within'] | { readonly locationId: Id; readonly radiusKm: number }
  }
}

/** Arguments of `matchLocation`. */
export interface MatchArgs extends LocaleArgs {
  readonly own: OwnRecord
  /** Maximum number of candidates. */
  readonly limit: number
}

/** Arguments of `autocompleteLocations`. */
export interface AutocompleteArgs {
  readonly query: Omit<AutocompleteQuery, 'scope'>
  /** Name of the session that the client has chosen. */
  readonly session?: string
}

/** Arguments of `listChanges`. */
export interface ChangesArgs {
  readonly since: ChangesStart
  /** Maximum number of locations. */
  readonly limit: number
}

/** Arguments of `listPhotos`. */
export interface PhotosArgs {
  readonly page: number
  readonly cursor?: ListCursor
  readonly size: number
}

/** Arguments of `listCategories`. */
export interface CategoriesArgs extends LocaleArgs {
  readonly parent?: string
  readonly countryCode?: string
}

/** Arguments of `searchRecommendations`. */
export interface RecommendationArgs extends LocaleArgs {
  readonly query: Omit<RecommendationQuery, 'scope' | 'nowMs'>
}

/**
 * A version of the partner interface: parsers of requests and presenters of responses. It never selects the data of a
 * response.
 */
export interface Version {
  readonly name: string
  /** True if the presentation of a location changes with time, so that it must not be kept. */
  readonly dependsOnTime?: boolean
  /** Query parameters of each operation, used to validate requests and to generate the OpenAPI document. */
  readonly params: Readonly<Partial<Record<Operation, ParamSet>>>
  readonly pathId: Param<Id | undefined>
  readonly read: {
    pathId(text: string): Id | Fault
    getLocation(query: RawQuery): (LocaleArgs & { readonly session?: string }) | Fault
    /** Either `ids` or `externalIds` is empty. */
    getLocations(query: RawQuery): LocationsArgs | Fault
    listReviews(query: RawQuery): ReviewArgs | Fault
    getCatalogLocation(query: RawQuery): LocaleArgs | Fault
    /** Reads a search; `nowMs` is the time that `open_now` refers to. `searchCatalog` has the same parameters. */
    searchLocations(query: RawQuery, nowMs: number): SearchArgs | Fault
    /** Reads a nearby query; `nowMs` is the time that `open_now` refers to. `nearbyCatalog` has the same parameters. */
    nearbyLocations(query: RawQuery, nowMs: number): NearbyArgs | Fault
    matchLocation(query: RawQuery): MatchArgs | Fault
    autocompleteLocations(query: RawQuery): AutocompleteArgs | Fault
    /** Reads the parameters of a call whose body has the records. */
    matchLocations(query: RawQuery): Omit<MatchArgs, 'own'> | Fault
    ownRecord(fields: RawQuery): OwnRecord | Fault
    searchRecommendations(query: RawQuery): RecommendationArgs | Fault
    listCategories(query: RawQuery): CategoriesArgs | Fault
    listChanges(query: RawQuery): ChangesArgs | Fault
    listPhotos(query: RawQuery): PhotosArgs | Fault
    getGeo(query: RawQuery): PageArgs | Fault
  }
  readonly present: {
    location(entry: LocationEntry, context: PresentContext): Json
    catalogLocation(entry: LocationEntry, context: PresentContext): Json
    /** Members of a multi-GET about ids in other sources that no location has; undefined if it has none. */
    missingExternalIds?(ids: readonly string[]): Json
    /** Members of a search result next to `location`. */
    searchFields(hit: SearchHit): Json
    /** Members of a search about what it has read in its text; undefined if it has none. */
    interpretation?(interpretation: Interpretation): Json
    /** Members of a nearby result next to `location`. */
    nearbyFields(hit: NearbyHit): Json
    suggestion(suggestion: Suggestion): Json
    /** Members of `pagination` about the next page; undefined if it has none. */
    nextPage?(next: { readonly cursor: string; readonly url: string }): Json
    /** Converts a photo of the location `of`; undefined if the version has the form of all others. */
    photo?(presented: Json, of: Id): Json
    /** Converts a presented city, region or country; undefined if it is shown with what it contains. */
    geo?(presented: Json, ancestors: readonly GeoAncestor[]): Json
    /** Members of a recommendation next to `location`. */
    recommendationFields(reasons: readonly Reason[]): Json
    review(review: Review, of: LocationEntry, options: { originalsOnly: boolean }, context: PresentContext): Json
    /** A category in the list of all categories. */
    listedCategory(category: ListedCategory): Json
    /** A record of the feed `enums`. */
    enumValue(value: EnumValue): Json
    /** Id of a deleted record in a feed, in the form that the feed's lines use for ids. */
    tombstoneId(feed: FeedName, id: Id): number | string | RawJson
  }
  /** Response schemas; undefined for a version that is no longer documented. */
  readonly schemas?: VersionSchemas
  /** Schemas of feed records: `Location`, `Review`, `EnumValue` and every schema they reference. */
  readonly feedSchemas: VersionSchemas['components']
}
