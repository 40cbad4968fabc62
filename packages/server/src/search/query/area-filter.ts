import { countryNamed } from '../../gazetteer/countries.ts'
import { regionsNamed } from '../../gazetteer/regions.ts'
import { tokens } from '../../kit/tokens.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { equalTerms } from '../index/texts.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import type { Test } from './filters.ts'
import { placeOfCode } from './place-codes.ts'

const rejectAll: Test = () => false

/** Returns a test for documents with a postal code, independent of case, spaces and punctuation. */
export function postalTest({ terms, arrays }: Segment, postalCode: string): Test {
  const term = terms.find(reservedTerm.postalCode(postalCode))
  return term < 0 ? rejectAll : doc => arrays.postal[doc] === term + 1
}

/**
 * Returns a test for documents in an area: one of their surroundings has exactly this name in any language, or it is
 * the name of their country, state or province. Every part of a name with commas has to match: "Athens, Georgia".
 * Parts behind a comma may be codes: "Athens, GA"; so may a qualifier, which follows the name of a place.
 */
export function areaTest(segment: Segment, geoName: string, budget: Budget, isQualifier = false): Test {
  const parts = geoName.split(',').map((part, i) => ({ words: tokens(part), isBehindComma: isQualifier || i > 0 }))
  const named = parts.filter(({ words }) => words.length > 0)
  if (named.length === 0) return rejectAll
  const tests = named.map(({ words, isBehindComma }) => partTest(segment, words, isBehindComma, budget))
  return doc => tests.every(test => test(doc))
}

function partTest(segment: Segment, words: readonly string[], mayBeCode: boolean, budget: Budget): Test {
  const { arrays, facts } = segment
  const phrase = words.join(' ')
  const code = mayBeCode ? placeOfCode(phrase.toUpperCase()) : undefined
  const countryCode = countryNamed(phrase) ?? code?.country
  const country = countryCode === undefined ? 0 : facts.countries.indexOf(countryCode) + 1
  const regions = segment.regionsOf([...regionsNamed(phrase), ...(code?.regions ?? [])])
  const areas = areasNamed(segment, words, budget)
  return doc =>
    areas.has(arrays.area[doc]!) ||
    (country !== 0 && arrays.country[doc] === country) ||
    regions?.[arrays.region[doc]!] === 1
}

const noAreas: ReadonlySet<number> = new Set()

/** Returns the areas with a name, in any language, that consists of exactly these words. */
export function areasNamed(segment: Segment, words: readonly string[], budget: Budget): ReadonlySet<number> {
  budget.spend(5 * words.length)
  const numbers = segment.terms.findAll(words)
  if (numbers === undefined) return noAreas
  const { areaTermStart: start, areaTermAreas } = segment.arrays
  let rarest = numbers[0]!
  for (const term of numbers) if (start[term + 1]! - start[term]! < start[rarest + 1]! - start[rarest]!) rarest = term
  let areas: Set<number> | undefined
  for (let at = start[rarest]!; at < start[rarest + 1]!; at++) {
    budget.spend(1)
    if (areaHasName(segment, areaTermAreas[at]!, numbers)) areas = (areas ?? new Set()).add(areaTermAreas[at]!)
  }
  return areas ?? noAreas
}

/** Returns true if a name of the area, or of the place that it is named after, is exactly these terms. */
function areaHasName(segment: Segment, area: number, terms: readonly number[]): boolean {
  const { areaTexts, areaTextStart, areaPlace, placeTexts, placeTextStart } = segment.arrays
  if (hasRun(areaTexts, areaTextStart[area]!, areaTextStart[area + 1]!, terms)) return true
  const place = areaPlace[area]! - 1
  return place >= 0 && hasRun(placeTexts, placeTextStart[place]!, placeTextStart[place + 1]!, terms)
}

/** Returns true if the most specific name of an area, or a name of the place that it is named after, is these words. */
export function isNamedFirst({ arrays, terms }: Segment, area: number, words: readonly string[]): boolean {
  const { areaTexts, areaTextStart, areaPlace, placeTexts, placeTextStart } = arrays
  const numbers = words.map(word => terms.find(word))
  const first = areaTextStart[area]!
  if (hasRun(areaTexts, first, first + 1, numbers)) return true
  const place = areaPlace[area]! - 1
  return place >= 0 && hasRun(placeTexts, placeTextStart[place]!, placeTextStart[place + 1]!, numbers)
}

/** Returns true if one of the runs from `from` up to `to` (exclusive) is exactly these terms. */
function hasRun(runs: Uint32Array, from: number, to: number, terms: readonly number[]): boolean {
  for (let at = from; at < to; at += runs[at]! + 1) if (equalTerms(runs, at + 1, runs[at]!, terms)) return true
  return false
}
