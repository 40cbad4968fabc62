import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { findTopLevelCategory, toCategoryId } from '../../packages/server/src/domain/category.ts'
import type { Location } from '../../packages/server/src/domain/location.ts'
import { findRegion } from '../../packages/server/src/gazetteer/place-region.ts'
import type { SearchDocument } from '../../packages/server/src/search/index/document.ts'
import { type NotableFields, prominenceFacts } from '../../packages/server/src/search/index/notability.ts'

/** A line of the flat import format (docs/guides/import-data.md), with the fields that search uses. */
export interface FlatPlace {
  readonly source: string
  readonly name: string
  readonly names?: Readonly<Record<string, string>>
  readonly alt_name?: string
  readonly category?: string
  readonly subcategories?: readonly string[]
  readonly tags?: readonly string[]
  readonly cuisine?: string | readonly string[]
  readonly lat?: number
  readonly lon: number
  readonly country?: string
  readonly region?: string
  /** Code of the state or province in GeoNames. */
  readonly admin_code?: string
  readonly city?: string
  readonly postal_code?: string
  readonly address?: string
  readonly neighbourhood?: string
  readonly rating?: number
  readonly review_count?: number
  readonly population?: number
  readonly iata?: string
  readonly icao?: string
  readonly timezone?: string
  readonly description?: string
  readonly descriptions?: Readonly<Record<string, string>>
  readonly hours?: string
  readonly phone?: string
  readonly url?: string
  readonly price?: string
  readonly stars?: number
  readonly wikidata?: string
  readonly concordances?: Readonly<Record<string, string>>
  /** Code of GeoNames for the kind of a populated place. */
  readonly feature_code?: string
}

/** Reads the places with coordinates of an NDJSON file, gzipped or not, without the first `skip` of them. */
export async function* readPlaces(path: string, skip = 0): AsyncGenerator<FlatPlace> {
  const file = createReadStream(path)
  let skipped = 0
  for await (const line of createInterface({ input: path.endsWith('.gz') ? file.pipe(createGunzip()) : file })) {
    if (skipped < skip) {
      if (line.includes('"lat":')) skipped++
      continue
    }
    const place = JSON.parse(line) as FlatPlace
    if (place.lat !== undefined) yield place
  }
}

const present = (texts: readonly (string | undefined)[]): string[] =>
  texts.filter(text => text !== undefined && text !== '' && text !== 'null') as string[]

/** Returns the fields that show how notable a place is, as an import would store them. */
function notableFields(category: string, place: FlatPlace): NotableFields {
  const texts = (by: Readonly<Record<string, string>> = {}) =>
    Object.entries(by).map(([language, value]) => ({ language, value }))
  const descriptions = texts(place.descriptions)
  if (descriptions.length === 0 && place.description !== undefined)
    descriptions.push({ language: 'en', value: place.description })
  const ids = { wikidata: place.wikidata, iata: place.iata, ...place.concordances }
  const entries = Object.entries(ids).filter(([, id]) => id !== undefined)
  const location: Partial<Location> = {
    descriptions,
    externalIds: [[place.source, ''] as const, ...entries].map(([source, id]) => ({ source, id: String(id) })),
    ...(place.hours !== undefined && { openingHours: { periods: [] } }),
    ...(place.phone !== undefined && { phoneNumbers: [{ value: place.phone }] }),
    ...(place.url !== undefined && { urls: { official: place.url } }),
    ...(place.price !== undefined && { priceLevel: 'MODERATE' }),
    ...(place.stars !== undefined && { accommodation: { starRating: place.stars } }),
  }
  const top = findTopLevelCategory(category) ?? 'OTHER'
  return {
    ...location,
    names: [{ value: place.name }, ...texts(place.names)],
    categories: [{ id: category, displayName: category, topLevelCategory: top }],
  }
}

/** Converts a place to the document that an import would pass to the index. */
export function documentOfFlat(id: bigint, place: FlatPlace): SearchDocument {
  const category = toCategoryId(place.category ?? 'other')
  const notable = notableFields(category, place)
  const street = present([place.address, place.postal_code]).join(', ')
  return {
    id,
    names: [...new Set(present([place.name, ...Object.values(place.names ?? {}), place.alt_name]))],
    primaryName: 0,
    codes: present([place.iata, place.icao]),
    category: findTopLevelCategory(category) ?? 'OTHER',
    categoryIds: [category],
    labels: present([...(place.subcategories ?? []), ...(place.tags ?? []), ...[place.cuisine ?? []].flat()]),
    addresses: street === '' ? [] : [street],
    surroundings: present([place.city, place.neighbourhood, place.region]),
    ...(place.postal_code !== undefined && { postalCode: place.postal_code }),
    latitude: place.lat!,
    longitude: place.lon,
    status: 'OPEN',
    ...(place.rating !== undefined && { rating: place.rating }),
    ratingCount: place.review_count ?? 0,
    population: place.population ?? 0,
    ...prominenceFacts(notable, place.rating !== undefined),
    ...(place.timezone !== undefined && { timezone: place.timezone }),
    ...(place.country !== undefined && { country: place.country }),
    ...regionOf(place, category),
    source: place.source,
  }
}

/** Finds the region of a place, as an import does. */
function regionOf({ name, lat, lon, region, country }: FlatPlace, category: string): Pick<SearchDocument, 'region'> {
  const { region: found } = findRegion(
    {
      names: [{ value: name }],
      coordinates: { latitude: lat!, longitude: lon },
      addresses: region === undefined ? [] : [{ state: region }],
      categories: [{ id: category, displayName: '', topLevelCategory: 'OTHER' }],
    },
    country,
  )
  return found === undefined ? {} : { region: found.code }
}

/** Reads the documents of a file after an id; their ids count from 1 in the order of the file. */
export async function* readDocuments(path: string, after = 0n): AsyncGenerator<SearchDocument> {
  let id = after
  for await (const place of readPlaces(path, Number(after))) yield documentOfFlat(++id, place)
}
