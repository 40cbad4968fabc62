import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import { isWholeField, type Override, overrideFields, wholeFields } from '../../domain/override.ts'
import { checkReason } from './check-texts.ts'
import { changedFault, isOverrideField, type PlaceStores } from './override-location.ts'
import { recordOfPlace } from './place-record.ts'

/** The override to lift; `merged_into` is the merge of a location, `removed` its removal. */
export interface LiftInput {
  readonly id: Id
  readonly field: string
  readonly reason: string
  readonly expectedRevision?: number | undefined
}

/** Lifts an override and returns it: the last imported value is served again. */
export async function liftOverride(
  { places, clock }: PlaceStores,
  actor: Actor,
  { id, field, reason, expectedRevision }: LiftInput,
): Promise<Override | AdminFault> {
  if (!isWholeField(field) && !isOverrideField(field))
    return adminFault('override_field_unknown', ['field'], { field, fields: [...overrideFields, ...wholeFields] })
  const fault = checkReason(reason)
  if (fault) return fault
  const record = recordOfPlace(clock, actor, id, 'lift', { field, reason: reason.trim() })
  const outcome = await places.lift(id, field, expectedRevision, record)
  if (outcome === 'unknown') return adminFault('override_unknown', ['field'], { location: id, field })
  return outcome === 'changed' ? changedFault(places, id, field) : outcome
}
