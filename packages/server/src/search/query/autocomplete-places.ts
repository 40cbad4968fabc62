import type {
  AutocompleteQuery,
  AutocompleteResult,
  CategorySuggestion,
  PlaceSuggestion,
} from '../../domain/autocomplete.ts'
import type { SearchQuery } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { docOfLeader, partOfLeader } from '../index/leaders.ts'
import { statusCode } from '../index/segment.ts'
import { suggestCategory } from './category-suggestion.ts'
import { rankNearAndFar } from './near-and-far.ts'
import { createPresenter } from './place-suggestion.ts'
import { type RankedDocument, rankPlaces } from './search-places.ts'

/** Steps of presenting a place, whose names are read and compared with what was typed. */
const stepsPerPlace = 50

/** Number of places that are ranked in addition, in place of followers. */
const spare = 5

/**
 * Suggests places and a kind of place for a text that is being typed, from the index alone and within a budget.
 * CLOSED places are left out, and those that follow a suggested city of their name.
 */
export function autocompletePlaces(view: IndexView, query: AutocompleteQuery, budget: Budget): AutocompleteResult {
  const isClosed = ({ part, doc }: RankedDocument) => view.parts[part]!.segment.arrays.status[doc] === statusCode.CLOSED
  const found = rank(view, toSearch(query), budget).filter(one => !isClosed(one))
  const ranked = withoutFollowers(view, found).slice(0, query.limit)
  budget.spend(ranked.length * stepsPerPlace)
  const present = createPresenter(view, query)
  const places = ranked.map(present)
  const category = suggestCategory(view, { query, ranked, places, nameOf: one => present(one).name.value }, budget)
  return { suggestions: join(places, category, query.limit) }
}

/** The search for the places of a query: names that have all words, the last one as far as it is typed. */
const toSearch = ({ locales: _, limit, ...query }: AutocompleteQuery): SearchQuery => ({
  ...query,
  isTyping: true,
  offset: 0,
  limit: limit + spare,
})

const rank = (view: IndexView, search: SearchQuery, budget: Budget): readonly RankedDocument[] =>
  rankNearAndFar(view, search, budget) ?? rankPlaces(view, search, budget)

/**
 * Removes the places that follow another one, found by its name as well. A leader is before its followers, which lose
 * by it.
 */
function withoutFollowers({ parts }: IndexView, ranked: readonly RankedDocument[]): readonly RankedDocument[] {
  const idOf = (part: number, doc: number) => parts[part]!.segment.arrays.id[doc]
  const ids = new Set(ranked.filter(({ name }) => name >= 0).map(({ part, doc }) => idOf(part, doc)))
  return ranked.filter(({ part, doc, name }) => {
    const leader = parts[part]!.segment.arrays.leader[doc]!
    return leader === 0 || name < 0 || !ids.has(idOf(partOfLeader(leader), docOfLeader(leader)))
  })
}

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
