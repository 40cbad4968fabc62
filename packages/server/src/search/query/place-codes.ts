import { countryOfCode } from '../../gazetteer/country-codes.ts'
import { regionsOfCode } from '../../gazetteer/regions.ts'
import { mapList } from '../../kit/map-list.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart } from '../index/index-view.ts'
import { hasName, termBagHash } from '../index/texts.ts'
import { lowerBoundOfHash } from '../index/typed-arrays.ts'
import type { Word } from './word.ts'

/** Meaning of a code of a country, state or province. */
type CodePlace = Pick<Word, 'country' | 'regions'>

/** Returns the places with a code in capitals, such as VA, NSW or NZ; undefined if it is no code. */
export function placeOfCode(code: string): CodePlace | undefined {
  const [regions, country] = [regionsOfCode(code), countryOfCode(code)]
  if (regions.length === 0 && country === undefined) return undefined
  return { country, regions: regions.length > 0 ? regions : undefined }
}

/** Word behind a comma, alone or before digits: "Richmond, VA 23219". */
const behindComma = /,\s*([a-z][a-z0-9]{1,2})(?=\s*(?:,|\d|$))/giu
/** Word in capitals. */
const inCapitals = /(?<![\p{L}\p{N}])[A-Z][A-Z0-9]{1,2}(?![\p{L}\p{N}])/gu

/** True for texts that may have codes; almost all have none. */
const mayHaveCode = /,|[A-Z][A-Z0-9]/
const noCodes: ReadonlySet<string> = new Set()

/**
 * Returns the codes of a query that certainly are codes, as tokens: those behind a comma, and those in capitals in a
 * query that is not in capitals. Other words of two or three letters are rarely codes: "hotels in", "la paz".
 */
export function codesIn(text: string): ReadonlySet<string> {
  if (!mayHaveCode.test(text)) return noCodes
  const found = new Set<string>()
  for (const [, code] of text.matchAll(behindComma)) found.add(code!.toLowerCase())
  if (/\p{Ll}/u.test(text)) for (const [code] of text.matchAll(inCapitals)) found.add(code.toLowerCase())
  return found
}

/** Adds the places of codes to the last word with each of them. */
export const withCodes = (words: readonly Word[], codes: ReadonlySet<string>): readonly Word[] =>
  codes.size === 0 || words.length < 2
    ? words
    : mapList(words, (word, i) => {
        const isLast = codes.has(word.text) && words.findLastIndex(({ text }) => text === word.text) === i
        const place = isLast ? placeOfCode(word.text.toUpperCase()) : undefined
        return place === undefined ? word : withPlace(word, place)
      })

const withPlace = (word: Word, { country, regions = [] }: CodePlace): Word => {
  const all = [...(word.regions ?? []), ...regions]
  return { ...word, country: country ?? word.country, regions: all.length > 0 ? all : undefined }
}

/**
 * Adds the place of a code to the last word if the words before it are the name of a GEO document there: "portland or",
 * but not "hotels in".
 */
export function withLastCode(parts: readonly IndexPart[], words: readonly Word[], budget: Budget): readonly Word[] {
  const last = words.at(-1)
  if (words.length < 2 || last === undefined || !/^[a-z][a-z0-9]{1,2}$/.test(last.text)) return words
  const place = placeOfCode(last.text.toUpperCase())
  if (place === undefined) return words
  const name = mapList(words.slice(0, -1), ({ text }) => text)
  return parts.some(part => hasGeo(part, name, place, budget)) ? [...words.slice(0, -1), withPlace(last, place)] : words
}

/** Returns true if a live GEO document of a place has exactly this name. */
function hasGeo({ segment, dead }: IndexPart, name: readonly string[], place: CodePlace, budget: Budget): boolean {
  const { terms, arrays, facts } = segment
  const { geoHash, geoDocs, country, region } = arrays
  const numbers = terms.findAll(name)
  if (numbers === undefined) return false
  const code = place.country === undefined ? 0 : facts.countries.indexOf(place.country) + 1
  const regions = segment.regionsOf(place.regions ?? [])
  if (code === 0 && regions === undefined) return false
  const hash = termBagHash(numbers)
  for (let at = lowerBoundOfHash(geoHash, hash); geoHash[at] === hash; at++) {
    const doc = geoDocs[at]!
    budget.spend(0.5)
    if (dead?.[doc] === 1) continue
    if ((code === 0 || country[doc] !== code) && regions?.[region[doc]!] !== 1) continue
    if (hasName(arrays, doc, numbers)) return true
  }
  return false
}
