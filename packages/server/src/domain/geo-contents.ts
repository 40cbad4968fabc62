import type { Eventual } from '../kit/chain.ts'
import type { Id } from './id.ts'
import type { PageEnd } from './list-position.ts'
import type { Locale } from './locale.ts'
import type { Scope } from './scope.ts'
import type { CategoryCount, QueryCaller } from './search.ts'

/** A query for what a city, region or country contains. */
export interface GeoQuery {
  readonly id: Id
  /** Only what is within this scope is counted and listed. */
  readonly scope: Scope
  /** Language of the names of ancestors. */
  readonly locale?: Locale
  readonly offset: number
  readonly limit: number
}

/** Kinds of areas that a place may be in, the largest first. */
export const ancestorTypes = ['country', 'region', 'city'] as const

/** An area that a place is in. */
export interface GeoAncestor {
  readonly type: (typeof ancestorTypes)[number]
  /** Undefined if no location within the scope is this area. */
  readonly id?: Id
  readonly name: string
  /** ISO 3166-1 alpha-2 code of a country, ISO 3166-2 code of a region. */
  readonly code?: string
}

/** The places in a city, region or country. */
export interface GeoContents {
  /** Largest first. */
  readonly ancestors: readonly GeoAncestor[]
  /** Number of places of each category of the tree and of records. */
  readonly counts: readonly CategoryCount[]
  /** Areas directly in it: the larger kinds first, and of one kind the most populous. */
  readonly hits: readonly { readonly id: Id }[]
  /** Number of these areas. */
  readonly total: number
  /** As in `SearchResult`. */
  readonly revision: number
}

/** Reads what cities, regions and countries contain; nothing for another place. */
export interface GeoIndex {
  readGeo(query: GeoQuery, caller: QueryCaller): Eventual<GeoContents>
}

/** Contents of a place, and the position at which the list of areas continues. */
export type GeoContentsPage = GeoContents & PageEnd
