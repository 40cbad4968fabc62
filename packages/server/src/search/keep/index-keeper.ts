import type { AutocompleteIndex, AutocompleteQuery, AutocompleteResult } from '../../domain/autocomplete.ts'
import type { Change } from '../../domain/change.ts'
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
import { Backoff } from '../../kit/backoff.ts'
import type { Eventual } from '../../kit/chain.ts'
import { markOfFile } from '../../kit/file-mark.ts'
import { bulkChanges } from '../index/bulk-changes.ts'
import type { LoadOutcome } from '../index/file.ts'
import type { IndexData } from '../index/index-data.ts'
import { type HeldParts, partsByName } from '../index/part-files.ts'
import type { ShortlistOutcome } from '../recommend/shortlist.ts'
import type { IndexSources } from './index-sources.ts'
import { bulkPlaces, isBulk, placesOf, readPlaces } from './place-changes.ts'
import type { IndexQuery, QueryKind, ResultOf } from './query.ts'
import { type IndexInfo, Searcher } from './searcher.ts'

/** Time after the last change without such an index, after which the keeper builds one, milliseconds. */
const bulkWaitMs = 60_000
const followEveryMs = 250
/** Delay before the search thread starts, so that it does not compete with the start of the service, milliseconds. */
const warmAfterMs = 1000
const retryBackoff = { firstMs: 1000, maxMs: 60_000 }

/**
 * Keeps an index up to date with the store: loads the file or has it built, follows the change log with an overlay,
 * takes over a newer file, and rebuilds in the background when the overlay has grown. A torn, foreign or old file is
 * never served.
 */
export class IndexKeeper implements PlaceIndex, CandidateIndex, AutocompleteIndex, GeoIndex {
  readonly #sources: IndexSources
  readonly #closing = new AbortController()
  readonly #steps: Backoff
  /**
   * Builds retry apart from the other steps: while they fail, the index follows all changes that fit into an overlay.
   */
  readonly #builds: Backoff
  #failuresTotal = 0
  #searcher: Searcher | undefined
  /** Documents of the parts of the index, which a newer one may have, too. */
  #held: HeldParts = new Map()
  /** The index has the changes up to this sequence number. */
  #seen = 0
  #bulk: { seq: number; atMs: number } | undefined
  /** Identifies the file that was loaded last; undefined before the first attempt. */
  #fileMark: string | undefined
  #busy: Promise<void> | undefined
  readonly #timer: NodeJS.Timeout
  #warming: NodeJS.Timeout | undefined

  /** Begins to load or build at once; `ready` is false until that is done. */
  constructor(sources: IndexSources) {
    this.#sources = sources
    const nowMs = () => sources.clock.monotonicUs() / 1000
    this.#steps = new Backoff(retryBackoff, nowMs)
    this.#builds = new Backoff(retryBackoff, nowMs)
    this.#step(() => this.#open())
    this.#timer = setInterval(() => this.#step(() => this.#follow()), followEveryMs)
    this.#timer.unref()
  }

  get ready(): boolean {
    return this.#searcher !== undefined
  }

  /** Attempts to load, build or update the index that have failed since the start of the process. */
  get failuresTotal(): number {
    return this.#failuresTotal
  }

  /** Failed attempts in a row; 0 when the last one succeeded. */
  get failures(): number {
    return Math.max(this.#steps.failures, this.#builds.failures)
  }

  /** Undefined until the index is ready. */
  info(): IndexInfo | undefined {
    return this.#searcher?.info()
  }

  search(query: SearchQuery, caller: QueryCaller): Eventual<SearchResult> {
    return this.#searcher!.search(query, caller)
  }

  nearby(query: NearbyQuery, caller: QueryCaller): Eventual<NearbyResult> {
    return this.#searcher!.nearby(query, caller)
  }

  candidates(query: CandidateQuery, caller: QueryCaller): Eventual<CandidateResult> {
    return this.#searcher!.candidates(query, caller)
  }

  wordsOf(text: string): readonly string[] {
    return this.#searcher!.wordsOf(text)
  }

  findByKeys(query: KeyQuery, caller: QueryCaller): Eventual<readonly (readonly Id[])[]> {
    return this.#searcher!.findByKeys(query, caller)
  }

  autocomplete(query: AutocompleteQuery, caller: QueryCaller): Eventual<AutocompleteResult> {
    return this.#searcher!.autocomplete(query, caller)
  }

  countCategories(query: CategoryCountQuery, caller: QueryCaller): Eventual<readonly CategoryCount[]> {
    return this.#searcher!.countCategories(query, caller)
  }

  readGeo(query: GeoQuery, caller: QueryCaller): Eventual<GeoContents> {
    return this.#searcher!.readGeo(query, caller)
  }

  suggestCategories(id: string, scope: Scope): readonly string[] | undefined {
    return this.#searcher!.suggestCategories(id, scope)
  }

  has(id: Id): boolean {
    return this.#searcher!.has(id)
  }

  removeStale(ids: readonly Id[], revision: number): Promise<void> {
    return this.#searcher!.removeStale(ids, revision)
  }

  shortlist(query: RecommendationQuery, caller: QueryCaller): Eventual<ShortlistOutcome> {
    return this.#searcher!.shortlist(query, caller)
  }

  /** Queues a query that is too long for the thread of the caller. */
  runLong(query: IndexQuery, caller: QueryCaller): Promise<ResultOf<QueryKind>> {
    return this.#searcher!.runLong(query, caller)
  }

  /** Ends a load or build that is running, and the threads of the index. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    clearTimeout(this.#warming)
    await this.#busy
    await this.#searcher?.close()
  }

  /** Runs one step at a time; after a failure the next one waits. */
  #step(step: () => Promise<void>): void {
    if (this.#busy || !this.#steps.isDue) return
    this.#busy = step()
      .then(
        () => this.#steps.succeeded(),
        error => this.#failed(this.#steps, error),
      )
      .finally(() => {
        this.#busy = undefined
      })
  }

  #failed(backoff: Backoff, error: unknown): void {
    if (this.#closing.signal.aborted) return
    this.#failuresTotal++
    this.#sources.onError(error, backoff.failed())
  }

  async #open(): Promise<void> {
    const mark = markOfFile(this.#sources.file)
    // The file is known to be missing or not usable; a build has failed, or another node builds.
    if (mark === this.#fileMark) return this.#rebuild()
    const loaded = await this.#load()
    this.#fileMark = mark
    const last = await this.#sources.lastSeq()
    // A file that is ahead of the store belongs to another one; one far behind takes longer to follow than to build,
    // but is served until another process has built the next one, which may wait for an import.
    const first = this.#sources.isBuiltElsewhere ? 0 : last - bulkChanges
    const usable = loaded.outcome === 'loaded' && isWithin(loaded.index.facts.revision, first, last)
    if (!usable) return this.#rebuild()
    await this.#take(loaded.index)
    // Build at once: an import that brings an index ends soon, but one that was killed never brings any.
    const changes = await this.#changes()
    if (!changes || isBulk(changes)) await this.#rebuild()
  }

  async #follow(): Promise<void> {
    if (!this.#searcher) return this.#open()
    if (markOfFile(this.#sources.file) !== this.#fileMark) await this.#takeNewFile()
    if (this.#bulk) return this.#waitForBulk(this.#bulk)
    const changes = await this.#changes()
    if (!changes) return this.#rebuild()
    if (isBulk(changes)) {
      this.#bulk = { seq: changes.at(-1)!.seq, atMs: this.#sources.clock.nowMs() }
      return
    }
    if (changes.length > 0) await this.#apply(placesOf(changes), changes.at(-1)!.seq)
    if (this.#searcher.info().wantsRebuild) await this.#rebuild()
  }

  /** Returns the changes that the index does not have, up to the number that counts as bulk; undefined when pruned. */
  #changes(): Promise<readonly Change[] | undefined> {
    return this.#sources.changesAfter(this.#seen, bulkChanges)
  }

  async #apply(ids: ReadonlySet<Id>, revision: number): Promise<void> {
    const places = await readPlaces(ids, id => this.#sources.entry(id))
    await this.#searcher!.apply({ revision, ...places })
    this.#seen = revision
  }

  async #waitForBulk(bulk: { readonly seq: number; readonly atMs: number }): Promise<void> {
    const seq = await this.#sources.lastSeq()
    const nowMs = this.#sources.clock.nowMs()
    if (seq !== bulk.seq) this.#bulk = { seq, atMs: nowMs }
    else if (nowMs - bulk.atMs > bulkWaitMs) {
      await this.#rebuild()
      if (this.#bulk) await this.#applyBulk()
    }
  }

  /** Follows a bulk of changes whose build has failed or is another node's, unless it is too large for an overlay. */
  async #applyBulk(): Promise<void> {
    const changes = await this.#changes()
    if (!changes || changes.length === bulkChanges) return
    // In parts, because the places are read on the serving thread.
    const part = changes.slice(0, bulkPlaces)
    if (part.length > 0) await this.#apply(placesOf(part), part.at(-1)!.seq)
    if (part.length === changes.length) this.#bulk = undefined
  }

  /** Builds the file and takes it over; does nothing while builds wait for their retry, or another node builds. */
  async #rebuild(): Promise<void> {
    if (!this.#builds.isDue) return
    try {
      const built = await this.#sources.build(this.#closing.signal, this.#held)
      if (!built) return
      // Another process that replaces the file in between brings nothing that the change log does not have.
      this.#fileMark = markOfFile(this.#sources.file)
      if (built.outcome !== 'loaded')
        throw new Error(`The index file that was just built cannot be loaded: ${built.outcome}.`)
      await this.#take(built.index)
      this.#builds.succeeded()
    } catch (error) {
      this.#failed(this.#builds, error)
    }
  }

  async #takeNewFile(): Promise<void> {
    const mark = markOfFile(this.#sources.file)
    const loaded = await this.#load()
    if (loaded.outcome === 'loaded') await this.#take(loaded.index)
    this.#fileMark = mark
  }

  #load(): Promise<LoadOutcome> {
    return this.#sources.load(this.#closing.signal, this.#held)
  }

  async #take(index: IndexData): Promise<void> {
    const { revision } = index.facts
    const isNewer = revision >= this.#seen || this.#bulk !== undefined
    if (!this.#searcher) this.#begin(index)
    else if (isNewer) await this.#searcher.swap(index)
    else return
    this.#held = partsByName(index)
    this.#seen = Math.max(this.#seen, revision)
    this.#bulk = undefined
  }

  #begin(index: IndexData): void {
    const { clock, threads, queue, onView } = this.#sources
    const searcher = new Searcher(index, { clock, threads, queue, onView })
    this.#searcher = searcher
    // When this fails, or the service ends before, the first long query starts the thread.
    this.#warming = setTimeout(() => searcher.warm().catch(() => {}), warmAfterMs)
    this.#warming.unref()
  }
}

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most
