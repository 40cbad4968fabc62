import type { PriceLevel } from '../../../domain/location.ts'
import type { TripType } from '../../../domain/review.ts'
import type { SearchType } from '../../../domain/search.ts'
import type { Word } from '../word.ts'
import type { ReadPlace } from './read-place.ts'

/** Kind of a reading. */
export type ReadingKind =
  | 'name'
  | 'name_in_place'
  | 'category'
  | 'category_in_place'
  | 'category_near'
  | 'place'
  | 'address'
  | 'postal_code'
  | 'partial'

/** Preferences of a text: they raise places that agree, and take nothing from others. */
export interface Wants {
  readonly priceLevels: readonly PriceLevel[]
  readonly stars?: number
  readonly openNow: boolean
  readonly nearMe: boolean
  readonly tripType?: TripType
  /** Words of labels: "pool". */
  readonly labels: readonly string[]
}

/** The wants of a text without any. */
export const noWants: Wants = { priceLevels: [], openNow: false, nearMe: false, labels: [] }

/** Names that a reading finds: of all places, or only those of the whole query without the help of an area. */
export type NameScope = 'all' | 'names' | 'wholeNames'

/** Tolerance of a search: `forgiving` corrects misspellings and spaces, `partial` also ignores unmatched words. */
export type Tier = 'strict' | 'forgiving' | 'partial'

/** One way to understand a query. Several are searched together; a place keeps its best score. */
export interface Reading {
  readonly kind: ReadingKind
  /** Words that names and labels must hold. */
  readonly words: readonly Word[]
  /** Category ids, or top-level categories, that the words denote; empty if a word denotes something else. */
  readonly kinds: readonly string[]
  /** Only places in it match. */
  readonly place?: ReadPlace
  readonly role?: 'in' | 'near'
  readonly scope: NameScope
  /** Texts that the words are compared with; default: those of the query's type. */
  readonly type?: SearchType
  readonly wants: Wants
  /** Words that name nothing and were left out. */
  readonly dropped: readonly string[]
  /** Factor on the quality of matches. */
  readonly factor: number
}

/** Returns the reading of words as names. */
export const nameReading = (words: readonly Word[]): Reading => ({
  kind: 'name',
  words,
  kinds: [],
  scope: 'all',
  wants: noWants,
  dropped: [],
  factor: 1,
})
