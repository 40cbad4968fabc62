import type { AutocompleteQuery, AutocompleteResult } from '../../domain/autocomplete.ts'
import type { GeoContents, GeoQuery } from '../../domain/geo-contents.ts'
import type { Id } from '../../domain/id.ts'
import type { CandidateQuery, CandidateResult } from '../../domain/match.ts'
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type {
  CategoryCount,
  CategoryCountQuery,
  KeyQuery,
  NearbyQuery,
  NearbyResult,
  SearchQuery,
  SearchResult,
} from '../../domain/search.ts'
import { Budget, type BudgetLimits, withinBudget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { autocompletePlaces } from '../query/autocomplete-places.ts'
import { countCategories } from '../query/category-counts.ts'
import { findByKeys } from '../query/external-keys.ts'
import { geoContents } from '../query/geo-contents.ts'
import { matchCandidates } from '../query/match-candidates.ts'
import { nearbyPlaces } from '../query/nearby-places.ts'
import { searchPlaces } from '../query/search-places.ts'
import { type ShortlistOutcome, shortlist } from '../recommend/shortlist.ts'

/** Query and result of each kind of query. */
interface QueryKinds {
  readonly search: { readonly query: SearchQuery; readonly result: SearchResult }
  readonly nearby: { readonly query: NearbyQuery; readonly result: NearbyResult }
  readonly keys: { readonly query: KeyQuery; readonly result: readonly (readonly Id[])[] }
  readonly candidates: { readonly query: CandidateQuery; readonly result: CandidateResult }
  readonly autocomplete: { readonly query: AutocompleteQuery; readonly result: AutocompleteResult }
  readonly categories: { readonly query: CategoryCountQuery; readonly result: readonly CategoryCount[] }
  readonly geo: { readonly query: GeoQuery; readonly result: GeoContents }
  readonly shortlist: { readonly query: RecommendationQuery; readonly result: ShortlistOutcome }
}

export type QueryKind = keyof QueryKinds
export type ResultOf<Kind extends QueryKind> = QueryKinds[Kind]['result']

/** Query of the index. */
export type IndexQuery<Kind extends QueryKind = QueryKind> = {
  readonly [K in Kind]: { readonly kind: K; readonly query: QueryKinds[K]['query'] }
}[Kind]

const functions: {
  readonly [K in QueryKind]: (view: IndexView, query: QueryKinds[K]['query'], budget: Budget) => ResultOf<K>
} = {
  search: searchPlaces,
  nearby: nearbyPlaces,
  autocomplete: autocompletePlaces,
  keys: findByKeys,
  candidates: matchCandidates,
  categories: countCategories,
  geo: geoContents,
  shortlist,
}

/**
 * The steps take 1 to 2 ms; the time limit ends queries that take longer because V8 has not optimised their code yet.
 */
const inlineBudget: BudgetLimits = { steps: 20_000, ms: 4 }

/** Runs a query on the calling thread; returns undefined if it exceeds the budget. */
export function runInline<Kind extends QueryKind>(
  view: IndexView,
  query: IndexQuery<Kind>,
  limits: BudgetLimits = inlineBudget,
): ResultOf<Kind> | undefined {
  const budget = new Budget(limits)
  return withinBudget(budget, () => runQuery(view, query, budget))
}

/** Runs a query within a budget, on the serving thread or in a search thread. */
export const runQuery = <Kind extends QueryKind>(
  view: IndexView,
  { kind, query }: IndexQuery<Kind>,
  budget: Budget,
): ResultOf<Kind> => functions[kind](view, query, budget)
