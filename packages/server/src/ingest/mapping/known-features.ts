import type { FieldMapping } from '../../domain/import.ts'
import type { Fields } from '../row.ts'
import { FieldNames } from './field-names.ts'
import { type KnownTable, toFieldMapping } from './known-table.ts'
import { checkColumns, type Mapping, setFields, valueAt } from './mapping.ts'

/** Creates the mapping of rows or features of a known table whose columns are not known before the rows. */
export function createKnownFeatureMapping(table: KnownTable, requested: readonly FieldMapping[]): Mapping {
  const columns = new Set(table.columns)
  const names = new FieldNames(name => (columns.has(name) || table.isRead?.(name) ? name : undefined))
  const used = new Set(requested.map(({ from }) => from.split('.', 1)[0]!))
  const replaced = new Set(requested.map(({ field }) => field))
  const toRow = (record: Fields): Fields =>
    record.type === 'Feature' && table.ofFeature ? table.ofFeature(record) : record
  const unused = () => names.unused(used)
  return {
    kind: 'location',
    source: table.source,
    countryFromPoint: table.countryFromPoint === true,
    apply: ({ record: row }) => {
      const columnsOfRow = toRow(row)
      for (const name in columnsOfRow) names.fieldOf(name)
      const record = table.toRecord(columnsOfRow)
      for (const { field } of requested) delete record[field]
      return setFields(record, requested, from => valueAt(columnsOfRow, from))
    },
    describe: rows => {
      const found = new Set(rows.flatMap(row => Object.keys(toRow(row))))
      if (found.size > 0) checkColumns(requested, [...found])
      const fields = table.fields.filter(({ field }) => !replaced.has(field)).map(toFieldMapping)
      return { fields: [...requested, ...fields], unused: unused() }
    },
    unused,
  }
}
