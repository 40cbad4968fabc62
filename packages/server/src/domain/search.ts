import type { TopLevelCategory } from './category.ts'
import type { Id } from './id.ts'
import type { LocalText, Location, PriceLevel, StatusValue } from './location.ts'
import type { Scope } from './scope.ts'

/** Degrees. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** Degrees; west > east crosses the antimeridian. */
export interface Box {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** Results that a search ranks at most; its total is exact below (rulings: Operations). */
export const maxRanked = 10_000

/** What narrows both search and nearby. An absent member does not. */
export interface Filters {
  /** R-03; left out for the catalog. */
  readonly scope?: Scope
  /** ISO 3166-1 alpha-2, any case. */
  readonly countryCode?: string
  readonly categories?: readonly TopLevelCategory[]
  readonly statuses?: readonly StatusValue[]
  /** 1 to 5; a place without a rating does not pass. */
  readonly minRating?: number
  readonly priceLevels?: readonly PriceLevel[]
  /** Only places known to be open at this moment, in milliseconds since 1970. */
  readonly openAtMs?: number
}

export type SearchType = 'NAME' | 'ADDRESS' | 'COMBINED'

export interface SearchQuery extends Filters {
  /** At most 500 characters. */
  readonly text: string
  /** NAME where it is left out. */
  readonly type?: SearchType
  /** Only places in what is called so: a city, neighbourhood, state or country. */
  readonly geoName?: string
  /** Wins over `geoName`. */
  readonly postalCode?: string
  /** Prefers what is close; not a filter. */
  readonly near?: Point
  readonly offset: number
  readonly limit: number
}

export interface SearchHit {
  readonly id: Id
  /** Comparable within one answer only. */
  readonly score: number
  /** Place of the matching name in `namesOf(location)`; left out where a code, address or category matched. */
  readonly matchedName?: number
}

export interface SearchResult {
  readonly hits: readonly SearchHit[]
  /** Exact below `maxRanked`. */
  readonly total: number
  /** Of the index that answered. */
  readonly revision: number
}

export interface NearbyQuery extends Filters {
  /** A circle (kilometres) or a box (degrees). */
  readonly within: { readonly centre: Point; readonly radiusKm: number } | { readonly box: Box }
  /** Nearest first, or best confidence-weighted rating first. */
  readonly sort: 'distance' | 'rating'
  readonly offset: number
  readonly limit: number
}

export interface NearbyHit {
  readonly id: Id
  /** From the centre, for a box from its middle. */
  readonly distanceKm: number
  /** Initial bearing in degrees, 0 = north. */
  readonly bearing: number
}

export interface NearbyResult {
  readonly hits: readonly NearbyHit[]
  readonly total: number
  readonly revision: number
}

/** Finds places. Every answer is read from one state of the index. */
export interface PlaceIndex {
  search(query: SearchQuery): Promise<SearchResult>
  nearby(query: NearbyQuery): Promise<NearbyResult>
}

/** The list that the index of a matched name counts in. */
export const namesOf = (location: Location): readonly LocalText[] => [
  ...location.names,
  ...(location.alternateNames ?? []).map(value => ({ value })),
]
