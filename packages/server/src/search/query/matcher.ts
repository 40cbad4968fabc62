import { mapList } from '../../kit/map-list.ts'
import type { Budget } from '../index/budget.ts'
import type { Lexicon } from '../index/lexicon.ts'
import type { Segment } from '../index/segment.ts'
import { termWeight } from '../index/term-weight.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import { GroupMatches } from './group-matches.ts'
import type { Leniency, Misspellings, SimilarTerms } from './misspellings.ts'
import type { Reading } from './understand/reading.ts'
import { strength } from './weights.ts'
import type { Word } from './word.ts'

/** Reserved terms of the kinds of transport that words denote. */
const transport = new Set(['airport', 'railway_station'].map(reservedTerm.category))

/** Minimum length of an incomplete word that also matches areas and labels as a prefix. */
const minGroupPrefixLength = 3

/** Terms and groups of one segment that match a word of the query. */
export interface Matcher {
  readonly word: Word
  /** Inverse document frequency weight of the word, 0 to 1; the same in all parts. */
  readonly weight: number
  /** Term of the word itself, or -1. */
  readonly exact: number
  /** Terms of the same meaning, such as "saint" for "st"; few. */
  readonly same: readonly number[]
  /** Range of terms that start with an incomplete word; empty for a complete one. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /**
   * Terms between `from` and `to` that other words of the query match exactly, ascending. In a text that contains such a
   * term once, its own word matches it, so that this word needs another one.
   */
  readonly taken: readonly number[]
  /** Terms that the word may be a misspelling of; undefined if spelling correction is off. */
  readonly similar: SimilarTerms | undefined
  readonly areas: GroupMatches
  readonly labels: GroupMatches
  /** Country as numbered in the segment's `country` column; 0 if the word does not name a country. */
  readonly country: number
  /** 1 for each region that the word names, as numbered in the segment's `region` column; undefined without one. */
  readonly regions: Uint8Array | undefined
}

/** Returns the strength of the match between a word and a term of a name or address, 0 (no match) to 1. */
export function strengthOf(segment: Segment, matcher: Matcher, term: number): number {
  if (term === matcher.exact) return strength.exact
  if (isSame(matcher, term)) return strength.same
  if (term >= matcher.from && term < matcher.to) {
    return strength.prefix + strength.prefixGain * (matcher.word.text.length / segment.terms.length(term))
  }
  const edits = matcher.similar?.editsOf(term)
  return edits === undefined ? 0 : strength.edits[edits]!
}

/** Returns true if a term has the same meaning as a word, but is another one. */
export const isSame = ({ same }: Matcher, term: number): boolean => same.length > 0 && same.includes(term)

/** Returns true if a word matches a term of a name or address. */
export const isMatch = (matcher: Matcher, term: number): boolean =>
  term === matcher.exact ||
  (term >= matcher.from && term < matcher.to) ||
  matcher.similar?.editsOf(term) !== undefined ||
  isSame(matcher, term)

/** Returns true if a word names the country or a region of a document. */
export const namesPlaceOf = ({ country, regions }: Matcher, { arrays }: Segment, doc: number): boolean =>
  (country !== 0 && country === arrays.country[doc]) || regions?.[arrays.region[doc]!] === 1

/** Returns true if a word names an area, a country or a region. */
export const namesPlace = ({ areas, country, regions }: Matcher): boolean =>
  areas.size > 0 || country !== 0 || regions !== undefined

/** Maximum number of groups of a range of several terms; larger ranges are too unspecific and are ignored. */
const maxGroupsOfRange = 5000

/** Terms of a lexicon that match a word of the query. */
export interface WordTerms extends Pick<Matcher, 'word' | 'weight' | 'exact' | 'same' | 'from' | 'to' | 'similar'> {
  /** Reserved terms of the categories that the word denotes. */
  readonly categories: readonly number[]
}

/** Looks up a word in a lexicon; its weight is that of the `main` one. `isFirst` is true for the first word of a query. */
export function wordTermsOf(
  lexicon: Lexicon,
  word: Word,
  main: Lexicon,
  misspellings: Misspellings,
  leniency: Leniency,
  isFirst = true,
): WordTerms {
  const found = findTerms(lexicon, word)
  const weight = wordWeight(main, word, lexicon === main ? found : findTerms(main, word))
  const similar = misspellings.of(word.text, found.exact, leniency, isFirst)
  const categories = mapList(word.categories, category => lexicon.terms.find(category)).filter(term => term >= 0)
  const { exact, same, from, to } = found
  return { word, weight, exact, same, from, to, similar, categories }
}

/** Properties outside names that a word may match. */
export interface Wanted {
  readonly areas: boolean
  readonly country: boolean
  readonly regions: boolean
  readonly labels: boolean
}

/** Returns the matcher of a word for one part of a lexicon. `wanted` selects what it may match next to names. */
export function matcherOf(
  segment: Segment,
  lexicon: Lexicon,
  part: number,
  found: WordTerms,
  wanted: Wanted,
  budget: Budget,
): Matcher {
  budget.spend(20)
  const { word, weight } = found
  const { exact, same, from, to, similar } = termsOfPart(lexicon, part, found)
  const areas = new GroupMatches(segment.areas, budget)
  const labels = new GroupMatches(segment.labels, budget)
  const isPrefix = wanted.areas && to > from && word.text.length >= minGroupPrefixLength
  const { areaTermStart, labelTermStart } = lexicon.arrays
  if (wanted.areas && !word.isKind)
    addAreas(areas, { exact, same, from, to, similar }, isPrefix && isSpecific(areaTermStart, found))
  if (wanted.labels) {
    const terms = [
      exact,
      ...(word.isDish ? same : []),
      ...found.categories.map(category => lexicon.termIn(part, category)),
    ]
    for (const term of terms) if (term >= 0) labels.add(term, term + 1, strengthOfLabel(word, wanted))
    if (isPrefix && isSpecific(labelTermStart, found)) labels.add(from, to, strength.category * strength.prefix)
  }
  const country = word.country === undefined || !wanted.country ? 0 : segment.facts.countries.indexOf(word.country) + 1
  const regions = word.regions === undefined || !wanted.regions ? undefined : segment.regionsOf(word.regions)
  return { word, weight, exact, same, from, to, taken: [], similar, areas, labels, country, regions }
}

/** Adds the areas with a term of a word to its matches. */
function addAreas(
  areas: GroupMatches,
  { exact, same, from, to, similar }: Pick<Matcher, 'exact' | 'same' | 'from' | 'to' | 'similar'>,
  withPrefix: boolean,
): void {
  if (exact >= 0) areas.add(exact, exact + 1)
  for (const term of same) areas.add(term, term + 1, strength.area * strength.same)
  if (withPrefix) areas.add(from, to, strength.area * strength.prefix)
  for (const [term, edits] of similar?.entries() ?? [])
    areas.add(term, term + 1, strength.area * strength.edits[edits]!)
}

/** Returns the strength of a match of a word with a label. */
const strengthOfLabel = ({ categories }: Word, { areas }: Wanted): number =>
  areas && categories.some(category => transport.has(category)) ? strength.transport : strength.category

/** Returns true if a range of terms has few groups; `start` has their number before each term. */
const isSpecific = (start: Uint32Array, { from, to }: WordTerms): boolean =>
  to - from === 1 || start[to]! - start[from]! <= maxGroupsOfRange

/** Returns the terms with the numbers of a part. */
function termsOfPart(
  lexicon: Lexicon,
  part: number,
  found: WordTerms,
): Pick<Matcher, 'exact' | 'same' | 'from' | 'to' | 'similar'> {
  if (lexicon.data === undefined) return found
  const { exact, same, from, to, similar } = found
  return {
    exact: lexicon.termIn(part, exact),
    same: same.length === 0 ? same : same.map(term => lexicon.termIn(part, term)).filter(term => term >= 0),
    from: lexicon.termsBelow(part, from),
    to: lexicon.termsBelow(part, to),
    similar: similar?.renumbered(term => lexicon.termIn(part, term)),
  }
}

/** Returns the matchers of all words of a query, with the terms that are taken by other words. */
export const withTakenTerms = (matchers: readonly Matcher[]): readonly Matcher[] =>
  mapList(matchers, matcher => {
    if (matcher.to === matcher.from || matchers.length === 1) return matcher
    // A word that denotes an area may match the area instead of a term.
    const exact = matchers.flatMap(other => (other === matcher || other.word.where ? [] : [other.exact]))
    const taken = exact.filter((term, i) => term >= matcher.from && term < matcher.to && exact.indexOf(term) === i)
    return taken.length === 0 ? matcher : { ...matcher, taken: taken.sort((a, b) => a - b) }
  })

const noTerms: readonly number[] = []

/** Finds the term of a word, or -1, those of its meaning, and the range of terms that start with an incomplete word. */
function findTerms({ terms }: Lexicon, word: Word): Pick<Matcher, 'exact' | 'same' | 'from' | 'to'> {
  const { text, unfinished } = word
  const same =
    word.same.length === 0 ? noTerms : mapList(word.same, other => terms.find(other)).filter(term => term >= 0)
  if (!unfinished) return { exact: terms.find(text), same, from: 0, to: 0 }
  const [from, to] = terms.range(text)
  return { exact: to > from && terms.length(from) === text.length ? from : -1, same, from, to }
}

/** Returns the weight of a word, 0 to 1, by the names of all parts; an unknown word counts as rare. */
function wordWeight(
  { arrays, count }: Lexicon,
  { unfinished }: Word,
  { exact, same, from, to }: Pick<Matcher, 'exact' | 'same' | 'from' | 'to'>,
): number {
  if (exact >= 0) return arrays.weight[exact]! / 255
  // An abbreviation that no name has is as common as its word in full.
  if (same.length > 0) return Math.min(...same.map(term => arrays.weight[term]!)) / 255
  return unfinished ? termWeight(arrays.nameStart[to]! - arrays.nameStart[from]!, count) / 255 : 1
}

/**
 * Returns the weight of the words of a query that name a place, by which the confidence in a match differs: they are
 * not among the words of a reading in the place, and say nothing about a name elsewhere that has to have them.
 */
export function weightOfPlace({ terms, arrays }: Lexicon, reading: Reading, words: readonly WordTerms[]): number {
  const { place, placeWords = [] } = reading
  const typed = placeWords.map(word => (arrays.weight[terms.find(word)] ?? 255) / 255)
  const required = words.map(({ word, weight }) => (word.required ? -weight : 0))
  return (place === undefined ? required : typed).reduce((sum, weight) => sum + weight, 0)
}
