import type { Eventual } from '../kit/chain.ts'
import type { WallClock } from '../kit/time.ts'
import type { TopLevelCategory } from './category.ts'
import type { Id } from './id.ts'
import type { Interpretation } from './interpretation.ts'
import type { LocalText, Location, PriceLevel, StatusValue } from './location.ts'
import type { Polygon } from './polygon.ts'
import type { Scope } from './scope.ts'

/** Point in degrees. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** Box in degrees; it crosses the antimeridian if west > east. */
export interface Box {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** Returns the centre of a box, which may cross the antimeridian. */
export function centreOf({ south, west, north, east }: Box): Point {
  const width = east >= west ? east - west : east - west + 360
  const longitude = west + width / 2
  return { latitude: (south + north) / 2, longitude: longitude > 180 ? longitude - 360 : longitude }
}

/** Maximum number of ranked results of a search; its total is exact below this number (rulings: Operations). */
export const maxRanked = 10_000

/** Filters of search and nearby; a missing member does not filter. */
export interface Filters {
  /** Scope of the key; undefined for the catalog. */
  readonly scope?: Scope
  /** ISO 3166-1 alpha-2, any case. */
  readonly countryCode?: string
  readonly categories?: readonly TopLevelCategory[]
  /** Only places in one of these categories, or in one below them. */
  readonly categoryIds?: readonly string[]
  /** Only places with all attributes of these ids. */
  readonly attributes?: readonly string[]
  readonly statuses?: readonly StatusValue[]
  /** Minimum rating, 1 to 5; a place without a rating does not pass. */
  readonly minRating?: number
  readonly priceLevels?: readonly PriceLevel[]
  /** Only places known to be open at this time, in milliseconds since 1970. */
  readonly openAtMs?: number
  /** Only places known to be open when clocks at the place show this time. */
  readonly openAtLocal?: WallClock
}

/** Filters by categories and attributes. */
export type KindFilters = 'categories' | 'categoryIds' | 'attributes'

export type SearchType = 'NAME' | 'ADDRESS' | 'COMBINED'

export interface SearchQuery extends Filters {
  /** At most 500 characters. */
  readonly text: string
  /** Default: names, and addresses if no place has all words. */
  readonly type?: SearchType
  /** Only places in an area of this name: a city, neighbourhood, state or country. */
  readonly geoName?: string
  /** Takes precedence over `geoName`. */
  readonly postalCode?: string
  /** True while the text is typed: no result may lack one of its words. */
  readonly isTyping?: boolean
  /** Leaves out places with the name of a city nearby that is a result; `SearchHit.also` lists them. */
  readonly collapse?: boolean
  /** Adds `match` to results, and their interpretation. */
  readonly explain?: boolean
  /** Time of the request in milliseconds since 1970, for a text that asks for what is open now. */
  readonly nowMs?: number
  /** Location bias: prefers places close to this point, without filtering. */
  readonly near?: Point
  readonly offset: number
  readonly limit: number
}

/** Kinds of matches of a result with a query. */
export const matchKinds = ['exact', 'variant', 'prefix', 'typo', 'category', 'address', 'partial'] as const
export type MatchKind = (typeof matchKinds)[number]

export interface SearchHit {
  readonly id: Id
  /** Comparable within one result only. */
  readonly score: number
  /** The name or alternate name that matched; undefined if a code, address or category matched. */
  readonly matchedName?: Omit<LocalText, 'primary'>
  /** Kind of the match, and the confidence in it; only if the query asks for it. */
  readonly match?: { readonly kind: MatchKind; readonly confidence: number }
  /** Places that the query leaves out because this one has their name. */
  readonly also?: readonly { readonly id: Id; readonly categoryId?: string }[]
}

export interface SearchResult {
  readonly hits: readonly SearchHit[]
  /** Exact below `maxRanked`. */
  readonly total: number
  /** Meaning that was read in the text; only if the query asks for it, and the text has words. */
  readonly interpretation?: Interpretation
  /** Revision of the index: the change-log sequence number up to which it includes the changes of the store. */
  readonly revision: number
}

/** Search area: a circle, a box (degrees), polygons, or what is within a distance of a line on the sphere. */
export type NearbyShape =
  | { readonly centre: Point; readonly radiusKm: number }
  | { readonly box: Box }
  | { readonly polygons: readonly Polygon[] }
  | { readonly route: readonly Point[]; readonly halfWidthKm: number }

export interface NearbyQuery extends Filters {
  readonly within: NearbyShape
  /**
   * Order: nearest first, best confidence-weighted rating first, or best known first (by ratings and population, CLOSED
   * places last).
   */
  readonly sort: 'distance' | 'rating' | 'popularity'
  readonly offset: number
  readonly limit: number
}

export interface NearbyHit {
  readonly id: Id
  /** Distance from the centre of the circle or box, from the centroid of the polygons, or from the route. */
  readonly distanceKm: number
  /** Initial bearing from there in degrees, 0 = north. */
  readonly bearing: number
}

export interface NearbyResult {
  readonly hits: readonly NearbyHit[]
  readonly total: number
  /** As in `SearchResult`. */
  readonly revision: number
}

/** A query for the locations in a scope that have keys (domain/external-id.ts). */
export interface KeyQuery {
  readonly keys: readonly string[]
  readonly scope: Scope
}

/** Filters of the counts of categories. */
export type CategoryCountQuery = Pick<Filters, 'scope' | 'countryCode'>

/** Number of places in a category and in those below it. */
export interface CategoryCount {
  readonly id: string
  readonly count: number
  /** Top-level category of most of the places; OTHER without places. */
  readonly topLevelCategory: TopLevelCategory
}

/** Caller of a query. The long queries of all subjects take turns. */
export interface QueryCaller {
  /** The holder of limit states: a key, or a partner whose keys share limits. */
  readonly subject: string
  /** Returns true if the client has closed its connection. */
  isGone(): boolean
}

/** Finds places. Every result is read from a consistent view of the index; only a long query has to be waited for. */
export interface PlaceIndex {
  search(query: SearchQuery, caller: QueryCaller): Eventual<SearchResult>
  nearby(query: NearbyQuery, caller: QueryCaller): Eventual<NearbyResult>
  /** Returns the locations that have each key, by rank. Keys are compared by hash: the caller checks the records. */
  findByKeys(query: KeyQuery, caller: QueryCaller): Eventual<readonly (readonly Id[])[]>
  /** Counts the places of all categories of the tree and of records. */
  countCategories(query: CategoryCountQuery, caller: QueryCaller): Eventual<readonly CategoryCount[]>
  /** Returns the ids of similar categories if a category is unknown within a scope; undefined if it is known. */
  suggestCategories(id: string, scope: Scope): readonly string[] | undefined
  /** Returns true if the index contains a location. */
  has(id: Id): boolean
  /**
   * Removes locations that the store no longer has, before the index follows the change log. Does nothing if the index
   * has changed since the result with `revision`, because a newer change may have restored them.
   */
  removeStale(ids: readonly Id[], revision: number): Promise<void>
}

/** Returns the names and alternate names of a location: all names that a search finds. */
export const namesOf = (location: Location): readonly LocalText[] => [
  ...location.names,
  ...(location.alternateNames ?? []).map(value => ({ value })),
]
