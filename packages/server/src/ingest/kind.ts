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

/** Guesses the kind of a record from its fields; undefined if it could be either, for example a deletion. */
export function guessKind(record: Readonly<Record<string, unknown>>): RecordKind | undefined {
  const count = (fields: readonly string[]) => fields.filter(field => Object.hasOwn(record, field)).length
  const score = count(reviewFields) - count(locationFields)
  if (score === 0) return Object.hasOwn(record, 'text') ? 'review' : undefined
  return score > 0 ? 'review' : 'location'
}
