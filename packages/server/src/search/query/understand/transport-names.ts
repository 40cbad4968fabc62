import { tokens } from '../../../kit/tokens.ts'
import type { Segment } from '../../index/segment.ts'
import { eachText, isNameKind } from '../../index/texts.ts'
import { nameCountry } from '../name-country.ts'
import type { ReadPlace } from './read-place.ts'

const international = ['international', 'intl', 'internacional', 'internazionale']

/** Facts about an airport or station and the place that it belongs to, by their names. */
export interface TransportNames {
  /** A name contains a name of the place. */
  readonly isNamed: boolean
  /** A name is exactly a name of the place. */
  readonly isExact: boolean
  readonly isInternational: boolean
}

/** Returns the names of a place that airports may have: as it was typed, its own, and that of its country. */
export const namesInTransport = (words: readonly string[], { names, country, id }: ReadPlace) => [
  words,
  ...names,
  ...(id === undefined && country !== undefined ? [tokens(nameCountry(country, 'en'))] : []),
]

/** Returns a function that compares the names of an airport or station with those of a place. */
export function transportNames(
  { terms, arrays: { texts, textStart } }: Segment,
  names: readonly (readonly string[])[],
): (doc: number) => TransportNames {
  const wanted = names.map(words => words.map(word => terms.find(word))).filter(({ length }) => length > 0)
  const words = international.map(word => terms.find(word)).filter(term => term >= 0)
  return doc => {
    let [isNamed, isExact, isInternational] = [false, false, false]
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      if (!isNameKind(kind)) return
      const text = texts.subarray(from, to)
      const named = wanted.filter(name => name.every(term => text.includes(term)))
      isNamed ||= named.length > 0
      isExact ||= named.some(({ length }) => length === text.length)
      isInternational ||= words.some(term => text.includes(term))
    })
    return { isNamed, isExact, isInternational }
  }
}
