import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type { Override } from '../../domain/override.ts'
import type { PlaceStores } from './override-location.ts'

/** A location as operators see it. */
export interface AdminPlace {
  readonly id: Id
  /** The stored location, or the survivor of a merged one. */
  readonly entry: LocationEntry
  readonly overrides: readonly Override[]
}

/** Returns a location with the values that operators have overridden. */
export async function getPlace(
  { places, locations }: Pick<PlaceStores, 'places' | 'locations'>,
  _actor: Actor,
  { id }: { readonly id: Id },
): Promise<AdminPlace | AdminFault> {
  const entry = await locations.get(id)
  if (!entry) return adminFault('location_unknown', ['id'], { location: id })
  return { id, entry, overrides: await places.of(id) }
}

/** A location that may have been removed, with the decisions of operators. */
export interface DecidedPlace {
  readonly id: Id
  /** The stored location, or the survivor of a merged one; missing for a removed one. */
  readonly entry: LocationEntry | undefined
  readonly overrides: readonly Override[]
}

/** Returns a location that is stored, or that decisions of operators are about. */
export async function getDecidedPlace(
  { places, locations }: Pick<PlaceStores, 'places' | 'locations'>,
  _actor: Actor,
  { id }: { readonly id: Id },
): Promise<DecidedPlace | AdminFault> {
  const [entry, overrides] = [await locations.get(id), await places.of(id)]
  if (!entry && overrides.length === 0) return adminFault('location_unknown', ['id'], { location: id })
  return { id, entry, overrides }
}
