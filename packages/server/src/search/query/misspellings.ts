import type { Budget } from '../index/budget.ts'
import type { Lexicon } from '../index/lexicon.ts'
import { type Edits, similarTerms } from '../index/spelling.ts'
import type { Tier } from './understand/reading.ts'

/** Maximum number of similar terms per word, closest first. */
const maxSimilar = 128

/** Number of documents from which a known word is not corrected beyond the promised edits. */
const manyDocuments = 50

/** Words of the Latin, Greek and Cyrillic alphabets, which need more letters than other scripts for a word. */
const alphabetic = /^[\u0000-\u052f\u1e00-\u1fff]*$/
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Returns the edits that rulings: Operations promises to correct in a word: one from 4 letters, two from 8; in other
 * scripts one from 5 characters, two from 9, because most pairs of shorter words are a letter apart.
 */
export function promisedEditsFor(word: string): Edits {
  const letters = alphabetic.test(word) ? word.length : [...graphemes.segment(word)].length - 1
  return letters < 4 ? 0 : letters < 8 ? 1 : 2
}

/** Returns the edits to correct if the promised ones find nothing: one from 3 letters, two from 5. */
const generousEditsFor = (word: string): Edits =>
  !alphabetic.test(word) ? promisedEditsFor(word) : word.length < 3 ? 0 : word.length < 5 ? 1 : 2

/** Degree of spelling correction: off, as promised by rulings: Operations, or more. */
export type Leniency = 'none' | 'promised' | 'generous'

/** Corrections of each tier. */
export const leniencies: Readonly<Record<Tier, Leniency>> = {
  strict: 'none',
  forgiving: 'promised',
  partial: 'generous',
}

/** Terms similar to a word with their numbers of edits, and a one-hash Bloom filter for the many lookups that miss. */
export class SimilarTerms {
  readonly #edits: ReadonlyMap<number, number>
  readonly #filter = new Uint8Array(512)

  constructor(edits: ReadonlyMap<number, number>) {
    this.#edits = edits
    for (const term of edits.keys()) this.#filter[term & 511] = 1
  }

  get size(): number {
    return this.#edits.size
  }

  /** Returns the number of edits of a term, or undefined if it is not similar. */
  editsOf(term: number): number | undefined {
    return this.#filter[term & 511] === 1 ? this.#edits.get(term) : undefined
  }

  keys(): MapIterator<number> {
    return this.#edits.keys()
  }

  /** Returns the terms with other numbers, without those whose number is -1. */
  renumbered(numberOf: (term: number) => number): SimilarTerms {
    const edits = new Map<number, number>()
    for (const [term, count] of this.#edits) if (numberOf(term) >= 0) edits.set(numberOf(term), count)
    return new SimilarTerms(edits)
  }

  entries(): MapIterator<[term: number, edits: number]> {
    return this.#edits.entries()
  }
}

/** Spelling corrections in a lexicon. Looks up each word once, even if several variants of the query contain it. */
export class Misspellings {
  readonly #lexicon: Lexicon
  readonly #budget: Budget
  readonly #found = new Map<string, SimilarTerms>()

  constructor(lexicon: Lexicon, budget: Budget) {
    this.#lexicon = lexicon
    this.#budget = budget
  }

  /**
   * Returns the terms that a word may be a misspelling of. `exact` is the term of the word itself, or -1. The first letter
   * of the first word is rarely wrong; that of others is where a space was misplaced.
   */
  of(word: string, exact: number, leniency: Leniency, isFirst: boolean): SimilarTerms | undefined {
    if (leniency === 'none') return undefined
    const { nameStart } = this.#lexicon.arrays
    const isCommon = exact >= 0 && nameStart[exact + 1]! - nameStart[exact]! > manyDocuments
    const promised = promisedEditsFor(word)
    const limit = leniency === 'generous' && !isCommon ? generousEditsFor(word) : promised
    const key = `${limit}${isFirst}${word}`
    const found = this.#found.get(key) ?? this.#closest(word, limit, isFirst ? promised : limit)
    this.#found.set(key, found)
    return found
  }

  /** Returns the closest terms; edits beyond `free` ones keep the first letter. */
  #closest(word: string, limit: Edits, free: Edits): SimilarTerms {
    const { terms, arrays } = this.#lexicon
    const found = similarTerms(terms, arrays, word, limit, this.#budget)
    const keepsFirst = (term: number) => terms.text(term).charCodeAt(0) === word.charCodeAt(0)
    if (limit > free) {
      this.#budget.spend(found.size)
      for (const [term, edits] of found) if (edits > free && !keepsFirst(term)) found.delete(term)
    }
    if (found.size <= maxSimilar) return new SimilarTerms(found)
    this.#budget.spend(found.size * 4)
    const rank = ([term, edits]: [number, number]) => edits * 2 + (keepsFirst(term) ? 0 : 1)
    const closest = [...found].sort((a, b) => rank(a) - rank(b) || a[0] - b[0])
    return new SimilarTerms(new Map(closest.slice(0, maxSimilar)))
  }
}
