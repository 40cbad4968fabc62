import type { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { isStopWord } from '../text/intent-words.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import { namesStreet, otherCompassForm, withoutStreetWords } from '../text/street-words.ts'
import { areasNamed } from './area-filter.ts'
import type { Ranking } from './ranking.ts'
import type { Results } from './results.ts'
import { createPlace } from './understand/read-place.ts'
import { nameReading, type Reading } from './understand/reading.ts'
import { quality } from './weights.ts'
import type { Word } from './word.ts'

/** Maximum number of words of a postal code, and of the name of a place next to a number. */
const maxWords = 3
/** Maximum number of words of a query that is read as an address. */
const maxAddressWords = 16

const hasDigit = ({ text }: Word): boolean => /\p{N}/u.test(text)

/** Readings of a query as an address; each is searched in names, addresses and areas if those before found nothing. */
export interface AddressReading {
  readonly words: readonly Word[]
  /** Beginning of the postal code that places must have. */
  readonly postalCode?: string
  /** True if the words may be misspelled. */
  readonly forgiving: boolean
}

/**
 * Returns the readings of a query as an address or a postal code: it has a number next to a word for a street
 * or the name of an area, or a known postal code; or an address has exactly its words; or it has further words next to
 * a street. The last reading ignores numbers, because places of the street or area are better than nothing.
 */
export function addressReadings(
  view: IndexView,
  text: string,
  searched: readonly Word[],
  budget: Budget,
): readonly AddressReading[] {
  const words = searched.map(withCompassForm)
  const numbers = words.filter(hasDigit)
  if (words.length > maxAddressWords) return []
  if (numbers.length === 0) return streetReadings(text, words)
  const others = words.filter(word => !hasDigit(word))
  const typed = words.map(word => word.text)
  budget.spend(typed.length)
  const hasContext = namesStreet(text, typed) || namesArea(view, others, budget)
  const postalCode = postalCodeIn(view, words)
  const shortened = withoutStreetWords(words)
  const exact = [
    ...(postalCode === undefined ? [] : [{ words, postalCode, forgiving: false }]),
    { words, forgiving: false },
    ...(shortened === undefined ? [] : [{ words: shortened, forgiving: false }]),
  ]
  // Without context, a number and a name are an address only where one has exactly these words: "Serrano 122".
  if (!hasContext && postalCode === undefined) return others.length > 0 ? exact : []
  const readings = [...exact, { words, forgiving: true }]
  return hasContext && others.length > 0 ? [...readings, { words: others, forgiving: false }] : readings
}

/** Returns the readings of a name or a kind with a street, which has no number: "Starbucks Kalakaua Avenue". */
function streetReadings(text: string, words: readonly Word[]): readonly AddressReading[] {
  const kept = words.filter(word => !isStopWord(word.text))
  const shortened = withoutStreetWords(kept)
  if (
    shortened === undefined ||
    !namesStreet(
      text,
      kept.map(word => word.text),
    )
  )
    return []
  return [kept, shortened].map(some => ({ words: some, forgiving: false }))
}

/** Returns a word for a compass point that also matches its other form. */
function withCompassForm(word: Word): Word {
  const other = otherCompassForm(word.text)
  return other === undefined ? word : { ...word, same: [...word.same, other] }
}

/** Adds the places of the first reading that has any, and returns that reading. */
export function addAddresses(
  readings: readonly AddressReading[],
  rankings: readonly Ranking[],
  results: Results,
): Reading | undefined {
  const before = results.matching
  for (const { words, postalCode, forgiving } of readings) {
    const tier = forgiving ? 'forgiving' : 'strict'
    const place = postalCode === undefined ? undefined : createPlace({ postalCode })
    const kind = postalCode === undefined ? 'address' : 'postal_code'
    const reading: Reading = { ...nameReading(words), kind, type: 'COMBINED', factor: quality.address, place }
    for (const ranking of rankings) ranking.add(reading, tier)
    if (results.matching > before) return reading
  }
  return undefined
}

/** Minimum length of the beginning of a postal code. */
const minCode = 4

/** Returns the longest run of words that a postal code of a place begins with. */
function postalCodeIn({ lexicon: { terms } }: IndexView, words: readonly Word[]): string | undefined {
  const codes = spansOf(words)
    .filter(span => span.some(hasDigit))
    .map(span => span.map(({ text }) => text).join(''))
    .filter(code => code.length >= minCode)
    .sort((a, b) => b.length - a.length)
  return codes.find(code => {
    const [from, to] = terms.range(reservedTerm.postalCode(code))
    return to > from
  })
}

/** Returns true if consecutive words are the name of an area. */
const namesArea = ({ parts }: IndexView, words: readonly Word[], budget: Budget): boolean =>
  spansOf(words).some(span => {
    const name = span.map(({ text }) => text)
    return parts.some(({ segment }) => areasNamed(segment, name, budget).size > 0)
  })

/** Returns all sequences of up to `maxWords` consecutive words. */
const spansOf = (words: readonly Word[]): (readonly Word[])[] =>
  words.flatMap((_, from) =>
    Array.from({ length: Math.min(maxWords, words.length - from) }, (_, more) => words.slice(from, from + more + 1)),
  )
