import type { Segment } from '../index/segment.ts'
import type { Matcher } from './matcher.ts'
import { boundQuality, wholeWordTest } from './single-word.ts'
import { bonus, quality, strength } from './weights.ts'

/** Returns an upper bound of the quality of a document; documents must not decrease from call to call. */
export type QualityBound = (doc: number) => number

/** Tolerance for the rounding of sums of weights. */
export const rounding = 1e-9

/** Returns the bound for the only word of a query by name. */
export function boundOfWord(segment: Segment, matcher: Matcher, looksLikeCode: boolean, factor: number): QualityBound {
  const bounds = boundQuality(segment, matcher, { looksLikeCode, knowsNamed: false })
  const isWhole = wholeWordTest(segment, matcher)
  return doc => (isWhole(doc) ? bounds.named : bounds.other) * factor + rounding
}

/**
 * Returns the bound for several words of a query by name; it includes the bonus of the area. A document without the
 * whole word in a name matches it as a prefix, a misspelling or a property outside names.
 */
export function boundOfWords(
  segment: Segment,
  matchers: readonly Matcher[],
  looksLikeCode: boolean,
  factor: number,
): QualityBound {
  const words = matchers.map(matcher => ({
    matcher,
    isWhole: wholeWordTest(segment, matcher),
    other: maxStrengthOfParts(matcher),
  }))
  const total = matchers.reduce((sum, { weight }) => sum + weight, 0)
  const hasArea = matchers.some(({ areas, country }) => areas.size > 0 || country !== 0)
  const ofCode = (looksLikeCode ? quality.code : 0) * factor + rounding
  const { area, areaPlace, popularity, country } = segment.arrays
  return doc => {
    let strongest = 0
    for (const { matcher, isWhole, other } of words) {
      let found = other
      if (isWhole(doc)) found = strength.exact
      else if (matcher.areas.strengthOf(area[doc]!) > 0) found = strength.area
      else if (matcher.country !== 0 && matcher.country === country[doc]) found = strength.area
      strongest += matcher.weight * found
    }
    const place = hasArea ? areaPlace[area[doc]!]! : 0
    const ofArea = place > 0 ? bonus.areaPopularity * popularity[place - 1]! : 0
    return (strongest / total) * factor + ofArea + ofCode
  }
}

/** Returns the bound for a query of another type. */
export const boundOfType = (looksLikeCode: boolean, factor: number): QualityBound => {
  const bound = (1 + (looksLikeCode ? quality.code : 0)) * factor + bonus.areaPopularity + rounding
  return () => bound
}

/** Returns an upper bound of the strength of a word's matches, except for whole words in names and for areas. */
function maxStrengthOfParts({ from, to, similar, word, labels }: Matcher): number {
  const { length } = word.text
  return Math.max(
    word.optional ? strength.area : 0,
    labels.size > 0 ? strength.category : 0,
    to > from ? strength.prefix + (strength.prefixGain * length) / (length + 1) : 0,
    similar === undefined ? 0 : strength.edits[1],
  )
}
