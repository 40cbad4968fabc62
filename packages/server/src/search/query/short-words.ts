import { isBigram } from '../../kit/tokens.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { isMatch, type Matcher } from './matcher.ts'

/** Maximum length of a short word, in code units. */
const shortWord = 3

/** Steps of the comparison of a name with the query. */
const stepsPerName = 0.5

/**
 * Restricts the areas that short words match. A short word is part of the names of many areas ("Mexico by" is Danish).
 * It matches only if the query contains the entire name of an area, or its beginning at the end of the query.
 */
export function restrictShortWords(segment: Segment, matchers: readonly Matcher[], budget: Budget): void {
  for (const matcher of matchers) {
    const { text } = matcher.word
    if (text.length > shortWord || isBigram(text) || matcher.areas.size === 0) continue
    matcher.areas.restrict(area => isInQuery(segment, area, matchers, matcher, budget))
  }
}

/** Returns true if the query contains a name of the area, or of its place, that contains the word. */
function isInQuery(
  { arrays }: Segment,
  area: number,
  matchers: readonly Matcher[],
  word: Matcher,
  budget: Budget,
): boolean {
  const { areaTexts, areaTextStart, areaPlace, placeTexts, placeTextStart } = arrays
  const hasRun = (runs: Uint32Array, from: number, to: number) => {
    for (let at = from; at < to; at += runs[at]! + 1) {
      budget.spend(stepsPerName)
      if (queryContains(matchers, word, runs, at + 1, at + 1 + runs[at]!)) return true
    }
    return false
  }
  if (hasRun(areaTexts, areaTextStart[area]!, areaTextStart[area + 1]!)) return true
  const place = areaPlace[area]! - 1
  return place >= 0 && hasRun(placeTexts, placeTextStart[place]!, placeTextStart[place + 1]!)
}

/** Returns true if the query contains the terms from `from` up to `to` (exclusive), and `word` is one of them. */
function queryContains(
  matchers: readonly Matcher[],
  word: Matcher,
  terms: Uint32Array,
  from: number,
  to: number,
): boolean {
  let hasWord = false
  for (let at = from; at < to; at++) {
    const term = terms[at]!
    let i = 0
    while (i < matchers.length && !isMatch(matchers[i]!, term)) i++
    if (i === matchers.length) return false
    if (isMatch(word, term)) hasWord = true
    if (hasWord && matchers[i]!.word.unfinished) return true
  }
  return hasWord
}
