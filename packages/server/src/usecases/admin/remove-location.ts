import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { Override } from '../../domain/override.ts'
import { checkReason } from './check-texts.ts'
import type { PlaceStores } from './override-location.ts'
import { recordOfPlace, refusalFault } from './place-record.ts'

/** Removes a location and its reviews. Imports do not restore it until the removal is lifted. */
export async function removeLocation(
  { places, locations, clock }: PlaceStores,
  actor: Actor,
  { id, reason }: { readonly id: Id; readonly reason: string },
): Promise<Override | AdminFault> {
  const fault = checkReason(reason)
  if (fault) return fault
  const record = recordOfPlace(clock, actor, id, 'remove', {})
  const outcome = await places.remove({ id, reason: reason.trim(), actor }, record)
  return typeof outcome === 'string' ? refusalFault(locations, outcome, { id }) : outcome
}
