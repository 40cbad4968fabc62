import type {
  Correction,
  Fallback,
  Interpretation,
  InterpretedPlace,
  ReadingKind,
} from '../../domain/interpretation.ts'
import type { SearchQuery } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { listNameTexts } from '../index/name-texts.ts'
import { isStopWord, occasionFor, tripTypeOf } from '../text/intent-words.ts'
import { compileFilters } from './filters.ts'
import { nameCountry } from './name-country.ts'
import { categoriesOf, kindSpans, kindsAlone } from './understand/kinds-in-text.ts'
import type { ReadPlace } from './understand/read-place.ts'
import type { Reading } from './understand/reading.ts'
import type { Word } from './word.ts'

/** The reading that gave the results of a query, or that found nothing, and what was answered in its place. */
export interface Outcome {
  readonly reading: Reading
  readonly fallbacks: readonly Fallback[]
  /** All words of the query. */
  readonly words: readonly Word[]
}

/** Describes the reading that gave the results of a query. */
export function interpretReading(
  view: IndexView,
  query: SearchQuery,
  { reading, fallbacks, words }: Outcome,
  corrected: readonly Correction[],
  budget: Budget,
): Interpretation {
  const kinds =
    reading.kind === 'name' ? categoriesOf(kindsAlone(reading.words.map(({ text }) => text))) : reading.kinds
  const { place: read, role } = reading
  const place = read && describePlace(view, query, read, role, budget)
  const others = (read?.namesakes ?? []).filter(({ id }) => id !== undefined && id !== read?.id)
  return {
    kind: kindOf(reading, kinds),
    categoryIds: kinds.map(kind => kind.toLowerCase()),
    ...(place && { place }),
    wants: reading.wants,
    ignored: reading.ignored,
    fallbacks,
    corrected,
    alternatives: others.flatMap(other => describePlace(view, query, other, role, budget) ?? []),
    needs: reading.wants.nearMe && query.near === undefined ? ['location'] : [],
    ...(asksForRecommendations(words, reading) && { suggest: 'recommendations' }),
  }
}

const kindOf = ({ kind }: Reading, kinds: readonly string[]): ReadingKind =>
  kind === 'name' && kinds.length > 0 ? 'category' : kind

/** Describes the place of a reading; undefined if it has none, or if its location is outside the scope. */
function describePlace(
  { parts }: IndexView,
  { scope }: SearchQuery,
  place: ReadPlace,
  role: InterpretedPlace['role'] = 'in',
  budget: Budget,
): InterpretedPlace | undefined {
  if (place.postalCode !== undefined) return undefined
  if (place.id === undefined) return describeArea(place, role)
  for (const { segment, dead } of parts) {
    const doc = segment.find(place.id)
    if (doc < 0 || dead?.[doc] === 1) continue
    const { arrays, facts } = segment
    if (scope && compileFilters(segment, { scope }, budget)?.(doc) === false) return undefined
    const name = listNameTexts(arrays, facts.languages, doc, 1)[0]?.value
    const countryCode = facts.countries[arrays.country[doc]! - 1]
    const regionCode = facts.regions[arrays.region[doc]! - 1]
    return {
      id: place.id,
      ...(name !== undefined && { name }),
      role,
      ...(countryCode !== undefined && { countryCode }),
      ...(regionCode !== undefined && { regionCode }),
    }
  }
  return undefined
}

/**
 * Describes a country, regions, or an area that has no location and is known by the name that was typed; undefined for
 * a circle around the caller.
 */
function describeArea(
  { names, country, regions, isCircle }: ReadPlace,
  role: InterpretedPlace['role'],
): InterpretedPlace | undefined {
  if (isCircle === true) return undefined
  const typed = names[0]?.join(' ')
  const name = typed ?? (country === undefined ? undefined : nameCountry(country, 'en'))
  const regionCode = regions?.length === 1 ? regions[0] : undefined
  return {
    ...(name !== undefined && { name }),
    role,
    ...(country !== undefined && { countryCode: country }),
    ...(regionCode !== undefined && { regionCode }),
  }
}

/** Returns true for a text with a place, an occasion or a company, and words that are neither: "quiet dinner in Lyon". */
function asksForRecommendations(words: readonly Word[], { place, placeWords = [] }: Reading): boolean {
  const rest = words.map(({ text }) => text).filter(text => !placeWords.includes(text) && !isStopWord(text))
  const isOccasion = (text: string) => tripTypeOf(text) !== undefined || occasionFor(text) !== undefined
  const isKind = rest.map((_, at) => kindSpans(rest).some(({ from, to }) => at >= from && at < to))
  return place !== undefined && rest.some(isOccasion) && rest.some((text, i) => !isOccasion(text) && !isKind[i])
}
