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
import { type PlaceNames, usePlaceNames } from '../../gazetteer/place-names.ts'
import type { Eventual } from '../../kit/chain.ts'
import type { Clock } from '../../kit/clock.ts'
import type { FairQueue } from '../../kit/fair-queue.ts'
import { Threads } from '../../kit/threads.ts'
import { tokens } from '../../kit/tokens.ts'
import type { BudgetLimits } from '../index/budget.ts'
import type { IndexData } from '../index/index-data.ts'
import { hasLocation, type IndexView, liveDocuments, markDead, viewOfIndex } from '../index/index-view.ts'
import { type Changes, Overlay, wantsRebuild } from '../index/overlay.ts'
import { Segment, type SegmentData } from '../index/segment.ts'
import { suggestCategories } from '../query/known-categories.ts'
import type { ShortlistOutcome } from '../recommend/shortlist.ts'
import { type IndexQuery, type QueryKind, type ResultOf, runInline } from './query.ts'
import { QueryThread } from './query-thread.ts'

/** Facts about the index that is being served. */
export interface IndexInfo {
  /** Changes up to this sequence number of the change log can be found. */
  readonly revision: number
  /** Milliseconds since the main segment was built. */
  readonly ageMs: number
  /** Places that can be found. */
  readonly documents: number
  /** Number of parts of the index, without the overlay of changes. */
  readonly parts: number
  /** Changes since the main segment was built. */
  readonly changes: number
  /** True when there are so many changes that the main segment should be rebuilt. */
  readonly wantsRebuild: boolean
}

/** Options of a searcher. */
export interface SearcherOptions {
  readonly clock: Clock
  /** Creates the threads of the searcher. */
  readonly threads?: Threads
  /** The queue of queries that exceed the budget. */
  readonly queue: FairQueue
  /** Budget of a query on the calling thread. */
  readonly inline?: BudgetLimits
  /** Called with each new view. */
  readonly onView?: ((view: IndexView) => void) | undefined
}

/** Documents that are sent to a thread at once, which takes about 3 ms. */
const documentsPerPart = 1000

/**
 * Serves an index that changes: short queries on the calling thread, long ones in a thread over the same memory
 * (ARCHITECTURE.md). Every answer is read from one view.
 */
export class Searcher implements PlaceIndex, CandidateIndex, AutocompleteIndex, GeoIndex {
  readonly #clock: Clock
  readonly #inline: BudgetLimits | undefined
  readonly #onView: (view: IndexView) => void
  readonly #queue: FairQueue
  readonly #queries: QueryThread
  readonly #builds: QueryThread
  readonly #overlay = new Overlay()
  /** The index without changes. */
  #base: IndexView
  #builtMs: number
  #view: IndexView
  #turn: Promise<void> = Promise.resolve()

  constructor(data: IndexData, { clock, threads = new Threads(), queue, inline, onView = () => {} }: SearcherOptions) {
    this.#clock = clock
    this.#inline = inline
    this.#onView = onView
    this.#queue = queue
    this.#queries = new QueryThread(threads, 'search')
    this.#builds = new QueryThread(threads, 'search-overlay')
    this.#overlay.dropUpTo(data.facts.revision)
    this.#base = viewOfIndex(data)
    this.#builtMs = data.facts.builtMs
    this.#view = this.#base
    onView(this.#view)
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
    return suggestCategories(this.#view, id, scope)
  }

  /** Returns the candidates for a recommendation. */
  shortlist(query: RecommendationQuery, caller: QueryCaller): Eventual<ShortlistOutcome> {
    return this.#run({ kind: 'shortlist', query }, caller)
  }

  /** Runs a query on the calling thread, or queues it for the search thread if it exceeds the budget. */
  #run<Kind extends QueryKind>(query: IndexQuery<Kind>, caller: QueryCaller): Eventual<ResultOf<Kind>> {
    return runInline(this.#view, query, this.#inline) ?? this.runLong(query, caller)
  }

  /** Queues a query for the search thread. */
  runLong<Kind extends QueryKind>(query: IndexQuery<Kind>, caller: QueryCaller): Promise<ResultOf<Kind>> {
    return this.#queue.run(
      caller,
      async () => (await this.#queries.ask(query as IndexQuery, this.#view)) as ResultOf<Kind>,
    )
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
    return hasLocation(this.#view, id)
  }

  removeStale(ids: readonly Id[], revision: number): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#view.revision !== revision) return
      this.#overlay.apply({ revision, upserts: [], deletes: ids })
      this.#setView({ ...this.#view, parts: this.#view.parts.map(part => markDead(part, ids)) })
    })
  }

  /** Adds changes of the store; resolves when searches find them. */
  apply(changes: Changes): Promise<void> {
    return this.#inTurn(async () => {
      this.#overlay.apply(changes)
      await this.#renew(this.#base)
    })
  }

  /** Replaces the index. Changes after its revision can still be found. */
  swap(data: IndexData): Promise<void> {
    return this.#inTurn(async () => {
      this.#overlay.dropUpTo(data.facts.revision)
      await this.#renew(viewOfIndex(data))
      this.#builtMs = data.facts.builtMs
    })
  }

  info(): IndexInfo {
    return {
      revision: this.#view.revision,
      ageMs: this.#clock.nowMs() - this.#builtMs,
      documents: this.#view.parts.reduce((sum, part) => sum + liveDocuments(part), 0),
      parts: this.#base.parts.length,
      changes: this.#overlay.size,
      wantsRebuild: wantsRebuild(this.#overlay.size, this.#base.lexicon.count),
    }
  }

  /**
   * Starts the thread for long queries, so that the first of them does not wait for it, and takes the names of
   * countries and regions from it, because collecting them keeps a thread busy for 200 ms.
   */
  async warm(): Promise<void> {
    usePlaceNames((await this.#queries.ask({ kind: 'placeNames' }, this.#view)) as PlaceNames)
    await this.#queries.ask({ kind: 'search', query: { text: 'hotels in spain', offset: 0, limit: 1 } }, this.#view)
  }

  async close(): Promise<void> {
    await Promise.all([this.#queries.stop(), this.#builds.stop()])
  }

  /** Runs one change after the other, each on the state that the one before left. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(change)
    this.#turn = done.catch(() => {})
    return done
  }

  /** Replaces the view by one of `base`, an index without changes, and the current overlay. */
  async #renew(base: IndexView): Promise<void> {
    const { documents, revision } = this.#overlay
    const ids = [...this.#overlay.ids]
    const parts = base.parts.map(part => markDead(part, ids))
    if (documents.length > 0) {
      for (let from = 0; from < documents.length; from += documentsPerPart) {
        const part = documents.slice(from, from + documentsPerPart)
        await this.#builds.ask({ kind: 'documents', documents: part, isFirst: from === 0 }, base)
      }
      const task = { kind: 'overlay', count: documents.length, revision, nowMs: this.#clock.nowMs() } as const
      parts.push({ segment: new Segment((await this.#builds.ask(task, base)) as SegmentData) })
    }
    this.#base = base
    this.#setView({ ...base, parts, revision })
  }

  #setView(view: IndexView): void {
    this.#view = view
    this.#onView(view)
  }
}
