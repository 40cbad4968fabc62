import { Growable } from '../../kit/growable.ts'
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

/**
 * Results of one tier as columns: documents that pass the filters. The counters include documents that do not pass. The
 * memory is reused for all queries of a thread, which run to completion without interleaving.
 */
export class Results {
  /** Index of the part in the view. */
  readonly part = new Growable(Uint8Array)
  readonly doc = new Growable(Uint32Array)
  readonly score = new Growable(Float64Array)
  /** Index of the matching name in the document's list of names, or -1. */
  readonly name = new Growable(Int32Array)
  /** Index in `readings` of the one that gave the score. */
  readonly reading = new Growable(Uint16Array)
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
    this.part.length = 0
    this.doc.length = 0
    this.score.length = 0
    this.name.length = 0
    this.reading.length = 0
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

  /** Returns the columns, valid until the next addition. */
  columns() {
    return {
      part: this.part.view(),
      doc: this.doc.view(),
      score: this.score.view(),
      name: this.name.view(),
      reading: this.reading.view(),
    }
  }

  /** Adds a reading; returns its index. */
  addReading(reading: SearchedReading): number {
    return this.readings.push(reading) - 1
  }

  push(part: number, doc: number, score: number, name: number, reading: number): void {
    this.part.push(part)
    this.doc.push(doc)
    this.score.push(score)
    this.name.push(name)
    this.reading.push(reading)
  }
}
