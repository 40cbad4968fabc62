import type { FieldMapping } from '../../domain/import.ts'
import type { Fields } from '../row.ts'
import { checkColumns, fill, type Mapping, valueAt } from './mapping.ts'

/** A published table of places with known columns. */
export interface KnownTable {
  /** Source of its records, unless the operator names one. */
  readonly source: string
  /** Returns true if a file with these columns is this table. */
  matches(names: readonly string[]): boolean
  /** The columns that are read, if present. */
  readonly columns: readonly string[]
  readonly fields: readonly FieldMapping[]
  /** Converts a row to the form of NDJSON records. */
  toRecord(row: Fields): Record<string, unknown>
}

/** Creates the mapping of a known table. Fields that the operator requested take precedence. */
export function knownTableMapping(
  table: KnownTable,
  names: readonly string[],
  requested: readonly FieldMapping[],
): Mapping {
  checkColumns(requested, names)
  const used = new Set([...table.columns, ...requested.map(({ from }) => from.split('.', 1)[0]!)])
  const replaced = new Set(requested.map(({ field }) => field))
  const isMapped = ({ field, from }: FieldMapping) => !replaced.has(field) && isPresent(from, names)
  return {
    kind: 'location',
    source: table.source,
    columns: names.filter(name => used.has(name)),
    apply: ({ record: row }) => {
      const record = table.toRecord(row)
      for (const { field } of requested) delete record[field]
      return fill(record, requested, from => valueAt(row, from))
    },
    describe: () => ({
      fields: [...requested, ...table.fields.filter(isMapped)],
      unused: names.filter(name => !used.has(name)),
    }),
  }
}

/** Returns true if the file has one of the columns that the description names. */
const isPresent = (from: string, names: readonly string[]): boolean =>
  (from.match(/\w+/g) ?? []).some(word => names.includes(word))
