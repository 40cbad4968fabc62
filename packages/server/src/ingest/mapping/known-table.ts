import type { Fields } from '../row.ts'
import { checkColumns, type FieldMapping, fill, type Mapping, valueAt } from './mapping.ts'

/** A published table of places whose columns are known. */
export interface KnownTable {
  /** Of its records, unless the operator says another. */
  readonly source: string
  /** Whether a file is this table, by the names of its columns. */
  recognises(names: readonly string[]): boolean
  /** The columns that are read, where they are there. */
  readonly columns: readonly string[]
  readonly fields: readonly FieldMapping[]
  /** A row as a record of NDJSON. */
  record(row: Fields): Record<string, unknown>
}

/** The mapping of such a table; what the operator asked for stands over it. */
export function knownTableMapping(
  table: KnownTable,
  names: readonly string[],
  asked: readonly FieldMapping[],
): Mapping {
  checkColumns(asked, names)
  const wanted = new Set([...table.columns, ...asked.map(({ from }) => from.split('.', 1)[0]!)])
  const own = new Set(asked.map(({ field }) => field))
  return {
    kind: 'location',
    source: table.source,
    columns: names.filter(name => wanted.has(name)),
    apply: ({ record: row }) => {
      const record = table.record(row)
      for (const { field } of asked) delete record[field]
      return fill(record, asked, from => valueAt(row, from))
    },
    describe: () => ({
      fields: [...asked, ...table.fields.filter(({ field, from }) => !own.has(field) && isThere(from, names))],
      unused: names.filter(name => !wanted.has(name)),
    }),
  }
}

/** Whether one of the columns that the words name is in the file. */
const isThere = (from: string, names: readonly string[]): boolean =>
  (from.match(/\w+/g) ?? []).some(word => names.includes(word))
