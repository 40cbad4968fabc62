import type { Location } from '../domain/location.ts'
import { tokens } from '../kit/tokens.ts'
import { borders } from './borders.ts'
import { countryOfRegion } from './region-codes.ts'
import { regionsOfWord } from './regions.ts'

/** State or province of a location, and whether its record or its coordinates decide. */
export type PlaceRegion = NonNullable<Location['region']>

/** Result of looking up the region of a location. */
export interface FoundRegion {
  readonly region?: PlaceRegion
  /** True if the region that the record names is more than 20 km from the coordinates. */
  readonly differs: boolean
  /** True if the coordinates are more than 20 km from all regions of the country. */
  readonly isOutside?: true
}

/** Maximum length of names that may be codes of regions. */
const maxCodeLength = 3

/** Places that are larger than regions. */
const larger = new Set(['geo:country', 'geo:continent'])

/**
 * Finds the region of a location: the one that its addresses name, if its country has it; otherwise the one at
 * its coordinates. A name of several regions means the one at the coordinates, or the nearest within 20 km. So does the
 * name of a city that is called as a region, where no address names one.
 */
export function findRegion(
  { names, addresses, categories, coordinates }: Pick<Location, 'names' | 'addresses' | 'categories' | 'coordinates'>,
  country: string | undefined,
): FoundRegion {
  if (categories.some(({ id }) => larger.has(id))) return { differs: false }
  const { latitude, longitude } = coordinates
  const atPoint = borders().regionAt(latitude, longitude, country)
  const ofPoint: FoundRegion = {
    ...(atPoint !== undefined && { region: { code: atPoint, from: 'point' } }),
    differs: false,
    ...(country !== undefined && atPoint === undefined && { isOutside: true }),
  }
  const state = addresses?.find(one => one.state !== undefined)?.state
  const isGeo = categories.some(({ id }) => id.startsWith('geo:'))
  const word = state ?? (isGeo && country !== undefined ? nameOfRegion(names[0]?.value, country) : undefined)
  const codes = word === undefined || country === undefined ? [] : regionsOf(word, country)
  if (codes.length === 0) return ofPoint
  if (atPoint !== undefined && codes.includes(atPoint)) return fromRecord(atPoint, ofPoint)
  const near = borders().nearestOf(codes, latitude, longitude)
  if (near !== undefined) return fromRecord(near, ofPoint)
  if (state === undefined) return ofPoint
  return codes.length === 1 ? { ...fromRecord(codes[0]!, ofPoint), differs: true } : { ...ofPoint, differs: true }
}

/**
 * Returns the name of a region that a city is named after, for cities at a border: New York City is in New York, but
 * close to New Jersey. Undefined for other names.
 */
function nameOfRegion(name: string | undefined, country: string): string | undefined {
  const own = name?.replace(/ city$/i, '')
  return own !== undefined && own.length > maxCodeLength && regionsOf(own, country).length > 0 ? own : undefined
}

const fromRecord = (code: string, ofPoint: FoundRegion): FoundRegion => ({
  ...ofPoint,
  region: { code, from: 'record' },
})

/** Returns the country of a point, or of the nearest region within 20 km; undefined on the high seas. */
export function countryAt({ latitude, longitude }: Location['coordinates']): string | undefined {
  const region = borders().regionAt(latitude, longitude)
  return region === undefined ? undefined : countryOfRegion(region)
}

/** Returns true if a point with latitude and longitude swapped is in a country, or within 20 km of it. */
export const isInCountrySwapped = ({ latitude, longitude }: Location['coordinates'], country: string): boolean =>
  Math.abs(longitude) <= 90 && borders().regionAt(longitude, latitude, country) !== undefined

/** Maximum number of words to remember; records of one source repeat few of them. */
const maxWords = 10_000
const known = new Map<string, readonly string[]>()

function regionsOf(word: string, country: string): readonly string[] {
  const key = `${country}${word}`
  let codes = known.get(key)
  if (codes === undefined) {
    if (known.size >= maxWords) known.clear()
    codes = regionsOfWord(tokens(word).join(' '), country)
    known.set(key, codes)
  }
  return codes
}
