import type {
  AutocompleteQuery,
  AutocompleteResult,
  CategorySuggestion,
  PlaceSuggestion,
} from '../../domain/autocomplete.ts'
import type { SearchQuery } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { statusCode } from '../index/segment.ts'
import { suggestCategory } from './category-suggestion.ts'
import { rankNearAndFar } from './near-and-far.ts'
import { createPresenter } from './place-suggestion.ts'
import { type RankedDocument, rankPlaces } from './search-places.ts'

/** Steps of presenting a place, whose names are read and compared with what was typed. */
const stepsPerPlace = 50

/**
 * Suggests places and a kind of place for a text that is being typed, from the index alone and within a budget.
 * CLOSED places are left out.
 */
export function autocompletePlaces(view: IndexView, query: AutocompleteQuery, budget: Budget): AutocompleteResult {
  const isClosed = ({ part, doc }: RankedDocument) => view.parts[part]!.segment.arrays.status[doc] === statusCode.CLOSED
  const ranked = rank(view, toSearch(query), budget).filter(one => !isClosed(one))
  budget.spend(ranked.length * stepsPerPlace)
  const present = createPresenter(view, query)
  const places = ranked.map(present)
  const category = suggestCategory(view, { query, ranked, places, nameOf: one => present(one).name.value }, budget)
  return { suggestions: join(places, category, query.limit) }
}

/** The search for the places of a query: names that have all words, the last one as far as it is typed. */
const toSearch = ({ locales: _, ...query }: AutocompleteQuery): SearchQuery => ({ ...query, isTyping: true, offset: 0 })

const rank = (view: IndexView, search: SearchQuery, budget: Budget): readonly RankedDocument[] =>
  rankNearAndFar(view, search, budget) ?? rankPlaces(view, search, budget)

/** Joins places and the suggested kind: it is first if the text names it, else it takes the last place. */
function join(
  places: readonly PlaceSuggestion[],
  category: { readonly suggestion: CategorySuggestion; readonly isTyped: boolean } | undefined,
  limit: number,
): AutocompleteResult['suggestions'] {
  if (!category) return places
  const { suggestion, isTyped } = category
  // A single suggestion is a place, unless the text names a kind.
  const others = places.slice(0, Math.max(isTyped ? 0 : 1, limit - 1))
  return (isTyped ? [suggestion, ...others] : [...others, suggestion]).slice(0, limit)
}
