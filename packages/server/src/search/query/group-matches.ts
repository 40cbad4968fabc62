import type { Budget } from '../index/budget.ts'
import type { GroupIndex } from '../index/groups.ts'
import { lowerBound } from '../index/typed-arrays.ts'
import { strength } from './weights.ts'

interface TermRange {
  readonly first: number
  /** Exclusive. */
  readonly last: number
  readonly strength: number
}

/** Groups (areas or label sets) that match a word of the query. Groups are looked up when they are needed. */
export class GroupMatches {
  /** Number of documents in the groups; documents that several terms match count several times. */
  size = 0
  readonly #index: GroupIndex
  readonly #budget: Budget
  readonly #ranges: TermRange[] = []
  /** Number of terms in all ranges, and of their groups. */
  #terms = 0
  #groups = 0
  #lookups = 0
  /** Strength by group; collected when that takes less time than further lookups in the ranges. */
  #strengths: Map<number, number> | undefined
  #test: ((group: number) => boolean) | undefined
  readonly #tested = new Map<number, boolean>()

  constructor(index: GroupIndex, budget: Budget) {
    this.#index = index
    this.#budget = budget
  }

  /** Adds the groups of the terms from `first` up to `last` (exclusive). */
  add(first: number, last: number, matchStrength: number = strength.area): void {
    const { termStart, termDocs } = this.#index
    const groups = termStart[last]! - termStart[first]!
    if (groups === 0) return
    this.#ranges.push({ first, last, strength: matchStrength })
    this.#terms += last - first
    this.#groups += groups
    this.size += termDocs[last]! - termDocs[first]!
  }

  /** Restricts the groups to those that pass a test; `size` still counts all. */
  restrict(test: (group: number) => boolean): void {
    this.#test = test
  }

  /** Returns the strength of a group's match, or 0. */
  strengthOf(group: number): number {
    const found = this.#find(group)
    return found > 0 && this.#passes(group) ? found : 0
  }

  #passes(group: number): boolean {
    if (this.#test === undefined) return true
    let passes = this.#tested.get(group)
    if (passes === undefined) {
      passes = this.#test(group)
      this.#tested.set(group, passes)
    }
    return passes
  }

  /** Returns the strength of a group's match without the test, or 0. */
  #find(group: number): number {
    if (this.#strengths) return this.#strengths.get(group) ?? 0
    if (this.#terms === 0) return 0
    if (this.#terms > 1 && ++this.#lookups * this.#terms > this.#groups) {
      this.#strengths = this.#collect()
      return this.#strengths.get(group) ?? 0
    }
    let best = 0
    for (const range of this.#ranges) {
      if (range.strength <= best) continue
      for (let term = range.first; term < range.last; term++) {
        if (!this.#contains(term, group)) continue
        best = range.strength
        break
      }
    }
    return best
  }

  /** Visits the documents of all groups as ranges of posting lists; `to` is exclusive. */
  eachRange(visit: (docs: Uint32Array, from: number, to: number) => void): void {
    const { termStart, termGroups, docStart, docs } = this.#index
    for (const { first, last } of this.#ranges) {
      for (let at = termStart[first]!; at < termStart[last]!; at++) {
        const group = termGroups[at]!
        if (this.#passes(group)) visit(docs, docStart[group]!, docStart[group + 1]!)
      }
    }
  }

  /** Returns true if a group is in the list of a term. */
  #contains(term: number, group: number): boolean {
    const { termStart, termGroups } = this.#index
    const end = termStart[term + 1]!
    const at = lowerBound(termGroups, group, termStart[term]!, end)
    return at < end && termGroups[at] === group
  }

  /** Collects the maximum strength of each group. */
  #collect(): Map<number, number> {
    const { termStart, termGroups } = this.#index
    const strengths = new Map<number, number>()
    for (const { first, last, strength: rangeStrength } of this.#ranges) {
      this.#budget.spend((termStart[last]! - termStart[first]!) / 2)
      for (let at = termStart[first]!; at < termStart[last]!; at++) {
        const group = termGroups[at]!
        if (rangeStrength > (strengths.get(group) ?? 0)) strengths.set(group, rangeStrength)
      }
    }
    return strengths
  }
}
