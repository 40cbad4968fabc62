import type { IndexPart } from '../index/index-view.ts'
import { docOfLeader, partOfLeader } from '../index/leaders.ts'
import { statusCode } from '../index/segment.ts'
import type { Test } from './filters.ts'
import type { Reading, Tier } from './understand/reading.ts'

/** Document of a part, by its index in the view. */
export interface FoundLeader {
  readonly part: number
  readonly doc: number
}

/** A reading of a query, and how leniently its words match. */
export interface TypedReading {
  readonly reading: Reading
  readonly tier: Tier
}

/** A part with the compiled filters of a query. */
type PassingPart = IndexPart & { readonly passes: Test | undefined }

/** Compares a document of some parts with the words of a query. */
export interface LeaderMatcher {
  readonly parts: readonly PassingPart[]
  /** Returns true if a document of a part, given by its index among these, matches the reading. */
  matches(part: number, doc: number, typed: TypedReading): boolean
}

/** Finds the leaders of documents among the results of a query, behind which the documents come. */
export class Leaders {
  /** For each part of the view, what compares its documents. */
  readonly #matchers: { readonly of: LeaderMatcher; readonly at: number; readonly part: PassingPart }[] = []
  #typed: TypedReading | undefined
  /** Leaders that were looked up for this reading. */
  readonly #found = new Map<number, FoundLeader | undefined>()

  /** Adds the next parts of the view. */
  add(of: LeaderMatcher): void {
    for (const [at, part] of of.parts.entries()) this.#matchers.push({ of, at, part })
  }

  /** Returns a leader if it matches a reading and passes the filters. */
  find(leader: number, typed: TypedReading): FoundLeader | undefined {
    if (typed !== this.#typed) this.#found.clear()
    this.#typed = typed
    if (!this.#found.has(leader)) this.#found.set(leader, this.#lookUp(leader, typed))
    return this.#found.get(leader)
  }

  #lookUp(leader: number, typed: TypedReading): FoundLeader | undefined {
    const live = this.#liveDocument(partOfLeader(leader), docOfLeader(leader))
    if (live === undefined) return undefined
    const { of, at, part } = this.#matchers[live.part]!
    if (part.segment.arrays.status[live.doc] === statusCode.CLOSED) return undefined
    const isPassing = part.passes === undefined || part.passes(live.doc)
    return isPassing && of.matches(at, live.doc, typed) ? live : undefined
  }

  /** Returns a document, or the one that has replaced it since the index was built. */
  #liveDocument(part: number, doc: number): FoundLeader | undefined {
    const { segment, dead } = this.#matchers[part]!.part
    if (dead?.[doc] !== 1) return { part, doc }
    const id = segment.arrays.id[doc]!
    for (const [number, { part: other }] of this.#matchers.entries()) {
      const found = other.segment.find(id)
      if (found >= 0 && other.dead?.[found] !== 1) return { part: number, doc: found }
    }
    return undefined
  }
}
