import { findTopLevelCategory, toCategoryId } from '../../packages/server/src/domain/category.ts'
import type { Location } from '../../packages/server/src/domain/location.ts'
import { tokens } from '../../packages/server/src/kit/tokens.ts'
import { type MatchRecord, toMatchRecord } from '../../packages/server/src/match/record.ts'
import { type FlatPlace, readPlaces } from '../search/flat-places.ts'

/** A place of a file with the record by which it is compared. */
export interface ComparedPlace {
  readonly place: FlatPlace & { readonly source_id: string; readonly nearest_city?: string }
  readonly record: MatchRecord
}

/** Reads the places of a file (docs/guides/import-data.md) as records. */
export async function readRecords(file: string): Promise<ComparedPlace[]> {
  const found: ComparedPlace[] = []
  for await (const place of readPlaces(file)) found.push(toCompared(place as ComparedPlace['place']))
  return found
}

function toCompared(place: ComparedPlace['place']): ComparedPlace {
  const {
    name,
    names = {},
    alt_name,
    category = 'other',
    source,
    lat,
    lon,
    country,
    address,
    city,
    postal_code,
  } = place
  const id = toCategoryId(category)
  const top = findTopLevelCategory(id) ?? 'OTHER'
  const location: Location = {
    names: [{ value: name, primary: true }, ...Object.entries(names).map(([language, value]) => ({ language, value }))],
    ...(alt_name !== undefined && { alternateNames: [alt_name] }),
    categories: [{ id, displayName: id, topLevelCategory: top }],
    coordinates: { latitude: lat!, longitude: lon },
    addresses: [
      {
        ...(address !== undefined && { streetAddress: address }),
        ...(city !== undefined && { city }),
        ...(postal_code !== undefined && { postalCode: String(postal_code) }),
      },
    ],
    ...(place.nearest_city !== undefined && { nearestCity: place.nearest_city }),
    ...(place.phone !== undefined && { phoneNumbers: [{ value: String(place.phone) }] }),
    ...(place.url !== undefined && { urls: { official: place.url } }),
  }
  const facts = { source, category: top, ...(country !== undefined && { country }) }
  return { place, record: toMatchRecord(location, facts, tokens) }
}
