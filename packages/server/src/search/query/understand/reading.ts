import type { PlaceRole, ReadingKind, Wants } from '../../../domain/interpretation.ts'
import type { SearchType } from '../../../domain/search.ts'
import type { Word } from '../word.ts'
import type { ReadPlace } from './read-place.ts'

/** The wants of a text without any. */
export const noWants: Wants = { priceLevels: [], openNow: false, nearMe: false, labels: [] }

/** Names that a reading finds: of all places, or only those of the whole query without the help of an area. */
export type NameScope = 'all' | 'names' | 'wholeNames'

/** Tolerance of a search: `forgiving` corrects misspellings and spaces, `partial` also ignores unmatched words. */
export type Tier = 'strict' | 'forgiving' | 'partial'

/**
 * One way to understand a query. Several are searched together; a place keeps its best score. All readings have all
 * members, so that the code of a search sees objects of one shape.
 */
export interface Reading {
  readonly kind: ReadingKind
  /** Words that names and labels must hold. */
  readonly words: readonly Word[]
  /** Category ids, or top-level categories, that the words denote; empty if a word denotes something else. */
  readonly kinds: readonly string[]
  /** Only places in it match. */
  readonly place: ReadPlace | undefined
  readonly role: PlaceRole | undefined
  /** Words of the query that name the place. */
  readonly placeWords: readonly string[] | undefined
  readonly scope: NameScope
  /** Texts that the words are compared with; default: those of the query's type. */
  readonly type: SearchType | undefined
  readonly wants: Wants
  /** Words that name nothing and were left out, except for those of `wants`. */
  readonly ignored: readonly string[]
  /** Factor on the quality of matches. */
  readonly factor: number
}

/** Returns the reading of words as names. */
export const nameReading = (words: readonly Word[]): Reading => ({
  kind: 'name',
  words,
  kinds: [],
  place: undefined,
  role: undefined,
  placeWords: undefined,
  scope: 'all',
  type: undefined,
  wants: noWants,
  ignored: [],
  factor: 1,
})
