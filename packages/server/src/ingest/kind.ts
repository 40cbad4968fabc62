import type { RecordKind } from '../domain/record-write.ts'

const reviewFields = [
  'place_source_id',
  'place_source',
  'location_id',
  'publish_ts',
  'published_date',
  'owner_response',
  'trip_type',
]
const locationFields = ['name', 'names', 'lat', 'latitude', 'coordinates', 'merged_into', 'country', 'addresses']

/** Guesses the kind of a record from the fields it has; undefined if it could be either, as a deletion is. */
export function kindOfRecord(record: Readonly<Record<string, unknown>>): RecordKind | undefined {
  const count = (fields: readonly string[]) => fields.filter(field => Object.hasOwn(record, field)).length
  const balance = count(reviewFields) - count(locationFields)
  if (balance === 0) return Object.hasOwn(record, 'text') ? 'review' : undefined
  return balance > 0 ? 'review' : 'location'
}
