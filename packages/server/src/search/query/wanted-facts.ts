import type { Wants } from '../../domain/interpretation.ts'
import { priceLevels } from '../../domain/location.ts'
import { toWallClock } from '../../kit/time.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { tripTokens } from '../text/intent-words.ts'
import { amenityForms } from '../text/query-words.ts'
import { openTest, type Test } from './filters.ts'
import { labelSetsWithWords } from './label-sets.ts'
import { bonus } from './weights.ts'

/** Facts that a text prefers, compiled for the documents of a segment. */
export interface WantedFacts {
  /** Returns 0 to `bonus.wants` by the share of the facts that the record of a document agrees with. */
  readonly bonusOf: (doc: number) => number
}

/** Stars of a luxury hotel, in tenths. */
const luxuryStars = 50

/**
 * Compiles the preferences of a text; undefined if it has none that records can agree with. A document that says
 * nothing of them, or something else, loses nothing.
 */
export function compileWants(
  segment: Segment,
  wants: Wants,
  nowMs: number | undefined,
  budget: Budget,
): WantedFacts | undefined {
  const tests = testsOf(segment, wants, nowMs, budget)
  if (tests.length === 0) return undefined
  const each = bonus.wants / tests.length
  return {
    bonusOf: doc => {
      let agreed = 0
      for (let i = 0; i < tests.length; i++) if (tests[i]!(doc)) agreed++
      return agreed * each
    },
  }
}

/** Returns a test for each preference. */
function testsOf(
  segment: Segment,
  { priceLevels: levels, stars, openNow, tripType, labels }: Wants,
  nowMs: number | undefined,
  budget: Budget,
): Test[] {
  const { arrays } = segment
  const prices = levels.map(level => priceLevels.indexOf(level) + 1)
  const isLuxury = levels.includes('LUXURY')
  const tests: Test[] = []
  if (prices.length > 0)
    tests.push(doc => prices.includes(arrays.price[doc]!) || (isLuxury && arrays.stars[doc]! >= luxuryStars))
  // "4 star" includes four and a half.
  if (stars !== undefined) tests.push(doc => Math.floor(arrays.stars[doc]! / 10) === stars)
  if (openNow && nowMs !== undefined) tests.push(openTest(segment, zone => toWallClock(nowMs, zone), budget))
  const withWords = (forms: readonly (readonly string[])[]) => {
    const sets = labelSetsWithWords(segment, forms, budget)
    tests.push(doc => sets.has(arrays.labels[doc]!))
  }
  if (tripType !== undefined) withWords(tripTokens[tripType].map(word => [word]))
  for (const label of labels) withWords(amenityForms(label))
  return tests
}
