import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type { PlaceRecord } from '../../domain/override.ts'
import type { PlaceRefusal } from '../../domain/places.ts'
import type { Clock } from '../../kit/clock.ts'
import { recordOf } from './record.ts'

/** The target of lines of the audit about a location. */
export const placeTarget = (id: Id): string => `location/${id}`

/** Returns a stored location as imports deliver it. */
export function toPlaceRecord(entry: LocationEntry): PlaceRecord {
  const { source, country, category } = entry
  return { location: entry.location(), facts: { source, category, ...(country !== undefined && { country }) } }
}

/** Creates the record of a decision about a place. The audit has no values: names and addresses are in the override. */
export const recordOfPlace = (
  clock: Clock,
  actor: Actor,
  id: Id,
  action: string,
  after: Readonly<Record<string, string>>,
): ChangeRecord => recordOf(clock, actor, { action: `location.${action}`, target: placeTarget(id), after })

/** Returns the fault of a refused decision. */
export async function refusalFault(
  locations: LocationReader,
  refusal: Exclude<PlaceRefusal, 'changed'>,
  { id, into = id }: { readonly id: Id; readonly into?: Id },
): Promise<AdminFault> {
  if (refusal === 'circular') return adminFault('merge_circular', ['into'], { location: id, into })
  if (refusal === 'unknown_target') return adminFault('location_unknown', ['into'], { location: into })
  const survivor = refusal === 'merged' ? (await locations.get(id))?.id : undefined
  return survivor === undefined
    ? adminFault('location_unknown', ['id'], { location: id })
    : adminFault('location_merged', ['id'], { location: id, survivor })
}
