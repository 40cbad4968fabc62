import type { Rejection } from '../domain/import.ts'
import type { Location } from '../domain/location.ts'
import { findRegion, isInCountrySwapped } from '../gazetteer/place-region.ts'
import type { LocationRecord } from './normalise-location.ts'

/**
 * Adds the state or province to a location, with the note `region_differs` if the record names one that is more
 * than 20 km from its coordinates. Rejects a location that is not in its country, but would be if its coordinates were
 * swapped.
 */
export function withRegion(record: LocationRecord | Rejection): LocationRecord | Rejection {
  if (!('op' in record) || record.op !== 'put') return record
  const { location, facts, notes } = record
  const { region, differs, isOutside } = findRegion(location, facts.country)
  if (isOutside && isInCountrySwapped(location.coordinates, facts.country!))
    return swapped(location.coordinates, facts.country!)
  return {
    ...record,
    ...(region && { location: { ...location, region } }),
    ...(differs && { notes: [...notes, 'region_differs'] }),
  }
}

const swapped = ({ latitude, longitude }: Location['coordinates'], country: string): Rejection => ({
  reason: 'coordinates_swapped',
  field: 'lat',
  detail:
    `Latitude ${latitude} and longitude ${longitude} are not in ${country}, but would be if they were swapped. ` +
    'Swap them, or map the columns the other way round.',
})
