import { findBestList } from '../index/best-lists.ts'
import { packLeader } from '../index/leaders.ts'
import type { Lexicon } from '../index/lexicon.ts'
import { geoCategory, type Segment, statusCode } from '../index/segment.ts'
import { eachText, textKind } from '../index/texts.ts'
import { isMatch, type Matcher, type WordTerms } from './matcher.ts'
import type { FilteredPart, PartGroup, PartResults, RankingContext, Variant } from './part-results.ts'
import { enoughResults } from './weights.ts'

/** Numbers of dead documents that match the words of lists, by the dead documents of a view. */
const deadMatches = new WeakMap<Uint8Array, Map<number, number | undefined>>()

/**
 * Adds the documents of the only word of a query by name from its best list. Returns false, and adds no document, if
 * the word has no list, or if the list does not decide the page: with filters or a location bias, or beyond its end.
 */
export function applyBestList(
  { lexicon, parts }: PartGroup,
  word: WordTerms,
  matchers: readonly Matcher[],
  { findLeader, reading }: Pick<Variant, 'findLeader' | 'reading'>,
  context: RankingContext,
  documents: readonly PartResults[],
): boolean {
  const { query, parsed } = context
  // A possessive prefers other spellings than the word that it is joined to.
  if (parsed.looksLikeCode || parsed.hasPossessive) return false
  if (lexicon !== context.lexicon || query.near !== undefined || query.collapse) return false
  const list = bestListOf(lexicon, word)
  if (list < 0) return false
  for (const { passes, dead, deadDocs } of parts) {
    if (passes !== undefined || (dead !== undefined && deadDocs === undefined)) return false
  }
  const { bestTotal, bestStart, bestPart, bestDocs, bestScore, bestName } = lexicon.arrays
  let live = bestTotal[list]!
  for (let i = 0; i < parts.length; i++) {
    const dead = countDead(parts[i]!, matchers[i]!, list, findLeader, context)
    if (dead === undefined) return false
    live -= dead
  }
  const wanted = Math.min(live, query.offset + query.limit)
  const end = endOfPage(lexicon, parts, list, wanted)
  if (end < 0 || live < enoughResults || countOpen(lexicon, parts, list) < enoughResults) return false
  for (let at = bestStart[list]!; at < end; at++) {
    const part = bestPart[at]!
    const doc = bestDocs[at]!
    if (parts[part]!.dead?.[doc] !== 1) documents[part]!.addScored(doc, bestScore[at]!, bestName[at]!, reading)
  }
  documents[0]!.skipAll(live - wanted)
  context.results.matching += live
  return true
}

/** Returns the number of the list of a word; -1 if it has no list. */
function bestListOf({ arrays, terms }: Lexicon, { word, exact, from, to }: WordTerms): number {
  if (!word.unfinished) return exact < 0 ? -1 : findBestList(arrays, exact, 0)
  // Without a term that starts with the word, `from` says nothing about the word.
  return to > from && terms.length(from) >= word.text.length ? findBestList(arrays, from, word.text.length) : -1
}

/** Returns the end of the part of a list that has `wanted` live documents; -1 if the list is too short. */
function endOfPage({ arrays }: Lexicon, parts: readonly FilteredPart[], list: number, wanted: number): number {
  const { bestStart, bestPart, bestDocs } = arrays
  let at = bestStart[list]!
  for (let found = 0; found < wanted; at++) {
    if (at === bestStart[list + 1]) return -1
    if (parts[bestPart[at]!]!.dead?.[bestDocs[at]!] !== 1) found++
  }
  return at
}

/** Counts the live documents of a list that are not CLOSED; these come last. */
function countOpen({ arrays }: Lexicon, parts: readonly FilteredPart[], list: number): number {
  const { bestStart, bestPart, bestDocs } = arrays
  let count = 0
  for (let at = bestStart[list]!; at < bestStart[list + 1]!; at++) {
    const { segment, dead } = parts[bestPart[at]!]!
    const doc = bestDocs[at]!
    if (dead?.[doc] !== 1 && segment.arrays.status[doc] !== statusCode.CLOSED) count++
  }
  return count
}

/**
 * Counts the dead documents of a part that match the word of a list; once per list and view. Returns undefined if one
 * of them is a city that no longer matches, because the scores in the list may have the penalty of its followers.
 */
function countDead(
  { segment, number, dead, deadDocs }: FilteredPart,
  matcher: Matcher,
  list: number,
  findLeader: Variant['findLeader'],
  { budget }: RankingContext,
): number | undefined {
  if (dead === undefined || deadDocs === undefined) return 0
  const counts = deadMatches.get(dead) ?? new Map<number, number | undefined>()
  deadMatches.set(dead, counts)
  if (counts.has(list)) return counts.get(list)
  budget.spend(deadDocs.length)
  let count: number | undefined = 0
  for (const doc of deadDocs) {
    if (count === undefined || !matchesWord(segment, matcher, doc)) continue
    const isCity = segment.arrays.category[doc] === geoCategory
    count = isCity && findLeader(packLeader(number, doc)) === undefined ? undefined : count + 1
  }
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
