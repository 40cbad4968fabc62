import { strength } from './weights.ts'

/** Groups of documents (areas, label sets) by term: the groups of each, their documents, and running totals of those. */
export interface GroupIndex {
  readonly termStart: Uint32Array
  /** Groups of a term, ascending. */
  readonly termGroups: Uint32Array
  /** Documents in the groups of all terms before. */
  readonly termDocs: Uint32Array
  readonly docStart: Uint32Array
  readonly docs: Uint32Array
}

interface Run {
  readonly first: number
  readonly last: number
  readonly strength: number
}

/** Groups that a run of terms may have for a word that is not exactly one of them. */
const mostGroups = 5000

/** The groups that a word of the query matches, looked up only as far as somebody asks. */
export class Groups {
  /** Documents in them, those in several counted as often. */
  size = 0
  readonly #index: GroupIndex
  readonly #runs: Run[] = []
  #strengths: Map<number, number> | undefined

  constructor(index: GroupIndex) {
    this.#index = index
  }

  /** Adds the groups of the terms from `first` up to, not including, `last`; stronger ones come first. */
  add(first: number, last: number, by: number = strength.area): void {
    const { termStart, termDocs } = this.#index
    const groups = termStart[last]! - termStart[first]!
    if (groups === 0 || (last - first > 1 && groups > mostGroups)) return
    this.#runs.push({ first, last, strength: by })
    this.size += termDocs[last]! - termDocs[first]!
  }

  /** How strongly a group matches; 0 where it does not. */
  strengthOf(group: number): number {
    const only = this.#runs[0]
    if (only === undefined) return 0
    if (this.#runs.length === 1 && only.last - only.first === 1)
      return this.#holds(only.first, group) ? only.strength : 0
    this.#strengths ??= this.#collect()
    return this.#strengths.get(group) ?? 0
  }

  eachDocs(visit: (docs: Uint32Array, from: number, to: number) => void): void {
    const { termStart, termGroups, docStart, docs } = this.#index
    for (const { first, last } of this.#runs) {
      for (let at = termStart[first]!; at < termStart[last]!; at++) {
        visit(docs, docStart[termGroups[at]!]!, docStart[termGroups[at]! + 1]!)
      }
    }
  }

  #holds(term: number, group: number): boolean {
    const { termStart, termGroups } = this.#index
    let low = termStart[term]!
    let high = termStart[term + 1]!
    while (low < high) {
      const middle = (low + high) >>> 1
      if (termGroups[middle]! < group) low = middle + 1
      else high = middle
    }
    return low < termStart[term + 1]! && termGroups[low] === group
  }

  #collect(): Map<number, number> {
    const { termStart, termGroups } = this.#index
    const strengths = new Map<number, number>()
    for (const { first, last, strength: by } of this.#runs) {
      for (let at = termStart[first]!; at < termStart[last]!; at++) {
        const group = termGroups[at]!
        if (by > (strengths.get(group) ?? 0)) strengths.set(group, by)
      }
    }
    return strengths
  }
}

/** Running totals of the documents in the groups of each term. */
export function termDocs(
  termStart: Uint32Array,
  termGroups: Uint32Array,
  docStart: Uint32Array,
  into: Uint32Array,
): Uint32Array {
  for (let term = 0; term < termStart.length - 1; term++) {
    let sum = into[term]!
    for (let at = termStart[term]!; at < termStart[term + 1]!; at++) {
      sum += docStart[termGroups[at]! + 1]! - docStart[termGroups[at]!]!
    }
    into[term + 1] = sum
  }
  return into
}
