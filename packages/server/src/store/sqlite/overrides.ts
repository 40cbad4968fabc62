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
import type { Sqlite } from '../connection.ts'

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

/** Opens the overrides in control.sqlite. */
export function createSqliteOverrides(control: Sqlite): StoredOverrides {
  const any = control.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM overrides)').pluck()
  const of = control.prepare<[Id], OverrideRow>('SELECT * FROM overrides WHERE location = ?').safeIntegers()
  const setImported = control.prepare('UPDATE overrides SET imported = ? WHERE location = ? AND field = ?')
  const keep = (row: OverrideRow, imported: string | null): void => {
    if (row.imported !== imported) setImported.run(imported, row.location, row.field)
  }
  const wholeOf = (id: Id) => of.all(id).find(row => isWholeField(row.field))
  return {
    exist: () => any.get() === 1,
    apply: (id, imported) => {
      let record = imported
      for (const row of of.all(id)) {
        if (isWholeField(row.field)) continue
        keep(row, JSON.stringify(readField(imported, row.field)))
        record = writeField(record, row.field, control.parseJson<ImportedValue>(row.value))
      }
      return record
    },
    survivorOf: id => {
      const row = wholeOf(id)
      return row?.field === mergeField ? BigInt(control.parseJson<string>(row.value)) : undefined
    },
    isRemoved: id => wholeOf(id)?.field === removalField,
    keepPlace: (id, imported) => {
      for (const row of of.all(id)) {
        if (isWholeField(row.field)) keep(row, imported === undefined ? null : JSON.stringify(imported))
        else if (imported) keep(row, JSON.stringify(readField(imported, row.field)))
      }
    },
  }
}

/** Returns the override of a row. */
export function toOverride(control: Sqlite, row: OverrideRow): Override {
  const isWhole = isWholeField(row.field)
  const imported = isWhole || row.imported === null ? undefined : control.parseJson<ImportedValue>(row.imported).value
  return {
    locationId: row.location,
    field: row.field,
    value: isWhole ? control.parseJson<string>(row.value) : control.parseJson<ImportedValue>(row.value).value!,
    ...(imported && { imported }),
    reason: row.reason,
    actor: control.parseJson(row.actor),
    atMs: Number(row.at_ms),
    revision: Number(row.revision),
  }
}
