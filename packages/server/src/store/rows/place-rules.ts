import type { Id } from '../../domain/id.ts'
import {
  cellOf,
  isWholeField,
  mergeField,
  type Override,
  type PlaceRecord,
  readField,
  removalField,
  writeField,
} from '../../domain/override.ts'
import type { NewOverride, PlaceDecision, PlaceRefusal } from '../../domain/places.ts'
import type { JsonColumns } from '../sql/database.ts'
import type { Batch } from './batch.ts'
import type { LocationWriter } from './location-rules.ts'
import { type OverrideRow, toOverride } from './override-rules.ts'

/** A new override. */
export interface NewOverrideRow {
  readonly id: Id
  readonly field: Override['field']
  readonly value: string
  readonly imported: string
  readonly decision: PlaceDecision
}

/** The stores that decisions about places read and write. */
export interface PlaceStores extends JsonColumns {
  readonly locations: LocationWriter
  override(id: Id, field: string): OverrideRow | undefined
  /** Returns the overrides of a location in the order of fields. */
  overridesOf(id: Id): readonly OverrideRow[]
  putOverride(row: NewOverrideRow, atMs: number): void
  removeOverride(id: Id, field: string): void
}

/** One decision: its batch, and the function that commits its overrides and record. */
export interface PlaceStep {
  readonly batch: Batch
  commit(work: () => void): void
}

/** Overrides the value of a field. */
export function overrideField(stores: PlaceStores, change: NewOverride, step: PlaceStep): Override | PlaceRefusal {
  const { id, field, value, expectedRevision } = change
  const { locations } = stores
  const before = stores.override(id, field)
  if (expectedRevision !== undefined && expectedRevision !== Number(before?.revision ?? 0)) return 'changed'
  const place = locations.read(id)
  if (!place) return refuseMissing(stores, id)
  const imported = before?.imported
    ? stores.parseJson<ReturnType<typeof readField>>(before.imported)
    : readField(place, field)
  const cell = cellOf(field, value, imported)
  const row = { id, field, value: JSON.stringify(cell), imported: JSON.stringify(imported), decision: change }
  step.commit(() => stores.putOverride(row, step.batch.atMs))
  locations.put(id, writeField(place, field, cell), step.batch)
  return found(stores, id, field)
}

/** Merges a place into another. */
export function mergePlace(
  stores: PlaceStores,
  change: PlaceDecision & { readonly into: Id },
  step: PlaceStep,
): Override | PlaceRefusal {
  const { id, into } = change
  const { locations } = stores
  const place = locations.read(id)
  if (!place) return refuseMissing(stores, id)
  const survivor = locations.survivorOf(into) ?? into
  if (survivor === id) return 'circular'
  if (!locations.read(survivor)) return 'unknown_target'
  const row = { id, field: mergeField, value: JSON.stringify(String(survivor)), decision: change }
  step.commit(() => stores.putOverride({ ...row, imported: importedPlace(stores, id, place) }, step.batch.atMs))
  locations.merge(id, survivor, step.batch)
  return found(stores, id, mergeField)
}

/** Removes a place. */
export function removePlace(
  stores: PlaceStores,
  change: PlaceDecision,
  step: PlaceStep,
): Override | 'unknown' | 'merged' {
  const { id } = change
  const place = stores.locations.read(id)
  if (!place) return refuseMissing(stores, id)
  const row = { id, field: removalField, value: JSON.stringify(removalField), decision: change }
  step.commit(() => stores.putOverride({ ...row, imported: importedPlace(stores, id, place) }, step.batch.atMs))
  stores.locations.remove(id, step.batch)
  return found(stores, id, removalField)
}

/** Lifts an override, and returns it. */
export function liftOverride(
  stores: PlaceStores,
  { id, field, expectedRevision }: { id: Id; field: Override['field']; expectedRevision: number | undefined },
  step: PlaceStep,
): Override | 'unknown' | 'changed' {
  const row = stores.override(id, field)
  if (!row) return 'unknown'
  if (expectedRevision !== undefined && expectedRevision !== Number(row.revision)) return 'changed'
  step.commit(() => stores.removeOverride(id, field))
  restore(stores, row, step.batch)
  return toOverride(stores, row)
}

function restore(stores: PlaceStores, row: OverrideRow, batch: Batch): void {
  const { location: id, field, imported } = row
  const { locations } = stores
  const place = locations.read(id)
  if (!isWholeField(field)) {
    if (place && imported !== null) locations.put(id, withImported(stores, place, row), batch)
  } else if (imported === null) locations.unmerge(id, batch)
  else {
    const kept = stores.parseJson<PlaceRecord>(imported)
    const others = stores.overridesOf(id)
    locations.put(
      id,
      others.reduce((record, other) => withOverride(stores, record, other), kept),
      batch,
    )
  }
}

const found = (stores: PlaceStores, id: Id, field: string): Override => toOverride(stores, stores.override(id, field)!)

const refuseMissing = ({ locations }: PlaceStores, id: Id): 'unknown' | 'merged' =>
  locations.survivorOf(id) === undefined ? 'unknown' : 'merged'

/** An import stores the values without overrides; so does the place that `lift` restores. */
const importedPlace = (stores: PlaceStores, id: Id, place: PlaceRecord): string =>
  JSON.stringify(stores.overridesOf(id).reduce((kept, row) => withImported(stores, kept, row), place))

/** Returns a place with the imported value of an overridden field. */
const withImported = (stores: JsonColumns, place: PlaceRecord, { field, imported }: OverrideRow): PlaceRecord =>
  isWholeField(field) || imported === null ? place : writeField(place, field, stores.parseJson(imported))

/** Returns a place with the value of an override. */
const withOverride = (stores: JsonColumns, place: PlaceRecord, { field, value }: OverrideRow): PlaceRecord =>
  isWholeField(field) ? place : writeField(place, field, stores.parseJson(value))
