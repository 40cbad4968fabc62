import type { EditDistances } from '../../kit/edit-distance.ts'
import { sharedArray } from './typed-arrays.ts'

/** Arrays of the term dictionary. Terms are sorted by UTF-16 code units; a term's number is its rank. */
export interface TermTable {
  /** Length terms + 1: start of each term in `termUnits`. */
  readonly termStart: Uint32Array
  /** UTF-16 code units of all terms, concatenated. */
  readonly termUnits: Uint16Array
}

/** Builds the arrays of the dictionary from sorted, distinct terms. */
export function buildTerms(sorted: readonly string[]): TermTable {
  const termStart = sharedArray(Uint32Array, sorted.length + 1)
  for (let i = 0; i < sorted.length; i++) termStart[i + 1] = termStart[i]! + sorted[i]!.length
  const termUnits = sharedArray(Uint16Array, termStart[sorted.length]!)
  let at = 0
  for (const term of sorted) for (let i = 0; i < term.length; i++) termUnits[at++] = term.charCodeAt(i)
  return { termStart, termUnits }
}

/** Read access to the term dictionary: lookup by text and by prefix with binary search. */
export class TermDictionary {
  readonly count: number
  readonly #start: Uint32Array
  readonly #units: Uint16Array

  constructor({ termStart, termUnits }: TermTable) {
    this.count = termStart.length - 1
    this.#start = termStart
    this.#units = termUnits
  }

  /** Returns the length of a term in UTF-16 code units. */
  length(term: number): number {
    return this.#start[term + 1]! - this.#start[term]!
  }

  text(term: number): string {
    let text = ''
    for (let i = this.#start[term]!; i < this.#start[term + 1]!; i++) text += String.fromCharCode(this.#units[i]!)
    return text
  }

  /** Returns the edit distance between a term and the word of `distances`. */
  distance(term: number, distances: EditDistances): number {
    return distances.to(this.#units, this.#start[term]!, this.#start[term + 1]!)
  }

  /**
   * Returns true if the first `length` code units of two terms are equal; shorter terms have to be equal as a whole.
   */
  samePrefix(a: number, b: number, length: number): boolean {
    if (a === b) return true
    const units = Math.min(length, this.length(b))
    if (this.length(a) < units || (units < length && this.length(a) !== units)) return false
    for (let i = 0; i < units; i++)
      if (this.#units[this.#start[a]! + i] !== this.#units[this.#start[b]! + i]) return false
    return true
  }

  /** Returns the number of a term, or -1 if the dictionary does not contain it. */
  find(word: string): number {
    const at = this.#lowerBound(word, false)
    return at < this.count && this.length(at) === word.length && this.#compare(at, word, false) === 0 ? at : -1
  }

  /** Returns the range of terms that start with `prefix`; `to` is exclusive. */
  range(prefix: string): [from: number, to: number] {
    return [this.#lowerBound(prefix, false), this.#lowerBound(prefix, true)]
  }

  /**
   * Returns the first term that is not below `word`, or with `afterPrefixed` the first after all that start with it.
   */
  #lowerBound(word: string, afterPrefixed: boolean): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.#compare(middle, word, afterPrefixed)
      if (order < 0 || (afterPrefixed && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Compares a term with a word; with `asPrefix`, terms that start with the word are equal to it. */
  #compare(term: number, word: string, asPrefix: boolean): number {
    const start = this.#start[term]!
    const length = this.#start[term + 1]! - start
    const common = Math.min(length, word.length)
    for (let i = 0; i < common; i++) {
      const difference = this.#units[start + i]! - word.charCodeAt(i)
      if (difference !== 0) return difference
    }
    return asPrefix && length >= word.length ? 0 : length - word.length
  }
}
