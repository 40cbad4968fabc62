import type { EditDistances } from '../../kit/edit-distance.ts'
import { sharedArray } from './typed-arrays.ts'

/** Arrays of the term dictionary. Terms are sorted by UTF-16 code units; a term's number is its rank. */
export interface TermTable {
  /** Length terms + 1: start of each term in `termUnits`. */
  readonly termStart: Uint32Array
  /** UTF-16 code units of all terms, concatenated. */
  readonly termUnits: Uint16Array
}

/** Number of consecutive terms with one entry in the top level of a dictionary. */
const blockSize = 64
/** Maximum number of recent words that a dictionary remembers. */
const maxRecent = 256
/** Number of code units of a term in the top level; three of 16 bits are exact in a number. */
const headUnits = 3

/** Builds the arrays of the dictionary from sorted, distinct terms. */
export function buildTerms(sorted: readonly string[]): TermTable {
  const termStart = sharedArray(Uint32Array, sorted.length + 1)
  for (let i = 0; i < sorted.length; i++) termStart[i + 1] = termStart[i]! + sorted[i]!.length
  const termUnits = sharedArray(Uint16Array, termStart[sorted.length]!)
  let at = 0
  for (const term of sorted) for (let i = 0; i < term.length; i++) termUnits[at++] = term.charCodeAt(i)
  return { termStart, termUnits }
}

/**
 * Read access to the term dictionary: lookup by text and by prefix with binary search. A top level of the beginnings of
 * every 64th term is small enough for the processor's cache; the terms of a large index are not.
 */
export class TermDictionary {
  readonly count: number
  readonly #start: Uint32Array
  readonly #units: Uint16Array
  /** Head of the first term of each block, ascending. */
  readonly #heads: Float64Array
  /** Words that were found recently: the steps of a query look up the same words. */
  readonly #recent = new Map<string, number>()

  constructor({ termStart, termUnits }: TermTable) {
    this.count = termStart.length - 1
    this.#start = termStart
    this.#units = termUnits
    this.#heads = new Float64Array(Math.ceil(this.count / blockSize))
    for (let block = 0; block < this.#heads.length; block++) {
      this.#heads[block] = headOf(this.text(block * blockSize))
    }
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
    const known = this.#recent.get(word)
    if (known !== undefined) return known
    const at = this.#lowerBound(word)
    const found = at < this.count && this.length(at) === word.length && this.#compare(at, word) === 0 ? at : -1
    if (this.#recent.size === maxRecent) this.#recent.clear()
    this.#recent.set(word, found)
    return found
  }

  /** Returns the numbers of words; undefined if the dictionary lacks one of them, or without words. */
  findAll(words: readonly string[]): readonly number[] | undefined {
    const numbers: number[] = []
    for (const word of words) {
      const term = this.find(word)
      if (term < 0) return undefined
      numbers.push(term)
    }
    return numbers.length === 0 ? undefined : numbers
  }

  /** Returns the range of terms that start with `prefix`; `to` is exclusive. The prefix itself would be the first one. */
  range(prefix: string): [from: number, to: number] {
    const from = this.#lowerBound(prefix)
    // Most ranges are short: double the distance until the end is passed, then halve it.
    let [low, step] = [from, 1]
    while (low + step <= this.count && this.#startsWith(low + step - 1, prefix)) {
      low += step
      step *= 2
    }
    for (; step > 0; step >>>= 1) {
      if (low + step <= this.count && this.#startsWith(low + step - 1, prefix)) low += step
    }
    return [from, low]
  }

  /** Returns the first term that is not below `word`. */
  #lowerBound(word: string): number {
    const head = headOf(word)
    let low = Math.max(0, this.#firstBlock(head, false) - 1) * blockSize
    let high = Math.min(this.count, this.#firstBlock(head, true) * blockSize)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(middle, word) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the first block whose head is at least `head`, or with `after` above it. */
  #firstBlock(head: number, after: boolean): number {
    const heads = this.#heads
    let low = 0
    let high = heads.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (heads[middle]! < head || (after && heads[middle] === head)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Compares a term with a word. */
  #compare(term: number, word: string): number {
    const start = this.#start[term]!
    const length = this.#start[term + 1]! - start
    const common = Math.min(length, word.length)
    for (let i = 0; i < common; i++) {
      const difference = this.#units[start + i]! - word.charCodeAt(i)
      if (difference !== 0) return difference
    }
    return length - word.length
  }

  #startsWith(term: number, prefix: string): boolean {
    const start = this.#start[term]!
    if (this.#start[term + 1]! - start < prefix.length) return false
    for (let i = prefix.length - 1; i >= 0; i--) if (this.#units[start + i] !== prefix.charCodeAt(i)) return false
    return true
  }
}

/** Packs the first code units of a text into a number of the same order. */
function headOf(text: string): number {
  let head = 0
  for (let i = 0; i < headUnits; i++) head = head * 0x10000 + (i < text.length ? text.charCodeAt(i) : 0)
  return head
}
