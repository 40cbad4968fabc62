import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import { mergeField, type Override } from '../../domain/override.ts'
import { checkReason } from './check-texts.ts'
import { changedFault, type PlaceStores } from './override-location.ts'
import { recordOfPlace, refusalFault } from './place-record.ts'

/** The location to merge, and the one that survives. */
export interface MergeInput {
  readonly id: Id
  readonly into: Id
  readonly reason: string
}

/** Merges a location into another one, to which its reviews are moved. Imports do not undo it. */
export async function mergeLocation(
  { places, locations, clock }: PlaceStores,
  actor: Actor,
  { id, into, reason }: MergeInput,
): Promise<Override | AdminFault> {
  const fault = checkReason(reason)
  if (fault) return fault
  const record = recordOfPlace(clock, actor, id, 'merge', { into: String(into) })
  const outcome = await places.merge({ id, into, reason: reason.trim(), actor }, record)
  if (typeof outcome !== 'string') return outcome
  return outcome === 'changed' ? changedFault(places, id, mergeField) : refusalFault(locations, outcome, { id, into })
}
