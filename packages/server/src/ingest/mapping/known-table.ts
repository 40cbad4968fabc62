import type { FieldMapping } from '../../domain/import.ts'
import type { Fields } from '../row.ts'
import { checkColumns, type Mapping, setFields, valueAt } from './mapping.ts'

/** Source columns of a field of a known table. */
export interface KnownField {
  readonly field: string
  /** Columns, or paths of members: `names.primary`. */
  readonly from: readonly string[]
  /** Describes the conversion in reports. */
  readonly note?: string
}

/** A published table of places with known columns. */
export interface KnownTable {
  /** Source of its records, unless the operator specifies one. */
  readonly source: string
  /** Returns true if a file with these columns is this table. */
  matches(names: readonly string[]): boolean
  /** True if records that name no country get the one at their coordinates. */
  readonly countryFromPoint?: boolean
  /** Columns that are read, if present. */
  readonly columns: readonly string[]
  readonly fields: readonly KnownField[]
  /** Returns true for further columns that are read. */
  isRead?(name: string): boolean
  /** Returns the columns of a GeoJSON feature. */
  ofFeature?(feature: Fields): Fields
  /** Converts a row to the form of an NDJSON record. */
  toRecord(row: Fields): Record<string, unknown>
}

/** Creates the mapping of a known table with these columns. Fields that the operator requested take precedence. */
export function createKnownTableMapping(
  table: KnownTable,
  names: readonly string[],
  requested: readonly FieldMapping[],
): Mapping {
  checkColumns(requested, names)
  const used = new Set([...table.columns, ...requested.map(({ from }) => from.split('.', 1)[0]!)])
  const replaced = new Set(requested.map(({ field }) => field))
  const unused = names.filter(name => !used.has(name))
  const isMapped = ({ field, from }: KnownField) =>
    !replaced.has(field) && from.some(path => names.includes(path.split('.', 1)[0]!))
  return {
    kind: 'location',
    source: table.source,
    columns: names.filter(name => used.has(name)),
    apply: ({ record: row }) => {
      const record = table.toRecord(row)
      for (const { field } of requested) delete record[field]
      return setFields(record, requested, from => valueAt(row, from))
    },
    describe: () => ({
      fields: [...requested, ...table.fields.filter(isMapped).map(toFieldMapping)],
      unused,
    }),
    unused: () => unused,
  }
}

/** Describes the source of a field in reports. */
export const toFieldMapping = ({ field, from, note }: KnownField): FieldMapping => ({
  field,
  from: note === undefined ? from.join(', ') : `${from.join(', ')} (${note})`,
})
