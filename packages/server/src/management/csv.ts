import { stringify } from 'csv-stringify/sync'

/** Formats rows as CSV (RFC 4180) with a header line. Cells that a spreadsheet would run as a formula are escaped. */
export const formatCsv = (rows: readonly object[]): string =>
  rows.length === 0
    ? ''
    : stringify(rows as object[], {
        header: true,
        columns: columnsOf(rows),
        escape_formulas: true,
        record_delimiter: 'windows',
      })

/** Returns the names of all members, in order of their first occurrence. */
const columnsOf = (rows: readonly object[]): string[] => [...new Set(rows.flatMap(row => Object.keys(row)))]
