import type { SearchType } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import type { Matcher } from './matcher.ts'
import { minPartialShare } from './weights.ts'

/** Maximum number of postings per word, similar terms included; additional lists of the word are skipped. */
const maxPostings = 10_000
/** Maximum number of candidates. */
const maxCandidates = 400

/** Accumulators by document: total weight of the matched words, and the last counted word (from 1). */
interface Accumulators {
  readonly weight: Float32Array
  readonly lastWord: Uint8Array
}

/** Accumulators of each segment, all zero between queries. */
const scratch = new WeakMap<Segment, Accumulators>()

/**
 * Returns documents that match a large part of the query, by accumulating word weights term at a time. Of too many
 * documents it keeps those with the largest matched share, and of equal shares the most popular.
 */
export function partialCandidates(
  segment: Segment,
  matchers: readonly Matcher[],
  type: SearchType,
  budget: Budget,
): Uint32Array {
  const { count } = segment
  const sums = scratch.get(segment) ?? { weight: new Float32Array(count), lastWord: new Uint8Array(count) }
  scratch.set(segment, sums)
  const touched: number[] = []
  try {
    for (const [i, matcher] of matchers.entries()) accumulate(segment, matcher, i + 1, type, sums, touched, budget)
    budget.spend(touched.length / 2)
    const total = matchers.reduce((sum, { weight }) => sum + weight, 0)
    return bestOf(touched, doc => Math.min(levels - 1, Math.floor((sums.weight[doc]! / total) * levels)))
  } finally {
    // Also when the budget is exceeded: the next query uses the same memory.
    for (const doc of touched) {
      sums.weight[doc] = 0
      sums.lastWord[doc] = 0
    }
  }
}

/**
 * Adds the weight of a word, given with its number from 1, to its documents; `touched` receives those with a first
 * word.
 */
function accumulate(
  { arrays }: Segment,
  matcher: Matcher,
  word: number,
  type: SearchType,
  sums: Accumulators,
  touched: number[],
  budget: Budget,
): void {
  const [start, docs] =
    type === 'ADDRESS' ? [arrays.addressStart, arrays.addressDocs] : [arrays.nameStart, arrays.nameDocs]
  let postings = 0
  const addTerms = (from: number, to: number) => {
    const length = start[to]! - start[from]!
    if (postings + length > maxPostings) return
    postings += length
    budget.spend(length / 4)
    for (let at = start[from]!; at < start[to]!; at++) {
      const doc = docs[at]!
      if (sums.lastWord[doc] === word) continue
      if (sums.lastWord[doc] === 0) touched.push(doc)
      sums.lastWord[doc] = word
      sums.weight[doc]! += matcher.weight
    }
  }
  if (matcher.to > matcher.from) addTerms(matcher.from, matcher.to)
  else if (matcher.exact >= 0) addTerms(matcher.exact, matcher.exact + 1)
  for (const term of matcher.similar?.keys() ?? []) addTerms(term, term + 1)
}

/** Number of levels that the matched share of a query is rounded down to. */
const levels = 32

/** Returns up to `maxCandidates` documents of the highest levels; within the lowest of these levels by rank. */
function bestOf(docs: readonly number[], levelOf: (doc: number) => number): Uint32Array {
  const counts = new Uint32Array(levels)
  for (const doc of docs) counts[levelOf(doc)]!++
  // Areas and labels can still add to the share, so half the minimum share suffices here.
  const lowest = Math.floor((levels * minPartialShare) / 2)
  let level = levels - 1
  let above = 0
  while (level > lowest && above + counts[level]! < maxCandidates) above += counts[level--]!
  const chosen = docs.filter(doc => levelOf(doc) > level)
  const last = Uint32Array.from(docs.filter(doc => levelOf(doc) === level)).sort()
  return Uint32Array.from([...chosen, ...last.subarray(0, maxCandidates - chosen.length)])
}
