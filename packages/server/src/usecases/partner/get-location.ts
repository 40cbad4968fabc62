import type { LocationReader } from '../../domain/data-stores.ts'
import { type Fault, fault } from '../../domain/fault.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { inScope, type Scope } from '../../domain/scope.ts'

/** Returns a location, or its survivor after a merge; a fault if it does not exist in this scope. */
export async function getLocation(locations: LocationReader, scope: Scope, id: Id): Promise<LocationEntry | Fault> {
  const entry = await locations.get(id)
  return entry && inScope(scope, entry) ? entry : locationUnknown(id)
}

/** Returns the fault of an unknown location, with the same text for missing locations and locations out of scope. */
export const locationUnknown = (id: Id): Fault =>
  fault('location_unknown', { detail: `A location with the id ${id} does not exist.` })
