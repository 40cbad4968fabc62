import type { Id } from '../../domain/id.ts'
import {
  type ImportedValue,
  mergeField,
  type Override,
  type OverrideField,
  type PlaceRecord,
  readField,
  writeField,
} from '../../domain/override.ts'
import type { Sqlite } from '../connection.ts'

export interface OverrideRow {
  readonly location: bigint
  readonly field: OverrideField | typeof mergeField
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
  /** Stores the imported place of a merged location, for `lift`; undefined if its source has removed it. */
  keepMerged(id: Id, imported: PlaceRecord | undefined): void
}

/** Opens the overrides in control.sqlite. */
export function createSqliteOverrides(control: Sqlite): StoredOverrides {
  const any = control.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM overrides)').pluck()
  const of = control.prepare<[Id], OverrideRow>('SELECT * FROM overrides WHERE location = ?').safeIntegers()
  const setImported = control.prepare('UPDATE overrides SET imported = ? WHERE location = ? AND field = ?')
  const keep = (row: OverrideRow, imported: string | null): void => {
    if (row.imported !== imported) setImported.run(imported, row.location, row.field)
  }
  const mergeOf = (id: Id) => of.all(id).find(row => row.field === mergeField)
  return {
    exist: () => any.get() === 1,
    apply: (id, imported) => {
      let record = imported
      for (const row of of.all(id)) {
        if (row.field === mergeField) continue
        keep(row, JSON.stringify(readField(imported, row.field)))
        record = writeField(record, row.field, control.parseJson<ImportedValue>(row.value))
      }
      return record
    },
    survivorOf: id => {
      const row = mergeOf(id)
      return row && BigInt(control.parseJson<string>(row.value))
    },
    keepMerged: (id, imported) => {
      const row = mergeOf(id)
      if (row) keep(row, imported === undefined ? null : JSON.stringify(imported))
    },
  }
}

/** Returns the override of a row. */
export function toOverride(control: Sqlite, row: OverrideRow): Override {
  const isMerge = row.field === mergeField
  const imported = isMerge || row.imported === null ? undefined : control.parseJson<ImportedValue>(row.imported).value
  return {
    locationId: row.location,
    field: row.field,
    value: isMerge ? control.parseJson<string>(row.value) : control.parseJson<ImportedValue>(row.value).value!,
    ...(imported && { imported }),
    reason: row.reason,
    actor: control.parseJson(row.actor),
    atMs: Number(row.at_ms),
    revision: Number(row.revision),
  }
}
