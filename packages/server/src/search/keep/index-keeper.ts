import { statSync } from 'node:fs'
import type { Id } from '../../domain/id.ts'
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type { NearbyQuery, NearbyResult, PlaceIndex, SearchQuery, SearchResult } from '../../domain/search.ts'
import type { Change } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { type DocumentSource, documentOf, type SearchDocument } from '../index/document.ts'
import type { LoadOutcome } from '../index/file.ts'
import type { SegmentData } from '../index/segment.ts'
import type { ShortlistOutcome } from '../recommend/shortlist.ts'
import { createSearcher, type IndexInfo, type Searcher } from './searcher.ts'

/** What the keeper of an index works with; loading and building happen off the serving thread. */
export interface IndexSources {
  /** Path of the index file; other processes may put a newer one there. */
  readonly file: string
  load(): Promise<LoadOutcome>
  /** Builds the file anew from the store. */
  build(): Promise<void>
  lastSeq(): Promise<number>
  /** The change log behind a sequence number, oldest first. */
  changesAfter(seq: number, limit: number): Promise<readonly Change[]>
  /** A location as it is now; one that was merged leads to its survivor. */
  entry(id: Id): Promise<DocumentSource | undefined>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Beyond this many changes at once an import is under way: it brings an index of its own when it ends. */
const bulkChanges = 20_000
const bulkPlaces = 5000
/** When no such index has come this long after the last change, the keeper builds one, milliseconds. */
const patienceMs = 60_000
const lookEveryMs = 250
/** After what else a start has to do, milliseconds. */
const warmAfterMs = 1000

/**
 * Keeps an index in step with the store: loads the file or has it built, follows the change log with an overlay, takes
 * over a newer file, and rebuilds aside when the overlay has grown. A torn, foreign or old file is never served.
 */
export class IndexKeeper implements PlaceIndex {
  readonly #sources: IndexSources
  #searcher: Searcher | undefined
  /** Up to where the change log is in the index. */
  #seen = 0
  #bulk: { seq: number; atMs: number } | undefined
  #fileMark = ''
  #busy: Promise<void> | undefined
  readonly #timer: NodeJS.Timeout
  #warming: NodeJS.Timeout | undefined

  /** Begins to load or build at once; `notReady` until that is done. */
  constructor(sources: IndexSources) {
    this.#sources = sources
    this.#look(() => this.#open())
    this.#timer = setInterval(() => this.#look(() => this.#follow()), lookEveryMs)
    this.#timer.unref()
  }

  get ready(): boolean {
    return this.#searcher !== undefined
  }

  /** Undefined until the index is ready. */
  info(): IndexInfo | undefined {
    return this.#searcher?.info()
  }

  search(query: SearchQuery): Promise<SearchResult> {
    return this.#searcher!.search(query)
  }

  nearby(query: NearbyQuery): Promise<NearbyResult> {
    return this.#searcher!.nearby(query)
  }

  shortlist(query: RecommendationQuery): Promise<ShortlistOutcome> {
    return this.#searcher!.shortlist(query)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#warming)
    await this.#busy
    await this.#searcher?.close()
  }

  /** One step at a time; a failure is told, and the next look tries again. */
  #look(step: () => Promise<void>): void {
    if (this.#busy) return
    this.#busy = step()
      .catch(this.#sources.onError)
      .finally(() => {
        this.#busy = undefined
      })
  }

  async #open(): Promise<void> {
    const mark = this.#markOfFile()
    const loaded = await this.#sources.load()
    const last = await this.#sources.lastSeq()
    // A file that is ahead of the store belongs to another one; one far behind takes longer to follow than to build.
    const usable = loaded.outcome === 'loaded' && isWithin(loaded.segment.facts.revision, last - bulkChanges, last)
    if (!usable) return this.#rebuild()
    this.#fileMark = mark
    await this.#take(loaded)
    // Nobody else will: an import that brings an index does so in a moment, one that was killed never does.
    if (isBulk(await this.#changes())) await this.#rebuild()
  }

  async #follow(): Promise<void> {
    if (!this.#searcher) return this.#open()
    if (this.#markOfFile() !== this.#fileMark) await this.#takeNewFile()
    if (this.#bulk) return this.#waitForBulk(this.#bulk)
    const changes = await this.#changes()
    if (changes.length === 0) return
    const seq = changes.at(-1)!.seq
    if (isBulk(changes)) {
      this.#bulk = { seq, atMs: this.#sources.clock.nowMs() }
      return
    }
    await this.#apply(placesOf(changes), seq)
    if (this.#searcher.info().wantsRebuild) await this.#rebuild()
  }

  /** What has happened since, as far as it matters. */
  #changes(): Promise<readonly Change[]> {
    return this.#sources.changesAfter(this.#seen, bulkChanges)
  }

  async #apply(ids: ReadonlySet<Id>, revision: number): Promise<void> {
    const upserts: SearchDocument[] = []
    const deletes: Id[] = []
    for (const id of ids) {
      const entry = await this.#sources.entry(id)
      if (entry?.id === id) upserts.push(documentOf(entry))
      else deletes.push(id)
    }
    await this.#searcher!.apply({ revision, upserts, deletes })
    this.#seen = revision
  }

  async #waitForBulk(bulk: { readonly seq: number; readonly atMs: number }): Promise<void> {
    const seq = await this.#sources.lastSeq()
    const nowMs = this.#sources.clock.nowMs()
    if (seq !== bulk.seq) this.#bulk = { seq, atMs: nowMs }
    else if (nowMs - bulk.atMs > patienceMs) await this.#rebuild()
  }

  async #rebuild(): Promise<void> {
    await this.#sources.build()
    await this.#takeNewFile()
  }

  async #takeNewFile(): Promise<void> {
    this.#fileMark = this.#markOfFile()
    const loaded = await this.#sources.load()
    if (loaded.outcome === 'loaded') await this.#take(loaded)
  }

  async #take({ segment }: Extract<LoadOutcome, { outcome: 'loaded' }>): Promise<void> {
    const { revision } = segment.facts
    if (!this.#searcher) this.#begin(segment)
    else if (revision > this.#seen || this.#bulk) await this.#searcher.swap(segment)
    this.#seen = Math.max(this.#seen, revision)
    this.#bulk = undefined
  }

  #begin(segment: SegmentData): void {
    const searcher = createSearcher(segment, { clock: this.#sources.clock })
    this.#searcher = searcher
    // When it fails, or the service ends meanwhile, the first long query starts the worker.
    this.#warming = setTimeout(() => searcher.warm().catch(() => {}), warmAfterMs)
    this.#warming.unref()
  }

  /** Changes whenever another file is put in its place. */
  #markOfFile(): string {
    const stats = statSync(this.#sources.file, { throwIfNoEntry: false })
    return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : ''
  }
}

const placesOf = (changes: readonly Change[]): ReadonlySet<Id> =>
  new Set(changes.filter(({ kind }) => kind === 'location').map(({ id }) => id))

const isBulk = (changes: readonly Change[]): boolean =>
  changes.length === bulkChanges || placesOf(changes).size > bulkPlaces

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most
