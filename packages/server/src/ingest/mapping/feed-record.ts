import type { RecordKind } from '../../domain/record-write.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Converts a line of a feed to a record of an import: ids of the other service become source ids, because ids of
 * two services are independent. Its ids of geos are dropped for the same reason.
 */
export function fromFeedRecord(kind: RecordKind, { id, op, merged_into: into, ...record }: Fields): Fields {
  const key = { source_id: String(id) }
  if (op === 'delete')
    return into === undefined ? { ...key, deleted: true } : { ...key, merged_into_source_id: String(into) }
  if (kind === 'location') {
    const { geo_id: _, neighborhoods, rankings, ...rest } = record
    return { ...rest, ...key, ...withoutGeoIds({ neighborhoods, rankings }) }
  }
  const { location_id: place, user, ...rest } = record
  return { ...rest, ...key, place_source_id: String(place), ...(isObject(user) && { user: withoutGeoId(user) }) }
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const withoutGeoId = ({ geo_id: _, ...rest }: Fields): Fields => rest

const withoutGeoIds = (lists: Fields): Fields =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([name, list]) =>
      Array.isArray(list) ? [[name, list.map(item => (isObject(item) ? withoutGeoId(item) : item))]] : [],
    ),
  )
