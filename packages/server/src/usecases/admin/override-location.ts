import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import { type Override, type OverrideField, overrideFields } from '../../domain/override.ts'
import type { OverrideReader } from '../../domain/override-value.ts'
import type { PlaceDecisions } from '../../domain/places.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkReason } from './check-texts.ts'
import { recordOfPlace, refusalFault, toPlaceRecord } from './place-record.ts'

/** Dependencies of the use cases that decide about places. */
export interface PlaceStores {
  readonly places: PlaceDecisions
  readonly locations: LocationReader
  readonly clock: Clock
}

/** A value that wins over imports. */
export interface OverrideInput {
  readonly id: Id
  readonly field: string
  /** In the form of imported records: a text, or the nested form. */
  readonly value: unknown
  readonly reason: string
  readonly expectedRevision?: number | undefined
}

/** Overrides a field of a location: the value wins over imports until it is lifted. */
export async function overrideLocation(
  stores: PlaceStores & { readonly readOverride: OverrideReader },
  actor: Actor,
  { id, field, value, reason, expectedRevision }: OverrideInput,
): Promise<Override | AdminFault> {
  if (!isOverrideField(field)) return adminFault('override_field_unknown', ['field'], { field, fields: overrideFields })
  const fault = checkReason(reason)
  if (fault) return fault
  const entry = await stores.locations.get(id)
  if (!entry) return refusalFault(stores.locations, 'unknown', { id })
  const read = stores.readOverride(field, value, toPlaceRecord(entry))
  if ('problem' in read) return adminFault('override_invalid', ['value'], { field, detail: read.problem })
  const change = { id, field, value: read.value, reason: reason.trim(), actor, expectedRevision }
  const outcome = await stores.places.override(change, recordOfPlace(stores.clock, actor, id, 'override', { field }))
  if (typeof outcome !== 'string') return outcome
  if (outcome === 'changed') return changedFault(stores.places, id, field)
  return refusalFault(stores.locations, outcome, { id })
}

export const isOverrideField = (name: string): name is OverrideField =>
  (overrideFields as readonly string[]).includes(name)

/** Returns the fault of a change that was made from an earlier revision. */
export async function changedFault(places: PlaceDecisions, id: Id, field: string): Promise<AdminFault> {
  const current = (await places.of(id)).find(one => one.field === field)
  return adminFault('override_changed', [], { location: id, field, revision: current?.revision ?? 0 })
}
