import type { CategoryMap } from '../domain/category-map.ts'
import type { Id } from '../domain/id.ts'
import type { Rejection, UnknownKind } from '../domain/import.ts'
import type { Location, ScopeFacts, StatusValue } from '../domain/location.ts'
import type { ExternalKey } from '../domain/record-write.ts'
import { countryAt } from '../gazetteer/place-region.ts'
import { readAddresses, readCountry } from './address.ts'
import { readAttributes, readCategories } from './classification.ts'
import { readAccommodation, readAwards, readExternalIds, readPhoneNumbers, readRankings } from './details.ts'
import { compact, FieldReader, type Findings } from './field-reader.ts'
import { readKey } from './key.ts'
import { readPlaceNames } from './names.ts'
import { readOpeningHours } from './opening-hours.ts'
import { readPhotos } from './photos.ts'
import { readPriceLevel } from './price-level.ts'
import { readOwnRatings } from './ratings.ts'
import { readStatus } from './status.ts'
import { readFlatTexts, readLanguage, readNestedTexts } from './texts.ts'

export interface NormaliseOptions {
  /** Source of records without a source. */
  readonly defaultSource: string
  /** Status of records without a status; undefined omits it. */
  readonly defaultStatus: StatusValue | undefined
  /** Categories of the tree for words that it lacks, by `toCategoryId` of the word. */
  readonly categoryMap?: CategoryMap | undefined
  /** True to give records without a country the one at their coordinates. */
  readonly countryFromPoint?: boolean | undefined
  /** First of the two years for which special days of opening hours are computed. */
  readonly thisYear: number
  /** Called with each value that is in none of the tables. */
  readonly onUnknown?: ((kind: UnknownKind, value: string) => void) | undefined
}

/** Reference to the place that another one is merged into. */
export type MergeTarget = { readonly id: Id } | { readonly source: string; readonly sourceId: string }

/** A normalised record of a location: the location to store, or a deletion or merge. */
export type LocationRecord = { readonly key: ExternalKey; readonly notes: readonly string[] } & (
  | { readonly op: 'put'; readonly location: Location; readonly facts: ScopeFacts }
  | { readonly op: 'delete' }
  | { readonly op: 'merge'; readonly into: MergeTarget }
)

/** Converts a record, flat or SPEC-shaped (rulings: Import format), to a canonical location, or rejects it. */
export function normaliseLocation(
  record: Readonly<Record<string, unknown>>,
  options: NormaliseOptions,
): LocationRecord | Rejection {
  const findings: Findings = { notes: [], onUnknown: options.onUnknown }
  const fields = new FieldReader(record, findings)
  const read = readRecord(fields, options)
  if (findings.rejection) return findings.rejection
  return { ...read!, notes: findings.notes }
}

type WithoutNotes<T> = T extends unknown ? Omit<T, 'notes'> : never

function readRecord(fields: FieldReader, options: NormaliseOptions): WithoutNotes<LocationRecord> | undefined {
  const key = readKey(fields, options.defaultSource)
  if (!key) return undefined
  if (fields.boolean('deleted')) return { op: 'delete', key }
  const into = readMergeTarget(fields, key)
  if (into) return { op: 'merge', key, into }
  const point = options.countryFromPoint ? readCoordinates(fields) : undefined
  const country = readCountry(fields, 'country') ?? (point && countryOfPoint(fields, point))
  const names = readPlaceNames(fields, country)
  const coordinates = point ?? readCoordinates(fields)
  if (!names || !coordinates) return undefined
  const categories = readCategories(fields, options.categoryMap)
  const addresses = readAddresses(fields, country)
  const location = compact<Location>({
    names: names.names,
    descriptions: readDescriptions(fields),
    geo: fields.text('geo') ?? fields.text('city'),
    geoId: fields.id('geo_id')?.toString(),
    status: readStatus(fields, options.defaultStatus),
    addresses,
    coordinates,
    categories,
    attributes: readAttributes(fields),
    openingHours: readOpeningHours(fields, country, options.thisYear),
    phoneNumbers: readPhoneNumbers(fields),
    officialEmail: fields.text('official_email') ?? fields.text('email'),
    urls: readUrls(fields),
    priceLevel: readPriceLevel(fields),
    accommodation: readAccommodation(fields),
    recommendedVisitLength: fields.text('recommended_visit_length'),
    ...readAllPhotos(fields),
    attributions: readAttributions(fields, key.source),
    neighborhoods: readNeighborhoods(fields),
    awards: readAwards(fields),
    rankings: readRankings(fields),
    externalIds: readExternalIds(fields, key),
    ownRatings: readOwnRatings(fields),
    alternateNames: names.alternateNames.length > 0 ? names.alternateNames : undefined,
    population: fields.lenientNumber('population'),
    nearestCity: fields.text('nearest_city'),
    timezone: fields.text('timezone'),
  })!
  const countryCode = country ?? addresses?.find(address => address.countryCode !== undefined)?.countryCode
  const category = categories[0]!.topLevelCategory
  return {
    op: 'put',
    key,
    location,
    facts: { source: key.source, category, ...(countryCode !== undefined && { country: countryCode }) },
  }
}

function countryOfPoint(fields: FieldReader, point: Location['coordinates']): string | undefined {
  const country = countryAt(point)
  if (country !== undefined) fields.note('country_from_coordinates')
  return country
}

/** Reads `merged_into`: an id, or a source_id in the same source or in a specified one. */
function readMergeTarget(fields: FieldReader, key: ExternalKey): MergeTarget | undefined {
  const value = fields.raw('merged_into')
  const nested = typeof value === 'object' ? fields.object('merged_into') : undefined
  const sourceId = nested ? nested.text('source_id') : fields.text('merged_into_source_id')
  const source = (nested ? nested.text('source') : fields.text('merged_into_source')) ?? key.source
  if (sourceId !== undefined) return { source, sourceId }
  const id = nested ? nested.id('id') : fields.id('merged_into')
  return id === undefined ? undefined : { id }
}

/** Returns the position of a record that was rejected for another reason; undefined if it has none on a map. */
export const findCoordinates = (record: Readonly<Record<string, unknown>>): Location['coordinates'] | undefined =>
  readCoordinates(new FieldReader(record, { notes: [] }))

function readCoordinates(fields: FieldReader): Location['coordinates'] | undefined {
  const nested = fields.object('coordinates')
  const from = nested ?? fields
  const [latName, lonName] = nested
    ? (['latitude', 'longitude'] as const)
    : ([name(fields, 'lat', 'latitude'), name(fields, 'lon', 'longitude')] as const)
  const latitude = readLatitude(from, latName)
  const longitude = from.numberWithin(lonName, -180, 180, 'longitude_out_of_range')
  if (!from.has(latName)) return from.reject(latName, 'missing_coordinates', 'is missing')
  if (!from.has(lonName)) return from.reject(lonName, 'missing_coordinates', 'is missing')
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
}

function readLatitude(fields: FieldReader, field: string): number | undefined {
  const value = fields.number(field)
  if (value === undefined || Math.abs(value) <= 90) return value
  const advice = Math.abs(value) <= 180 ? '; latitude and longitude may be swapped' : ''
  return fields.reject(field, 'latitude_out_of_range', `is ${value}, but must be between -90 and 90${advice}`)
}

const name = (fields: FieldReader, short: string, long: string) =>
  fields.has(short) || !fields.has(long) ? short : long

function readDescriptions(fields: FieldReader): Location['descriptions'] {
  if (Array.isArray(fields.raw('descriptions')))
    return readNestedTexts(fields, 'descriptions')?.map(({ primary: _, ...text }) => text)
  const single = fields.text('description')
  const { texts } = readFlatTexts(fields, 'descriptions')
  if (single !== undefined) {
    const language = readLanguage(fields, 'lang')
    texts.unshift({ ...(language !== undefined && { language }), value: single })
  }
  return texts.length > 0 ? texts : undefined
}

function readUrls(fields: FieldReader): Location['urls'] {
  const nested = fields.object('urls')
  return compact<NonNullable<Location['urls']>>({
    official: nested?.text('official') ?? fields.text('url'),
    menu: nested?.text('menu'),
  })
}

/** Reads the photos: a list, or only their number in the form of the API. */
function readAllPhotos(fields: FieldReader): Pick<Location, 'photos' | 'photoList'> {
  const raw = fields.raw('photos')
  const isCount = typeof raw === 'object' && !Array.isArray(raw)
  const photoList = isCount ? undefined : readPhotos(fields, 'location')
  const totalCount = isCount ? fields.object('photos')?.count('total_count') : photoList?.length
  return { ...(totalCount !== undefined && { photos: { totalCount } }), ...(photoList && { photoList }) }
}

function readAttributions(fields: FieldReader, source: string): Location['attributions'] {
  const license = fields.text('license')
  const nested = fields.objects('attributions', item =>
    compact<NonNullable<Location['attributions']>[number]>({
      source: item.text('source'),
      license: item.text('license'),
      url: item.text('url'),
    }),
  )
  return nested ?? (license === undefined ? undefined : [{ source, license }])
}

function readNeighborhoods(fields: FieldReader): Location['neighborhoods'] {
  const flat = fields.text('neighbourhood') ?? fields.text('neighborhood')
  const nested = fields.objects('neighborhoods', item => {
    const name = item.text('name')
    const geoId = item.id('geo_id')?.toString()
    return name === undefined ? undefined : { name, ...(geoId !== undefined && { geoId }) }
  })
  return nested ?? (flat === undefined ? undefined : [{ name: flat }])
}
