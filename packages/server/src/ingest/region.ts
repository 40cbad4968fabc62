import type { Rejection } from '../domain/import.ts'
import { findRegion } from '../gazetteer/place-region.ts'
import type { LocationRecord } from './normalise-location.ts'

/**
 * Adds the state or province to a location, with the note `region_differs` if the record names one that is more
 * than 20 km from its coordinates.
 */
export function withRegion(record: LocationRecord | Rejection): LocationRecord | Rejection {
  if (!('op' in record) || record.op !== 'put') return record
  const { location, facts, notes } = record
  const { region, differs } = findRegion(location, facts.country)
  return {
    ...record,
    ...(region && { location: { ...location, region } }),
    ...(differs && { notes: [...notes, 'region_differs'] }),
  }
}
