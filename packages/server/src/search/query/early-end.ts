import type { BestScores } from './best-scores.ts'
import type { Bitmap } from './bitmap.ts'
import type { PartResults } from './part-results.ts'
import type { QualityBound } from './score-bounds.ts'

/** Number of excluded documents from which those that certainly match are looked up. */
const minToCertify = 32

/** Facts about the documents of a comparison; they are looked up when they are needed. */
export interface EarlyEndFacts {
  readonly bound: () => QualityBound
  /** True if all documents match. */
  readonly allMatch: boolean
  /** Returns documents that certainly match; undefined if they are unknown. */
  readonly certain: () => Bitmap | undefined
}

/**
 * Early end of one comparison of ascending documents with a query: excludes those that cannot reach the page
 * (`compareSingleWord` cites the method).
 */
export class EarlyEnd {
  readonly #documents: PartResults
  readonly #best: BestScores
  readonly #facts: EarlyEndFacts
  #bound: QualityBound | undefined
  #certain: Bitmap | undefined
  #excluded = 0
  /** True if no further document can reach the page. */
  #hasEnded = false

  constructor(documents: PartResults, best: BestScores, facts: EarlyEndFacts) {
    this.#documents = documents
    this.#best = best
    this.#facts = facts
  }

  /** Returns true if a document cannot reach the page; it still counts if it matches. */
  excludes(doc: number): boolean {
    if (!this.#documents.isSettled) return false
    this.#bound ??= this.#facts.bound()
    this.#hasEnded ||= this.#best.exclude(this.#bound.highest + this.#documents.maxBonusFrom(doc))
    return this.#hasEnded || this.#best.exclude(this.#bound.of(doc) + this.#documents.maxBonusOf(doc))
  }

  /** Returns true if an excluded document certainly matches. */
  matchesCertainly(doc: number): boolean {
    if (this.#facts.allMatch) return true
    if (++this.#excluded === minToCertify) this.#certain = this.#facts.certain()
    return this.#certain?.has(doc) === true
  }
}
