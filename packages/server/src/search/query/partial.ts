import type { SearchType } from '../../domain/search.ts'
import type { Segment } from '../index/segment.ts'
import { leastPartial } from '../index/weights.ts'
import type { Budget } from './budget.ts'
import type { Matcher } from './matcher.ts'

/** Postings of a word, misspellings included, beyond which it says too little to look for a place by it. */
const mostPostings = 10_000
/** Places that are compared with the query. */
const mostDocs = 400

/** Per document: the weight of the words that it holds, and the last word (from 1) that was counted. */
interface Holdings {
  readonly weight: Float32Array
  readonly lastWord: Uint8Array
}

const scratch = new WeakMap<Segment, Holdings>()

/** Documents that hold a good part of the query: of too many, those with the largest parts, and of equals the most popular. */
export function partialCandidates(
  segment: Segment,
  matchers: readonly Matcher[],
  type: SearchType,
  budget: Budget,
): Uint32Array {
  const { arrays, count } = segment
  const held = scratch.get(segment) ?? { weight: new Float32Array(count), lastWord: new Uint8Array(count) }
  scratch.set(segment, held)
  const touched: number[] = []
  const [start, docs] =
    type === 'ADDRESS' ? [arrays.addressStart, arrays.addressDocs] : [arrays.nameStart, arrays.nameDocs]
  for (const [i, matcher] of matchers.entries()) {
    let postings = 0
    const hold = (from: number, to: number) => {
      const more = start[to]! - start[from]!
      if (postings + more > mostPostings || budget.exhausted) return
      postings += more
      budget.spend(more / 4)
      for (let at = start[from]!; at < start[to]!; at++) {
        const doc = docs[at]!
        if (held.lastWord[doc] === i + 1) continue
        if (held.lastWord[doc] === 0) touched.push(doc)
        held.lastWord[doc] = i + 1
        held.weight[doc]! += matcher.weight
      }
    }
    if (matcher.to > matcher.from) hold(matcher.from, matcher.to)
    else if (matcher.exact >= 0) hold(matcher.exact, matcher.exact + 1)
    for (const term of matcher.similar?.keys() ?? []) hold(term, term + 1)
  }
  const total = matchers.reduce((sum, { weight }) => sum + weight, 0)
  const best = largest(touched, doc => Math.min(levels - 1, Math.floor((held.weight[doc]! / total) * levels)))
  for (const doc of touched) {
    held.weight[doc] = 0
    held.lastWord[doc] = 0
  }
  return best
}

/** Steps in which the held part of a query is told apart. */
const levels = 32

/** The documents of the highest levels, as many as are compared; of the last level those that rank first. */
function largest(docs: readonly number[], levelOf: (doc: number) => number): Uint32Array {
  const counts = new Uint32Array(levels)
  for (const doc of docs) counts[levelOf(doc)]!++
  // What the surroundings may add is not known yet, so less than the least part is let through.
  const lowest = Math.floor((levels * leastPartial) / 2)
  let level = levels - 1
  let above = 0
  while (level > lowest && above + counts[level]! < mostDocs) above += counts[level--]!
  const chosen = docs.filter(doc => levelOf(doc) > level)
  const last = Uint32Array.from(docs.filter(doc => levelOf(doc) === level)).sort()
  return Uint32Array.from([...chosen, ...last.subarray(0, mostDocs - chosen.length)])
}
