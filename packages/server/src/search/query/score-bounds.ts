import { nameSummary } from '../index/impacts.ts'
import type { Segment } from '../index/segment.ts'
import { type Matcher, namesPlace, namesPlaceOf } from './matcher.ts'
import type { Variant } from './part-results.ts'
import { wholeWordTest } from './single-word.ts'
import type { WantedFacts } from './wanted-facts.ts'
import { bonus, quality, strength } from './weights.ts'

/** Upper bounds of the qualities of documents. */
export interface QualityBound {
  /** Upper bound for all documents. */
  readonly highest: number
  /** Returns an upper bound for a document; documents must not decrease from call to call. */
  readonly of: (doc: number) => number
}

/** Tolerance for the rounding of sums of weights. */
export const rounding = 1e-9

/** Largest weight of a term. */
const maxTermWeight = 255
/** Maximum number of terms of a word whose weights are looked up. */
const maxTermsLookedUp = 64

/** Bounds of one word of a query, and a test for the documents with the whole word in a name. */
interface WordBounds {
  readonly matcher: Matcher
  readonly isWhole: (doc: number) => boolean
  /** Strength of its matches except for whole words in names and for areas. */
  readonly other: number
  /** Weight of the term that it matches in a name, times the strength; with and without the whole word. */
  readonly coveredWhole: number
  readonly coveredOther: number
}

/**
 * Returns the bound for words of a query by name; it includes the bonuses of the area and of what the text wants.
 * With S for the sum of the words' weights times the strengths of their matches, divided by the sum of their weights,
 * and C for the same of the terms of a name that they match, divided by the weight of the entire name, a name scores at
 * most
 *   S × (base + completeness × C + ordered + startsName).
 * A document without the whole word in a name matches it as a prefix, a misspelling or a property outside names, so
 * that S is bounded word by word. C is bounded by the heaviest terms that the words can match, divided by the weight
 * of the document's lightest name. Labels and area alone score at most S times the quality of such a match.
 */
export function boundOfWords(
  segment: Segment,
  matchers: readonly Matcher[],
  looksLikeCode: boolean,
  { factor, place: readPlace, scorer: { isKind, inPlace }, wanted }: Variant,
): QualityBound {
  const words = matchers.map(matcher => wordBounds(segment, matcher))
  const total = matchers.reduce((sum, { weight }) => sum + weight, 0)
  const hasArea = matchers.some(namesPlace)
  const hasLabel = matchers.some(({ labels }) => labels.size > 0)
  const ofOutside = !hasLabel
    ? 0
    : inPlace || matchers.some(({ word }) => word.where)
      ? quality.categoryInArea
      : quality.categoryAndArea
  const ofCloseness = hasArea || readPlace !== undefined ? bonus.areaCloseness : 0
  const ofRest = (looksLikeCode ? quality.code : 0) * factor + ofCloseness + rounding
  const placeBonus = readPlace?.maxBonus ?? 0
  const { area, areaPlace, placePopularity, nameSummaries } = segment.arrays
  if (isKind) {
    return withWanted(Math.max(quality.kind, quality.kindInName) * factor + placeBonus + ofRest, wanted)
  }
  const of = (doc: number) => {
    let strongest = 0
    let covered = 0
    for (const { matcher, isWhole, other, coveredWhole, coveredOther } of words) {
      const hasWhole = isWhole(doc)
      let found = other
      if (hasWhole) found = strength.exact
      else if (matcher.areas.strengthOf(area[doc]!) > 0) found = strength.area
      else if (namesPlaceOf(matcher, segment, doc)) found = strength.area
      strongest += matcher.weight * found
      covered += hasWhole ? coveredWhole : coveredOther
    }
    const lightest = (nameSummaries[doc]! & nameSummary.lightest) * nameSummary.weightPerUnit
    const complete = Math.min(1, covered / lightest)
    const ofName = quality.base + quality.completeness * complete + quality.ordered + quality.startsName
    const place = hasArea ? areaPlace[area[doc]!]! : 0
    const ofArea = place > 0 ? bonus.areaPopularity * placePopularity[place - 1]! : 0
    const ofWanted = wanted?.bonusOf(doc) ?? 0
    return (strongest / total) * Math.max(ofName, ofOutside) * factor + Math.max(ofArea, placeBonus) + ofWanted + ofRest
  }
  return { highest: factor + (hasArea ? bonus.areaPopularity : placeBonus) + maxWanted(wanted) + ofRest, of }
}

const maxWanted = (wanted: WantedFacts | undefined): number => (wanted === undefined ? 0 : bonus.wants)

/** Returns a bound that varies only by the bonus for what the text wants. */
const withWanted = (others: number, wanted: WantedFacts | undefined): QualityBound => ({
  highest: others + maxWanted(wanted),
  of: doc => others + (wanted?.bonusOf(doc) ?? 0),
})

function wordBounds(segment: Segment, matcher: Matcher): WordBounds {
  const { weight } = segment.arrays
  const { exact, same, from, to, similar } = matcher
  const other = maxStrengthOfParts(matcher)
  const terms = to - from + (similar?.size ?? 0)
  let heaviest = 0
  if (terms > maxTermsLookedUp) heaviest = maxTermWeight
  else {
    for (let term = from; term < to; term++) heaviest = Math.max(heaviest, weight[term]!)
    for (const term of same) heaviest = Math.max(heaviest, weight[term]!)
    for (const term of similar?.keys() ?? []) heaviest = Math.max(heaviest, weight[term]!)
  }
  const coveredOther = heaviest * other
  return {
    matcher,
    isWhole: wholeWordTest(segment, matcher),
    other,
    // A name may have a second such term, but the whole word only once.
    coveredWhole: exact < 0 ? 0 : Math.max(weight[exact]! * strength.exact, coveredOther),
    coveredOther,
  }
}

/** Returns the bound for a query of another type. */
export const boundOfType = (looksLikeCode: boolean, { factor, wanted }: Variant): QualityBound =>
  withWanted(
    (1 + (looksLikeCode ? quality.code : 0)) * factor + bonus.areaPopularity + bonus.areaCloseness + rounding,
    wanted,
  )

/** Returns an upper bound of the strength of a word's matches, except for whole words in names and for areas. */
function maxStrengthOfParts({ same, from, to, similar, word, labels }: Matcher): number {
  const { length } = word.text
  return Math.max(
    same.length > 0 ? strength.same : 0,
    word.optional ? strength.area : 0,
    labels.size > 0 ? strength.transport : 0,
    to > from ? strength.prefix + (strength.prefixGain * length) / (length + 1) : 0,
    similar === undefined ? 0 : strength.edits[1],
  )
}
