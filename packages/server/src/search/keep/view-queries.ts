import type { AutocompleteIndex, AutocompleteQuery, AutocompleteResult } from '../../domain/autocomplete.ts'
import type { GeoContents, GeoIndex, GeoQuery } from '../../domain/geo-contents.ts'
import type { Id } from '../../domain/id.ts'
import type { CandidateIndex, CandidateQuery, CandidateResult } from '../../domain/match.ts'
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type { Scope } from '../../domain/scope.ts'
import type {
  CategoryCount,
  CategoryCountQuery,
  KeyQuery,
  NearbyQuery,
  NearbyResult,
  PlaceIndex,
  QueryCaller,
  SearchQuery,
  SearchResult,
} from '../../domain/search.ts'
import { placeNames } from '../../gazetteer/place-names.ts'
import type { Eventual } from '../../kit/chain.ts'
import { tokens } from '../../kit/tokens.ts'
import { hasLocation, type IndexView, type IndexViewData, openIndexView } from '../index/index-view.ts'
import { suggestCategories } from '../query/known-categories.ts'
import type { ShortlistOutcome } from '../recommend/shortlist.ts'
import { type IndexQuery, type QueryKind, type ResultOf, runInline } from './query.ts'

/** The thread that keeps the index. */
export interface IndexOwner {
  /** Runs a query that is too long for a serving thread. */
  runLong(query: IndexQuery, caller: QueryCaller): Promise<ResultOf<QueryKind>>
  removeStale(ids: readonly Id[], revision: number): Promise<void>
}

/** The index of a serving thread that does not keep it: short queries run over the view that it was sent. */
export class ViewQueries implements PlaceIndex, CandidateIndex, AutocompleteIndex, GeoIndex {
  readonly #owner: IndexOwner
  #view: IndexView | undefined

  constructor(owner: IndexOwner) {
    // Collecting the names of countries and regions takes 200 ms: do it before the first query.
    placeNames()
    this.#owner = owner
  }

  get ready(): boolean {
    return this.#view !== undefined
  }

  /** Uses a view of the index for all further queries. */
  setView(view: IndexViewData): void {
    this.#view = openIndexView(view)
  }

  search(query: SearchQuery, caller: QueryCaller): Eventual<SearchResult> {
    return this.#run({ kind: 'search', query }, caller)
  }

  nearby(query: NearbyQuery, caller: QueryCaller): Eventual<NearbyResult> {
    return this.#run({ kind: 'nearby', query }, caller)
  }

  autocomplete(query: AutocompleteQuery, caller: QueryCaller): Eventual<AutocompleteResult> {
    return this.#run({ kind: 'autocomplete', query }, caller)
  }

  countCategories(query: CategoryCountQuery, caller: QueryCaller): Eventual<readonly CategoryCount[]> {
    return this.#run({ kind: 'categories', query }, caller)
  }

  readGeo(query: GeoQuery, caller: QueryCaller): Eventual<GeoContents> {
    return this.#run({ kind: 'geo', query }, caller)
  }

  suggestCategories(id: string, scope: Scope): readonly string[] | undefined {
    return suggestCategories(this.#view!, id, scope)
  }

  shortlist(query: RecommendationQuery, caller: QueryCaller): Eventual<ShortlistOutcome> {
    return this.#run({ kind: 'shortlist', query }, caller)
  }

  candidates(query: CandidateQuery, caller: QueryCaller): Eventual<CandidateResult> {
    return this.#run({ kind: 'candidates', query }, caller)
  }

  wordsOf(text: string): readonly string[] {
    return tokens(text)
  }

  findByKeys(query: KeyQuery, caller: QueryCaller): Eventual<readonly (readonly Id[])[]> {
    return this.#run({ kind: 'keys', query }, caller)
  }

  has(id: Id): boolean {
    return hasLocation(this.#view!, id)
  }

  removeStale(ids: readonly Id[], revision: number): Promise<void> {
    return this.#owner.removeStale(ids, revision)
  }

  #run<Kind extends QueryKind>(query: IndexQuery<Kind>, caller: QueryCaller): Eventual<ResultOf<Kind>> {
    const result = runInline(this.#view!, query)
    return result ?? (this.#owner.runLong(query as IndexQuery, caller) as Promise<ResultOf<Kind>>)
  }
}
