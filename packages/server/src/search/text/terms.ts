import type { EditDistances } from '../../kit/edit-distance.ts'
import { shared } from '../index/growable.ts'

/** Terms that nobody can type: the first sign is never part of a token. */
export const reservedTerm = {
  /** A top-level category or category id. */
  category: (id: string): string => `@${id}`,
  /** The id of a place that a document lies in, as sources number them. */
  geoId: (id: string): string => `#${id}`,
  postalCode: (code: string): string =>
    `$${code
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase()}`,
}

/** The term dictionary on disk: sorted by UTF-16 units, term after term. */
export interface TermTable {
  readonly termStart: Uint32Array
  readonly termUnits: Uint16Array
}

export function buildTerms(sorted: readonly string[]): TermTable {
  const termStart = shared(Uint32Array, sorted.length + 1)
  for (let i = 0; i < sorted.length; i++) termStart[i + 1] = termStart[i]! + sorted[i]!.length
  const termUnits = shared(Uint16Array, termStart[sorted.length]!)
  let at = 0
  for (const term of sorted) for (let i = 0; i < term.length; i++) termUnits[at++] = term.charCodeAt(i)
  return { termStart, termUnits }
}

/** The term dictionary, read. A term's number is its rank. */
export class Terms {
  readonly count: number
  readonly #start: Uint32Array
  readonly #units: Uint16Array

  constructor({ termStart, termUnits }: TermTable) {
    this.count = termStart.length - 1
    this.#start = termStart
    this.#units = termUnits
  }

  length(term: number): number {
    return this.#start[term + 1]! - this.#start[term]!
  }

  text(term: number): string {
    let text = ''
    for (let i = this.#start[term]!; i < this.#start[term + 1]!; i++) text += String.fromCharCode(this.#units[i]!)
    return text
  }

  /** How far a term is from the word of `distances`. */
  distance(term: number, distances: EditDistances): number {
    return distances.to(this.#units, this.#start[term]!, this.#start[term + 1]!)
  }

  /** Whether two terms agree in their first `length` units, or to the end of both. */
  samePrefix(a: number, b: number, length: number): boolean {
    if (a === b) return true
    const units = Math.min(length, this.length(b))
    if (this.length(a) < units || (units < length && this.length(a) !== units)) return false
    for (let i = 0; i < units; i++)
      if (this.#units[this.#start[a]! + i] !== this.#units[this.#start[b]! + i]) return false
    return true
  }

  /** The number of a term, or -1. */
  find(word: string): number {
    const at = this.#lowerBound(word, false)
    return at < this.count && this.length(at) === word.length && this.#compare(at, word, false) === 0 ? at : -1
  }

  /** The terms that begin with `prefix`: from the first up to, not including, the second number. */
  range(prefix: string): [from: number, to: number] {
    return [this.#lowerBound(prefix, false), this.#lowerBound(prefix, true)]
  }

  /** The first term not below `word`; or, above all that begin with it. */
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
