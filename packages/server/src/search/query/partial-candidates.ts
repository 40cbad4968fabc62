import type { SearchType } from '../../domain/search.ts'
import { Growable } from '../../kit/growable.ts'
import { mapList } from '../../kit/map-list.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart } from '../index/index-view.ts'
import type { Lexicon } from '../index/lexicon.ts'
import type { WordTerms } from './matcher.ts'
import { firstByRank } from './rank-order.ts'
import type { PlaceDocuments } from './understand/place-documents.ts'
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

/** Part with the documents of a place. */
type PlacePart = IndexPart & { readonly within: PlaceDocuments | undefined }

/** Accumulators of each segment, all zero between queries. */
const scratch = new WeakMap<IndexPart['segment'], Accumulators>()

/** Terms of a lexicon from `from` up to `to` (exclusive). */
type TermRange = readonly [from: number, to: number]

/**
 * Returns documents of each part, within its place if it has one, that match a large share of the query, by
 * accumulating word weights term at a time. Of too many documents it keeps those with the largest matched share, and of
 * equal shares the first by rank.
 */
export function partialCandidates(
  lexicon: Lexicon,
  parts: readonly PlacePart[],
  words: readonly WordTerms[],
  type: SearchType,
  budget: Budget,
): readonly ArrayLike<number>[] {
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const ranges = words.map(word => rangesOf(lexicon, word, type))
  const found = parts.map((one, part) => levelsOf(one, lexicon, part, words, ranges, type, total, budget))
  return bestOf(parts, found)
}

/** Returns the terms of a word whose postings are counted. */
function rangesOf({ arrays }: Lexicon, { from, to, exact, same, similar }: WordTerms, type: SearchType): TermRange[] {
  const start = type === 'ADDRESS' ? arrays.addressStart : arrays.nameStart
  const ranges: TermRange[] = []
  let postings = 0
  const add = (first: number, last: number) => {
    const length = start[last]! - start[first]!
    if (postings + length > maxPostings) return
    postings += length
    ranges.push([first, last])
  }
  if (to > from) add(from, to)
  else if (exact >= 0) add(exact, exact + 1)
  for (const term of same) if (term < from || term >= to) add(term, term + 1)
  for (const term of similar?.keys() ?? []) add(term, term + 1)
  return ranges
}

/** Documents of a part with the level of each: its matched share of the query, rounded down. */
interface Levels {
  readonly docs: readonly number[]
  readonly levels: Uint8Array
}

/** Number of levels that the matched share of a query is rounded down to. */
const levelCount = 32

/** Accumulates the weights of the words in the documents of a part. */
function levelsOf(
  { segment, within }: PlacePart,
  lexicon: Lexicon,
  part: number,
  words: readonly WordTerms[],
  ranges: readonly (readonly TermRange[])[],
  type: SearchType,
  total: number,
  budget: Budget,
): Levels {
  const { count, arrays } = segment
  const sums = scratch.get(segment) ?? { weight: new Float32Array(count), lastWord: new Uint8Array(count) }
  scratch.set(segment, sums)
  const [start, postings] =
    type === 'ADDRESS' ? [arrays.addressStart, arrays.addressDocs] : [arrays.nameStart, arrays.nameDocs]
  const docs: number[] = []
  try {
    for (const [i, { weight }] of words.entries()) {
      for (const [from, to] of ranges[i]!) {
        const end = start[lexicon.termsBelow(part, to)]!
        let at = start[lexicon.termsBelow(part, from)]!
        budget.spend((end - at) / 4)
        for (; at < end; at++) {
          const doc = postings[at]!
          if (sums.lastWord[doc] === i + 1) continue
          if (sums.lastWord[doc] === 0) docs.push(doc)
          sums.lastWord[doc] = i + 1
          sums.weight[doc]! += weight
        }
      }
    }
    budget.spend(docs.length / 2)
    const inside = within === undefined ? docs : docs.filter(within.has)
    const levels = new Uint8Array(inside.length)
    for (let i = 0; i < inside.length; i++)
      levels[i] = Math.min(levelCount - 1, Math.floor((sums.weight[inside[i]!]! / total) * levelCount))
    return { docs: inside, levels }
  } finally {
    // Also when the budget is exceeded: the next query uses the same memory.
    for (const doc of docs) {
      sums.weight[doc] = 0
      sums.lastWord[doc] = 0
    }
  }
}

/** Returns up to `maxCandidates` documents of the highest levels; within the lowest of these levels by rank. */
function bestOf(parts: readonly IndexPart[], found: readonly Levels[]): readonly ArrayLike<number>[] {
  const counts = new Uint32Array(levelCount)
  for (const { levels } of found) for (const level of levels) counts[level]!++
  // Areas and labels can still add to the share, so half the minimum share suffices here.
  const lowest = Math.floor((levelCount * minPartialShare) / 2)
  let level = levelCount - 1
  let above = 0
  while (level > lowest && above + counts[level]! < maxCandidates) above += counts[level--]!
  const chosen = found.map(() => new Growable(Uint32Array))
  const last = found.map(({ docs, levels }, part) => {
    const some = new Growable(Uint32Array)
    for (let i = 0; i < docs.length; i++) {
      if (levels[i]! > level) chosen[part]!.push(docs[i]!)
      else if (levels[i] === level) some.push(docs[i]!)
    }
    return some.view().sort()
  })
  const ends = firstByRank(parts, last, maxCandidates - above)
  return mapList(chosen, (docs, part) => {
    docs.append(last[part]!.subarray(0, ends[part]))
    return docs.view()
  })
}
