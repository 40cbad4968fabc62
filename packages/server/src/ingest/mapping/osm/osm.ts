import { parseLocale } from '../../../domain/locale.ts'
import { isCalendarDate } from '../../../kit/time.ts'
import type { Fields } from '../../row.ts'
import { setField } from '../cells.ts'
import type { KnownField, KnownTable } from '../known-table.ts'
import { socialIds } from '../social-ids.ts'
import { readAttributes, readStars } from './osm-attributes.ts'
import { findCategories, pastPrefixes, splitValues, type Tags, toTags } from './osm-category.ts'
import { readPhotos } from './osm-photos.ts'

const fields: readonly KnownField[] = [
  { field: 'source_id', from: ['@id'], note: 'node/1, way/2, relation/3' },
  { field: 'name', from: ['name', 'brand'], note: 'first present' },
  { field: 'names', from: ['name:*'] },
  { field: 'alt_name', from: ['alt_name', 'old_name', 'short_name', 'loc_name', 'int_name', 'official_name'] },
  { field: 'lat, lon', from: ['@geometry'] },
  {
    field: 'categories',
    from: ['tourism', 'amenity', 'leisure', 'shop', 'historic', 'natural', 'railway', 'aeroway', 'place'],
    note: 'and others',
  },
  { field: 'status', from: ['disused:*', 'abandoned:*', 'end_date'], note: 'CLOSED' },
  { field: 'address', from: ['addr:street', 'addr:housenumber', 'addr:full'] },
  { field: 'city, region, postal_code, country', from: ['addr:*'] },
  { field: 'phone_numbers, url, email', from: ['contact:*', 'phone', 'website', 'email'] },
  { field: 'opening_hours', from: ['opening_hours'] },
  {
    field: 'attributes',
    from: ['cuisine', 'wheelchair', 'outdoor_seating', 'internet_access', 'diet:*', 'takeaway', 'delivery', 'stars'],
  },
  { field: 'photos', from: ['image', 'wikimedia_commons'], note: 'URLs and files of Wikimedia Commons' },
  { field: 'external_ids', from: ['wikidata', 'wikipedia', 'wikimedia_commons', 'image', 'contact:*', 'iata', 'icao'] },
]

const otherNames = ['alt_name', 'old_name', 'short_name', 'loc_name', 'int_name', 'official_name']
const idTags = ['wikimedia_commons', 'wikipedia', 'image']
const networks = ['facebook', 'instagram', 'twitter']

const read = new Set(
  (
    '@id @geometry name brand phone website url email opening_hours description population rooms disused abandoned end_date ' +
    'wikidata iata icao religion building station tourism amenity leisure shop historic natural railway aeroway waterway ' +
    'public_transport place man_made craft office healthcare cuisine wheelchair outdoor_seating internet_access takeaway ' +
    'delivery stars wheelchair type'
  ).split(' '),
)
for (const name of [...otherNames, ...idTags]) read.add(name)
const readPrefix = new RegExp(`^(name|description|addr|contact|diet|${pastPrefixes.join('|')}):`)

/** Creates the table of OpenStreetMap elements; `today` decides whether an `end_date` is past. */
export const createOsmTable = (today: string): KnownTable => ({
  source: 'osm',
  // Mappers leave the country out: the map has borders.
  countryFromPoint: true,
  matches: () => false,
  columns: [],
  isRead: name => read.has(name) || readPrefix.test(name),
  fields,
  ofFeature: ({ id, properties, geometry }) => ({ '@id': id, ...(properties as object), '@geometry': geometry }),
  toRecord: row => toRecord(row, today),
})

/** Returns true for the tags of a place: with a name, and a tag that says what it is. */
export const isOsmPlace = (tags: Tags): boolean =>
  (tags.name ?? tags.brand) !== undefined && findCategories(tags) !== undefined

function toRecord(row: Fields, today: string): Record<string, unknown> {
  const tags = toTags(row)
  const id = String(row['@id'])
  const record: Record<string, unknown> = {
    source_id: id,
    name: tags.name ?? tags.brand,
    names: localTexts(tags, 'name:'),
    alt_name: otherNames.flatMap(name => splitValues(tags[name])),
    ...readPlace(tags, today),
    ...readAddress(tags),
    phone_numbers: splitValues(tags.phone ?? tags['contact:phone']).map(value => ({ value })),
    url: tags.website ?? tags['contact:website'] ?? tags.url,
    email: tags.email ?? tags['contact:email'],
    opening_hours: tags.opening_hours,
    description: tags.description,
    descriptions: localTexts(tags, 'description:'),
    attributes: readAttributes(tags),
    accommodation: readAccommodation(tags),
    photos: readPhotos(tags),
    external_ids: readIds(tags),
    wikidata: tags.wikidata,
    iata: tags.iata,
    icao: tags.icao,
    population: tags.population,
    attributions: [
      { source: 'OpenStreetMap contributors', license: 'ODbL-1.0', url: `https://www.openstreetmap.org/${id}` },
    ],
  }
  setField(record, 'geometry', row['@geometry'])
  return record
}

/** Reads the categories, and CLOSED for what is past: a lifecycle prefix, `disused=yes`, or an end. */
function readPlace(tags: Tags, today: string): Record<string, unknown> {
  const found = findCategories(tags)
  const end = tags.end_date
  const hasEnded = end !== undefined && /^\d{4}(-\d{2}){0,2}$/.test(end) && end <= today
  const isClosed = found?.isPast || hasEnded || tags.disused === 'yes' || tags.abandoned === 'yes'
  return {
    categories: found?.categories,
    ...(isClosed && { status: 'CLOSED' }),
    ...(hasEnded && isCalendarDate(end) && { closed_date: end }),
  }
}

function readAddress(tags: Tags): Record<string, unknown> {
  const street = tags['addr:street'] ?? tags['addr:place']
  return {
    address: street ?? tags['addr:full'],
    house_number: street === undefined ? undefined : tags['addr:housenumber'],
    city: tags['addr:city'],
    region: tags['addr:state'] ?? tags['addr:province'],
    postal_code: tags['addr:postcode'],
    country: tags['addr:country'],
    neighbourhood: tags['addr:suburb'],
  }
}

function readAccommodation({ stars, rooms, brand }: Tags): object | undefined {
  const star_rating = readStars(stars)
  const room_count = rooms !== undefined && /^\d+$/.test(rooms) ? Number(rooms) : undefined
  return { brand, star_rating, room_count }
}

function readIds(tags: Tags): object[] {
  const ids: object[] = idTags.flatMap(source => splitValues(tags[source]).map(id => ({ source, id })))
  for (const source of networks) {
    const value = tags[`contact:${source}`]
    if (value === undefined) continue
    ids.push(...(/[./]/.test(value) ? socialIds(value) : [{ source, id: value.replace(/^@/, '') }]))
  }
  return ids
}

/** Returns texts by language: `name:fr` -> {fr: …}. */
function localTexts(tags: Tags, prefix: string): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const key of Object.keys(tags)) {
    if (!key.startsWith(prefix)) continue
    const language = parseLocale(key.slice(prefix.length))
    if (language !== undefined) texts[language] = tags[key]!
  }
  return texts
}
