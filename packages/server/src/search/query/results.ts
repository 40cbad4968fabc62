import type { FoundLeader, TypedReading } from './leaders.ts'
import type { Scorer } from './scorer.ts'

/** A reading under a tier, and the ranking that has its scorers. */
export interface SearchedReading {
  readonly typed: TypedReading
  readonly of: {
    readonly parts: readonly { readonly number: number }[]
    scorerAt(part: number, typed: TypedReading): Scorer
  }
}

/** Columns of results, which grow together. */
const createColumns = (capacity: number) => ({
  /** Index of the part in the view. */
  part: new Uint8Array(capacity),
  doc: new Uint32Array(capacity),
  score: new Float64Array(capacity),
  /** Index of the matching name in the document's list of names, or -1. */
  name: new Int32Array(capacity),
  /** Index in `readings` of the one that gave the score. */
  reading: new Uint16Array(capacity),
})

const firstCapacity = 1024

/**
 * Results of one tier as columns: documents that pass the filters. The counters include documents that do not pass. The
 * memory is reused for all queries of a thread, which run to completion without interleaving.
 */
export class Results {
  #columns = createColumns(firstCapacity)
  /** Number of results. */
  count = 0
  readonly readings: SearchedReading[] = []
  /** Number of documents that match and pass the filters, but cannot reach the page and were not scored. */
  unscored = 0
  /** Number of documents that match the text, with or without the filters; counting may stop at `enoughResults`. */
  matching = 0
  /** True if a document has a name that consists of exactly the words of the query. */
  complete = false
  /** True if a document contains all words of the query, complete and as typed. */
  whole = false
  /** Quality of the best match. */
  bestQuality = 0

  /** Documents that their leaders represent on a page; both by the index of the part in the view. */
  readonly followers: { readonly leader: FoundLeader; readonly part: number; readonly doc: number }[] = []

  /** Removes all results. */
  reset(): this {
    this.count = 0
    this.readings.length = 0
    this.unscored = 0
    this.matching = 0
    this.complete = false
    this.whole = false
    this.bestQuality = 0
    this.followers.length = 0
    return this
  }

  follow(leader: FoundLeader, part: number, doc: number): void {
    this.followers.push({ leader, part, doc })
  }

  /** The columns, whose first `count` items are results; valid until the next addition. */
  get columns() {
    return this.#columns
  }

  /** Adds a reading; returns its index. */
  addReading(reading: SearchedReading): number {
    return this.readings.push(reading) - 1
  }

  push(part: number, doc: number, score: number, name: number, reading: number): void {
    if (this.count === this.#columns.doc.length) this.#grow()
    const { part: parts, doc: docs, score: scores, name: names, reading: readings } = this.#columns
    const at = this.count++
    parts[at] = part
    docs[at] = doc
    scores[at] = score
    names[at] = name
    readings[at] = reading
  }

  /** Raises the score of a result. */
  raise(at: number, score: number, name: number, reading: number): void {
    this.#columns.score[at] = score
    this.#columns.name[at] = name
    this.#columns.reading[at] = reading
  }

  #grow(): void {
    const { part, doc, score, name, reading } = this.#columns
    this.#columns = createColumns(2 * doc.length)
    this.#columns.part.set(part)
    this.#columns.doc.set(doc)
    this.#columns.score.set(score)
    this.#columns.name.set(name)
    this.#columns.reading.set(reading)
  }
}
