import type { LocationReader } from '../../domain/data-stores.ts'
import { type Fault, fault } from '../../domain/fault.ts'
import type { Id } from '../../domain/id.ts'
import type { ListPosition } from '../../domain/list-position.ts'
import { fullScope, type Scope } from '../../domain/scope.ts'
import type { NearbyHit, NearbyQuery, QueryCaller } from '../../domain/search.ts'
import type { Eventual } from '../../kit/chain.ts'
import { continueList } from './continue-list.ts'
import { type Found, readHits, type SearchStores } from './read-hits.ts'

/** Query of a partner: a circle around a location is a circle around its coordinates. */
export type NearbyRequest = Omit<NearbyQuery, 'within'> & {
  readonly within: NearbyQuery['within'] | { readonly locationId: Id; readonly radiusKm: number }
}

/** Finds places in an area, within a scope. A page may begin behind a position of an earlier one. */
export function nearbyLocations<B = never>(
  stores: SearchStores<B>,
  scope: Scope,
  { within, ...request }: NearbyRequest,
  caller: QueryCaller,
  position?: ListPosition,
): Eventual<Found<NearbyHit, B> | Fault> {
  const nearby = (area: NearbyQuery['within']) =>
    readHits(stores, scope, () =>
      continueList(position, request, part =>
        stores.index.nearby({ ...request, ...part, within: area, scope }, caller),
      ),
    )
  if (!('locationId' in within)) return nearby(within)
  return circleAround(stores.locations, within).then(area => (area ? nearby(area) : centreUnknown()))
}

/** Searches the complete inventory: the scope of a key does not apply to the catalog. */
export const nearbyCatalog = (
  stores: SearchStores,
  request: NearbyRequest,
  caller: QueryCaller,
  position?: ListPosition,
): Eventual<Found<NearbyHit> | Fault> => nearbyLocations(stores, fullScope, request, caller, position)

async function circleAround(locations: LocationReader, { locationId, radiusKm }: { locationId: Id; radiusKm: number }) {
  const entry = await locations.get(locationId)
  return entry && { centre: entry.location().coordinates, radiusKm }
}

function centreUnknown(): Fault {
  const field = 'location_id'
  const message = `${field} must be the id of a location.`
  return fault('parameters_invalid', { detail: message, fieldErrors: [{ field, message }] })
}
