import { type Fault, fault } from '../../domain/fault.ts'
import type { Id } from '../../domain/id.ts'
import { everything, type Scope } from '../../domain/scope.ts'
import type { NearbyHit, NearbyQuery, PlaceIndex } from '../../domain/search.ts'
import type { LocationReader } from '../../domain/stores.ts'
import { type Found, withEntries } from './search-locations.ts'

/** A circle around a place stands for a circle around its coordinates. */
export type NearbyRequest = Omit<NearbyQuery, 'within'> & {
  readonly within: NearbyQuery['within'] | { readonly locationId: Id; readonly radiusKm: number }
}

interface Stores {
  readonly index: PlaceIndex
  readonly locations: LocationReader
}

/** Places in a circle or a box, within a scope. */
export async function nearbyLocations(
  stores: Stores,
  scope: Scope,
  { within, ...asked }: NearbyRequest,
): Promise<Found<NearbyHit> | Fault> {
  const area = 'locationId' in within ? await around(stores.locations, within) : within
  if (!area) return centreUnknown()
  const { hits, total } = await stores.index.nearby({ ...asked, within: area, scope })
  return { items: await withEntries(stores.locations, scope, hits), total }
}

/** The same over the whole inventory: a key's scope never narrows the catalog. */
export const nearbyCatalog = (stores: Stores, asked: NearbyRequest): Promise<Found<NearbyHit> | Fault> =>
  nearbyLocations(stores, everything, asked)

async function around(locations: LocationReader, { locationId, radiusKm }: { locationId: Id; radiusKm: number }) {
  const entry = await locations.get(locationId)
  return entry && { centre: entry.location().coordinates, radiusKm }
}

function centreUnknown(): Fault {
  const field = 'location_id'
  const message = `${field} must be the id of a location.`
  return fault('parameters_invalid', { detail: message, fieldErrors: [{ field, message }] })
}
