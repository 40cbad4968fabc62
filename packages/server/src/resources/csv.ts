import { stringify } from 'csv-stringify/sync'

/**
 * Formats rows as CSV (RFC 4180). Cells that a spreadsheet would run as a formula start with an apostrophe, which
 * spreadsheets hide.
 */
export const csvText = (rows: readonly (readonly (string | number | undefined)[])[]): string =>
  stringify(
    rows.map(row => [...row]),
    // RFC 4180 requires quotes around carriage returns as well.
    { escape_formulas: true, quoted_match: /\r/ },
  )
