import type { FeedSource, IdRange } from '../domain/feed-stores.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { Engine } from '../domain/stores.ts'
import { documentOf, type SearchDocument } from '../search/index/document.ts'
import type { HeldParts } from '../search/index/part-files.ts'
import { allIds } from '../search/index/part-plan.ts'
import type { DocumentSet } from '../search/query/document-set.ts'
import { prepareIndex } from '../search/query/prepare-index.ts'
import { withFeedSource } from './feed-folder.ts'

/** Called periodically with the number of places read so far. */
export type BuildProgress = (done: number, total: number) => void

/** Writer of copies of all places, in the same pass over them, ascending by id. */
export interface PassWriter {
  add(entry: LocationEntry): void
  /** Puts the files in place. */
  commit(): void
  /** Deletes what has been written. */
  discard(): void
}

/** Copies that an index build writes. Their failures never fail the build. */
export interface PassCopies {
  /** Returns undefined if nothing is to be copied. */
  create(source: FeedSource, places: number): PassWriter | undefined
  /** Called with the first failure; what has been written is deleted. */
  onFailure(error: unknown): void
}

export interface IndexBuildOptions {
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** An index of more places has several parts. */
  readonly partPlaces?: number | undefined
  /** Parts in memory, which are used again if their places have not changed. */
  readonly held?: HeldParts | undefined
  readonly progress?: BuildProgress
  /** Called with each place that is read; not with those of parts that are used again. */
  readonly onPlace?: (entry: LocationEntry) => void
  /** Written in the same pass. */
  readonly copies?: PassCopies
}

/** Builds the search index from the current data and replaces its file. */
export const buildIndex = (
  engine: Engine,
  index: string,
  { nowMs, partPlaces, held, progress = () => {}, onPlace = () => {}, copies }: IndexBuildOptions,
): Promise<void> =>
  withFeedSource(engine, async source => {
    const total = await source.locations.count()
    const copy = new SafeCopy(() => copies?.create(source, total), copies?.onFailure)
    let isCopied = false
    let done = 0
    const read = async function* ({ after, upTo }: IdRange): AsyncGenerator<SearchDocument> {
      // The places of parts that are used again are not read.
      isCopied = after === allIds.after && upTo === allIds.upTo
      for await (const entries of source.locations.all({ after, upTo })) {
        for (const entry of entries) {
          const parsed = parseOnce(entry)
          if (isCopied) copy.add(parsed)
          onPlace(parsed)
          yield documentOf(parsed)
        }
        done += entries.length
        progress(done, total)
      }
    }
    try {
      const options = { revision: source.position.seq, nowMs, partDocuments: partPlaces, held }
      const save = await prepareIndex(index, documentsOf(source, total, read), options)
      if (!isCopied) await copy.addAll(source)
      copy.yieldTo(save)
      copy.commit()
    } finally {
      copy.discard()
    }
  })

/** Returns the places of a store as documents; `read` reads them. */
function documentsOf(source: FeedSource, count: number, read: DocumentSet['read']): DocumentSet {
  const { position, storeId } = source
  return {
    count,
    countIn: range => source.locations.count(range),
    read,
    readGeos: async function* (range) {
      for await (const entries of source.geos.all(range)) yield* entries.map(documentOf)
    },
    origin: { storeId, ...position },
    findChanges: async ({ storeId: builtFrom, ...then }) =>
      builtFrom === storeId && (await source.follows(then)) ? source.locations.changedAfter(then.seq) : undefined,
  }
}

/** Runs a writer of copies. Its first failure deletes what it has written, is reported, and ends it. */
class SafeCopy {
  #writer: PassWriter | undefined
  readonly #onFailure: (error: unknown) => void

  constructor(create: () => PassWriter | undefined, onFailure: (error: unknown) => void = () => {}) {
    this.#onFailure = onFailure
    this.#attempt(() => {
      this.#writer = create()
    })
  }

  add(entry: LocationEntry): void {
    this.#attempt(() => this.#writer?.add(entry))
  }

  /** Adds all places of a store, unless nothing is copied. */
  async addAll({ locations }: FeedSource): Promise<void> {
    if (!this.#writer) return
    for await (const entries of locations.all()) for (const entry of entries) this.add(parseOnce(entry))
  }

  commit(): void {
    this.#attempt(() => this.#writer?.commit())
    this.#writer = undefined
  }

  /** Runs `work`. If it fails, deletes the copies, which may occupy the space that it needs, and runs it again. */
  yieldTo(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!this.#writer) throw error
      this.#fail(error)
      work()
    }
  }

  discard(): void {
    const writer = this.#writer
    this.#writer = undefined
    try {
      writer?.discard()
    } catch {
      // The next writer of the same file deletes the draft.
    }
  }

  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.discard()
    this.#onFailure(error)
  }
}

/** Returns an entry that parses its record once. */
function parseOnce(entry: LocationEntry): LocationEntry {
  const record = entry.location()
  const ratings = entry.ratings(record)
  const { id, source, country, category, updatedMs } = entry
  return {
    ...{ id, source, category, updatedMs },
    ...(country !== undefined && { country }),
    location: () => record,
    ratings: () => ratings,
    derive: (_variant, make) => make(),
  }
}
