import { isUtf8 } from 'node:buffer'
import type { Rejection } from '../../domain/import.ts'
import type { ParsedRecords } from './csv-records.ts'
import { invalidUtf8 } from './ndjson.ts'

/** Rejections of lines that are not CSV. */
export const syntaxErrors: Readonly<Record<NonNullable<ParsedRecords['error']>, Rejection>> = {
  quote_not_closed: {
    reason: 'quote_not_closed',
    detail: 'A quote opens on this line and is not closed, or its record is longer than 1 MB.',
  },
  stray_quote: {
    reason: 'stray_quote',
    detail: 'A value contains a quote but is not quoted. Quote the entire value and double the quotes in it.',
  },
}

/** Returns the rejection of a row that has not one cell per column. */
export const raggedRow = (cells: readonly string[], columns: readonly string[]): Rejection => ({
  reason: 'ragged_row',
  detail: `The row has ${cells.length} cells, but there are ${columns.length} columns. Quote cells that contain the delimiter or a line end.`,
})

/** Returns the rejection of a row that is not UTF-8 or has a NUL byte; undefined for valid text. */
export function invalidBytes(bytes: Buffer): Rejection | undefined {
  if (!isUtf8(bytes)) return invalidUtf8
  return bytes.includes(0) ? { reason: 'nul_byte', detail: 'The row contains a NUL byte.' } : undefined
}
