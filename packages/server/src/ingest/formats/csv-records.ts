import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'

/** A record and its byte range, relative to the start of the parsed bytes. */
export interface CsvRecord {
  readonly cells: string[]
  readonly from: number
  readonly to: number
}

export interface ParsedRecords {
  readonly records: readonly CsvRecord[]
  /** Number of bytes up to the end of the last complete record. */
  readonly consumed: number
  /** Syntax error after these bytes; undefined if the parser reached the end. */
  readonly error: 'quote_not_closed' | 'stray_quote' | undefined
}

export interface CsvSyntax {
  readonly delimiter: string
  readonly lineEnd: number
}

/** Parses bytes by RFC 4180 up to the first syntax error. Skips blank lines. */
export function parseRecords(bytes: Buffer, { delimiter, lineEnd }: CsvSyntax): ParsedRecords {
  const records: CsvRecord[] = []
  let consumed = 0
  const end = String.fromCharCode(lineEnd)
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: end === '\n' ? ['\r\n', '\n'] : [end],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { bytes: to }: { bytes: number }) => {
        records.push({ cells, from: skipBlankLines(bytes, consumed), to })
        consumed = to
        return undefined
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { records, consumed, error: error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'quote_not_closed' : 'stray_quote' }
  }
  return { records, consumed: bytes.length, error: undefined }
}

/** Returns the position of the first byte from `from` on that is not a line end. */
export function skipBlankLines(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++
  return at
}
