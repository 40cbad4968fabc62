import { type Segment, textKind } from '../index/segment.ts'
import { countryNamed } from '../text/country-names.ts'
import { reservedTerm } from '../text/terms.ts'
import { tokens } from '../text/tokens.ts'
import type { Test } from './filter.ts'

const nothing: Test = () => false

/** Documents with this postal code, however it is spaced. */
export function postalTest({ terms, arrays }: Segment, postalCode: string): Test {
  const term = terms.find(reservedTerm.postalCode(postalCode))
  return term < 0 ? nothing : doc => arrays.postal[doc] === term + 1
}

/**
 * Documents in what is called so: surroundings of that whole name in any language, or a country. "Athens, Georgia"
 * asks for both.
 */
export function areaTest(segment: Segment, geoName: string): Test {
  const parts = geoName
    .split(',')
    .map(tokens)
    .filter(words => words.length > 0)
  if (parts.length === 0) return nothing
  const tests = parts.map(words => partTest(segment, words))
  return doc => tests.every(test => test(doc))
}

function partTest(segment: Segment, words: readonly string[]): Test {
  const { arrays, facts } = segment
  const countryCode = countryNamed(words.join(' '))
  const country = countryCode === undefined ? 0 : facts.countries.indexOf(countryCode) + 1
  const areas = areasCalled(segment, words)
  return doc => areas.has(arrays.area[doc]!) || (country !== 0 && arrays.country[doc] === country)
}

/** How many areas `areasCalled` has to look at. */
export function areasToCompare({ arrays, terms }: Segment, words: readonly string[]): number {
  const { areaTermStart: start } = arrays
  const sizes = words.map(word => terms.find(word)).map(term => (term < 0 ? 0 : start[term + 1]! - start[term]!))
  return Math.min(...sizes)
}

/** The areas of which one name, in any language, is exactly these words. */
export function areasCalled(segment: Segment, words: readonly string[]): ReadonlySet<number> {
  const { arrays, terms } = segment
  const numbers = words.map(word => terms.find(word))
  const areas = new Set<number>()
  if (numbers.length === 0 || numbers.includes(-1)) return areas
  const { areaTermStart: start, areaTermAreas } = arrays
  const size = (term: number) => start[term + 1]! - start[term]!
  const rarest = numbers.reduce((a, b) => (size(b) < size(a) ? b : a))
  for (let at = start[rarest]!; at < start[rarest + 1]!; at++) {
    if (isCalled(segment, areaTermAreas[at]!, numbers)) areas.add(areaTermAreas[at]!)
  }
  return areas
}

/** Whether one of the area's own names, or a name of the place that it is named after, is exactly these terms. */
function isCalled(segment: Segment, area: number, terms: readonly number[]): boolean {
  const { areaTexts, areaTextStart, areaPlace } = segment.arrays
  for (let at = areaTextStart[area]!; at < areaTextStart[area + 1]!; at += areaTexts[at]! + 1) {
    if (isRun(areaTexts, at + 1, areaTexts[at]!, terms)) return true
  }
  return areaPlace[area] !== 0 && hasName(segment, areaPlace[area]! - 1, terms)
}

/** Whether a name of the document is exactly these terms. */
export function hasName({ arrays: { texts, textStart } }: Segment, doc: number, terms: readonly number[]): boolean {
  for (let at = textStart[doc]!; at < textStart[doc + 1]!; ) {
    const header = texts[at]!
    if (header >>> 30 === textKind.name && isRun(texts, at + 1, header & 0xff, terms)) return true
    at += 1 + (header & 0xff)
  }
  return false
}

const isRun = (list: Uint32Array, from: number, length: number, terms: readonly number[]): boolean =>
  length === terms.length && terms.every((term, i) => list[from + i] === term)
