import type { TopLevelCategory } from '../../domain/category.ts'
import { externalKeysOf, phoneKey, phonesOf } from '../../domain/external-id.ts'
import type { Id } from '../../domain/id.ts'
import {
  type Address,
  type Location,
  type PriceLevel,
  type ScopeFacts,
  type StatusValue,
  valueAttributes,
} from '../../domain/location.ts'
import type { OpeningHours } from '../../domain/opening-hours.ts'
import type { RatingSummary } from '../../domain/ratings.ts'
import { namesOf } from '../../domain/search.ts'
import { findRegion } from '../../gazetteer/place-region.ts'
import { prominenceFacts } from './notability.ts'

/** Indexed fields of a location. A missing member means that the location has no such value. */
export interface SearchDocument {
  readonly id: Id
  /** Values of the names, then the alternate names. */
  readonly names: readonly string[]
  /** Languages of the names as BCP 47 tags; undefined for an unknown language. */
  readonly nameLanguages?: readonly (string | undefined)[]
  /** Index of the primary name in `names`. */
  readonly primaryName: number
  /** Keys under which the location is found as a whole: ids in other sources and phone numbers. */
  readonly keys?: readonly string[]
  /** IATA and ICAO codes. */
  readonly codes: readonly string[]
  readonly category: TopLevelCategory
  readonly categoryIds: readonly string[]
  /** Attributes such as tags and cuisines. */
  readonly labels: readonly string[]
  /** Ids of the attributes: `cuisine.french`. */
  readonly attributeIds?: readonly string[]
  /** Texts for search_type ADDRESS, one per address: street, postal code and formatted address. */
  readonly addresses: readonly string[]
  /**
   * Names of the areas that contain the location, most specific first: cities, geo, neighbourhoods, states, countries.
   */
  readonly surroundings: readonly string[]
  /** City and state as they are shown next to the name. */
  readonly locality?: readonly string[]
  /** Ids of areas that contain the location, as decimal int64. */
  readonly geoIds?: readonly string[]
  readonly postalCode?: string
  /** Degrees. */
  readonly latitude: number
  readonly longitude: number
  readonly status?: StatusValue
  readonly priceLevel?: PriceLevel
  /** Stars of a place to stay. */
  readonly stars?: number
  readonly rating?: number
  readonly ratingCount: number
  readonly population: number
  /** 0 to 1; see notability.ts. */
  readonly notability?: number
  /** Share of the facts of a complete record; see notability.ts. */
  readonly completeness?: number
  readonly openingHours?: OpeningHours
  /** IANA zone name. */
  readonly timezone?: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  /** State or province by ISO 3166-2 code. */
  readonly region?: string
  readonly source: string
}

/** Source of a document; entries of a store implement it. */
export interface DocumentSource extends ScopeFacts {
  readonly id: Id
  location(): Location
  ratings(record?: Location): RatingSummary | undefined
}

const codeSources = new Set(['iata', 'icao'])

/** Extracts the indexed fields of a stored location. */
export function documentOf(entry: DocumentSource): SearchDocument {
  const location = entry.location()
  const names = namesOf(location)
  const overall = entry.ratings(location)?.overall
  const addresses = location.addresses ?? []
  const country = entry.country ?? addresses.find(address => address.countryCode)?.countryCode
  const postalCode = addresses.find(address => address.postalCode)?.postalCode
  const stars = location.accommodation?.starRating
  const timezone = location.openingHours?.timezone ?? location.timezone
  const surroundings = [
    ...addresses.map(({ city }) => city),
    location.geo,
    location.nearestCity,
    ...(location.neighborhoods ?? []).map(({ name }) => name),
    ...addresses.map(({ state }) => state),
    ...addresses.map(({ countryName }) => countryName),
  ]
  const geoIds = geoIdsOf(location)
  return {
    id: entry.id,
    names: names.map(({ value }) => value),
    nameLanguages: names.map(({ language }) => language),
    primaryName: primaryNameOf(location),
    keys: keysOf(location),
    codes: codesOf(location),
    category: entry.category,
    categoryIds: location.categories.map(({ id }) => id),
    ...labelsOf(location),
    addresses: addresses
      .filter(address => !isAreaOnly(address))
      .map(a => [a.streetAddress, a.streetAddress2, a.postalCode, a.formatted].filter(Boolean).join(', '))
      .filter(text => text !== ''),
    surroundings: [...new Set(surroundings.filter(name => name !== undefined))],
    locality: localityOf(location),
    ...(geoIds.length > 0 && { geoIds }),
    ...(postalCode !== undefined && { postalCode }),
    latitude: location.coordinates.latitude,
    longitude: location.coordinates.longitude,
    ...(location.status && { status: location.status.value }),
    ...(location.priceLevel && { priceLevel: location.priceLevel }),
    ...(stars !== undefined && { stars }),
    ...(overall?.rating !== undefined && { rating: overall.rating }),
    ratingCount: overall?.count ?? 0,
    population: location.population ?? 0,
    ...prominenceFacts(location, overall?.rating !== undefined),
    ...(location.openingHours && { openingHours: location.openingHours }),
    ...(timezone !== undefined && { timezone }),
    ...(country !== undefined && { country }),
    ...regionOf(location, country),
    source: entry.source,
  }
}

/** Returns the ids of the areas that contain a location. */
const geoIdsOf = ({ geoId, neighborhoods = [] }: Location): string[] =>
  [geoId, ...neighborhoods.map(area => area.geoId)].filter(id => id !== undefined)

/** Returns the IATA and ICAO codes of a location. */
const codesOf = ({ externalIds = [] }: Location): string[] =>
  externalIds.filter(({ source }) => codeSources.has(source.toLowerCase())).map(({ id }) => id)

/** Returns the distinct keys of a location. */
const keysOf = (location: Location): string[] => [
  ...new Set([...externalKeysOf(location), ...phonesOf(location).map(phoneKey)]),
]

/** Returns the city and the state of a location as they are shown. */
function localityOf({ addresses = [], geo, nearestCity }: Location): string[] {
  const city = addresses.find(address => address.city)?.city ?? geo ?? nearestCity
  return [city, addresses.find(address => address.state)?.state].filter(name => name !== undefined)
}

/** Returns the names and ids of attributes by which places are found. */
function labelsOf({ attributes = [] }: Location): Pick<SearchDocument, 'labels' | 'attributeIds'> {
  const labels = attributes.filter(({ id }) => !valueAttributes.has(id))
  return {
    labels: labels.map(({ name }) => name),
    ...(labels.length > 0 && { attributeIds: labels.map(({ id }) => id) }),
  }
}

/** Returns the index of the primary name. */
const primaryNameOf = ({ names }: Location): number =>
  Math.max(
    0,
    names.findIndex(({ primary }) => primary === true),
  )

/** Returns the region of a location; records of earlier releases have none, and it is looked up. */
function regionOf(location: Location, country: string | undefined): Pick<SearchDocument, 'region'> {
  const region = location.region ?? findRegion(location, country).region
  return region === undefined ? {} : { region: region.code }
}

/**
 * Returns true if an address consists of area names only. `surroundings` already include them; omitting such addresses
 * makes a large index 10 % smaller.
 */
function isAreaOnly({ streetAddress, streetAddress2, postalCode, city, state, countryName, formatted }: Address) {
  const areas: readonly (string | undefined)[] = [city, state, countryName]
  return !streetAddress && !streetAddress2 && !postalCode && !formatted?.split(', ').some(part => !areas.includes(part))
}
