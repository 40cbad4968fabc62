import type { Id } from '../../domain/id.ts'
import {
  type ImportedValue,
  isWholeField,
  mergeField,
  type Override,
  type OverrideField,
  type PlaceRecord,
  readField,
  removalField,
  type WholeField,
  writeField,
} from '../../domain/override.ts'
import type { JsonColumns } from '../sql/database.ts'

/** A stored override. */
export interface OverrideRow {
  readonly location: bigint
  readonly field: OverrideField | WholeField
  readonly value: string
  readonly imported: string | null
  readonly reason: string
  readonly actor: string
  readonly at_ms: bigint
  readonly revision: bigint
}

/** Overrides as imports apply them. */
export interface StoredOverrides {
  /** Returns false if no override exists, so that lookups can be skipped. */
  exist(): boolean
  /** Stores the imported values of overridden fields, and returns the record with the overrides. */
  apply(id: Id, imported: PlaceRecord): PlaceRecord
  /** Returns the survivor that an operator has chosen for a location. */
  survivorOf(id: Id): Id | undefined
  /** Returns true if an operator has removed a location. */
  isRemoved(id: Id): boolean
  /** Stores the imported place of a merged or removed location, for `lift`; undefined if its source has removed it. */
  keepPlace(id: Id, imported: PlaceRecord | undefined): void
}

/** The stored overrides, as the rules read and write them. */
export interface OverrideRows extends JsonColumns {
  exist(): boolean
  /** Returns the overrides of a location in the order of fields. */
  of(id: Id): readonly OverrideRow[]
  setImported(row: OverrideRow, imported: string | null): void
}

/** Creates the rules of overrides. */
export function createOverrides(rows: OverrideRows): StoredOverrides {
  const keep = (row: OverrideRow, imported: string | null): void => {
    if (row.imported !== imported) rows.setImported(row, imported)
  }
  const wholeOf = (id: Id) => rows.of(id).find(row => isWholeField(row.field))
  return {
    exist: () => rows.exist(),
    apply: (id, imported) => {
      let record = imported
      for (const row of rows.of(id)) {
        if (isWholeField(row.field)) continue
        keep(row, JSON.stringify(readField(imported, row.field)))
        record = writeField(record, row.field, rows.parseJson<ImportedValue>(row.value))
      }
      return record
    },
    survivorOf: id => {
      const row = wholeOf(id)
      return row?.field === mergeField ? BigInt(rows.parseJson<string>(row.value)) : undefined
    },
    isRemoved: id => wholeOf(id)?.field === removalField,
    keepPlace: (id, imported) => {
      for (const row of rows.of(id)) {
        if (isWholeField(row.field)) keep(row, imported === undefined ? null : JSON.stringify(imported))
        else if (imported) keep(row, JSON.stringify(readField(imported, row.field)))
      }
    },
  }
}

/** Returns the override of a row. */
export function toOverride(store: JsonColumns, row: OverrideRow): Override {
  const isWhole = isWholeField(row.field)
  const imported = isWhole || row.imported === null ? undefined : store.parseJson<ImportedValue>(row.imported).value
  return {
    locationId: row.location,
    field: row.field,
    value: isWhole ? store.parseJson<string>(row.value) : store.parseJson<ImportedValue>(row.value).value!,
    ...(imported && { imported }),
    reason: row.reason,
    actor: store.parseJson(row.actor),
    atMs: Number(row.at_ms),
    revision: Number(row.revision),
  }
}
