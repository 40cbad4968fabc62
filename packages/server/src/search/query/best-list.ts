import { findBestList } from '../index/best-lists.ts'
import type { Segment } from '../index/segment.ts'
import { eachText, textKind } from '../index/texts.ts'
import { isMatch, type Matcher } from './matcher.ts'
import type { FilteredPart, PartResults, RankingContext } from './part-results.ts'
import { enoughResults } from './weights.ts'

/** Numbers of dead documents that match the words of lists, by the dead documents of a view. */
const deadMatches = new WeakMap<Uint8Array, Map<number, number>>()

/**
 * Adds the documents of the only word of a query by name from its best list. Returns false, and adds no document, if
 * the word has no list, or if the list does not decide the page: with filters or a location bias, or beyond its end.
 */
export function applyBestList(
  part: FilteredPart,
  matcher: Matcher,
  context: RankingContext,
  documents: PartResults,
): boolean {
  const { query, parsed, main } = context
  const { segment, dead } = part
  if (segment !== main || part.passes !== undefined || query.near !== undefined || parsed.looksLikeCode) return false
  const list = bestListOf(segment, matcher)
  if (list < 0 || (dead !== undefined && part.deadDocs === undefined)) return false
  const { bestTotal, bestStart, bestDocs, bestScore, bestName } = segment.arrays
  const live = bestTotal[list]! - countDead(part, matcher, list, context)
  const wanted = Math.min(live, query.offset + query.limit)
  const end = endOfPage(part, list, wanted)
  if (end < 0 || live < enoughResults) return false
  for (let at = bestStart[list]!; at < end; at++) {
    const doc = bestDocs[at]!
    if (dead?.[doc] !== 1) documents.addScored(doc, bestScore[at]!, bestName[at]!)
  }
  documents.skipAll(live - wanted)
  context.results.matching += live
  return true
}

/** Returns the number of the list of a word; -1 if it has no list. */
export function bestListOf({ arrays, terms }: Segment, { word, exact, from, to }: Matcher): number {
  if (!word.unfinished) return exact < 0 ? -1 : findBestList(arrays, exact, 0)
  // Without a term that starts with the word, `from` says nothing about the word.
  return to > from && terms.length(from) >= word.text.length ? findBestList(arrays, from, word.text.length) : -1
}

/** Returns the end of the part of a list that has `wanted` live documents; -1 if the list is too short. */
function endOfPage({ segment, dead }: FilteredPart, list: number, wanted: number): number {
  const { bestStart, bestDocs } = segment.arrays
  let at = bestStart[list]!
  for (let found = 0; found < wanted; at++) {
    if (at === bestStart[list + 1]) return -1
    if (dead?.[bestDocs[at]!] !== 1) found++
  }
  return at
}

/** Counts the dead documents that match the word of a list; once per list and view. */
function countDead(
  { segment, dead, deadDocs }: FilteredPart,
  matcher: Matcher,
  list: number,
  { budget }: RankingContext,
): number {
  if (dead === undefined || deadDocs === undefined) return 0
  const counts = deadMatches.get(dead) ?? new Map<number, number>()
  deadMatches.set(dead, counts)
  let count = counts.get(list)
  if (count !== undefined) return count
  budget.spend(deadDocs.length)
  count = 0
  for (const doc of deadDocs) if (matchesWord(segment, matcher, doc)) count++
  counts.set(list, count)
  return count
}

/** Returns true if a document matches a word by a name, a code or a label. */
function matchesWord({ arrays }: Segment, matcher: Matcher, doc: number): boolean {
  const { texts, textStart, labels } = arrays
  let found = matcher.labels.strengthOf(labels[doc]!) > 0
  eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
    if (kind === textKind.address) return
    for (let at = from; at < to && !found; at++) found = isMatch(matcher, texts[at]!)
  })
  return found
}
