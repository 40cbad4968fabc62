import type { Eventual } from '../kit/chain.ts'
import type { Id } from './id.ts'
import type { Locale } from './locale.ts'
import type { Filters, KindFilters, Point, QueryCaller } from './search.ts'

/** A query of search-as-you-type. */
export interface AutocompleteQuery extends Pick<Filters, 'scope' | 'countryCode' | KindFilters> {
  /** At most 100 characters. */
  readonly text: string
  /** Prefers places close to this point, without filtering. */
  readonly near?: Point
  /** Languages of names, in order of preference. */
  readonly locales: readonly Locale[]
  readonly limit: number
}

/** A part of a text that matches what was typed, in UTF-16 code units, on the bounds of graphemes. */
export interface Highlight {
  readonly start: number
  readonly length: number
}

/** A name; one in an unknown language has no tag. */
export interface SuggestedName {
  readonly language?: Locale
  readonly value: string
}

/** A place that may be meant. */
export interface PlaceSuggestion {
  readonly type: 'location'
  readonly id: Id
  readonly name: SuggestedName
  readonly highlights: readonly Highlight[]
  /** The name that was typed, if it is not the one that is shown. */
  readonly matched?: SuggestedName & { readonly highlights: readonly Highlight[] }
  /** City, state and country of the place: `Nova Scotia, Canada`. */
  readonly secondaryText?: string
  readonly categoryId: string
  readonly coordinates: Point
  /** Distance from the point of the query. */
  readonly distanceKm?: number
}

/** A kind of place that may be meant, in an area or anywhere. */
export interface CategorySuggestion {
  readonly type: 'category'
  /** In English: `Hostels in Halifax`. */
  readonly text: string
  readonly categoryIds: readonly string[]
  readonly geoId?: Id
}

export type Suggestion = PlaceSuggestion | CategorySuggestion

export interface AutocompleteResult {
  readonly suggestions: readonly Suggestion[]
}

/** Suggests places and kinds of places. */
export interface AutocompleteIndex {
  autocomplete(query: AutocompleteQuery, caller: QueryCaller): Eventual<AutocompleteResult>
}
