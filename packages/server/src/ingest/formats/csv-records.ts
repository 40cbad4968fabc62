import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'

/** A record and the bytes it came from, both ends counted from the beginning of what was parsed. */
export interface CsvRecord {
  readonly cells: string[]
  readonly from: number
  readonly to: number
}

export interface Parsed {
  readonly records: readonly CsvRecord[]
  /** Bytes up to the end of the last whole record. */
  readonly consumed: number
  /** What stopped the parser there; undefined when it came to the end. */
  readonly broken: 'quote_not_closed' | 'stray_quote' | undefined
}

export interface CsvSyntax {
  readonly delimiter: string
  readonly lineEnd: number
}

/** Parses bytes as RFC 4180 up to the first record that is broken; blank lines are passed over. */
export function parseRecords(bytes: Buffer, { delimiter, lineEnd }: CsvSyntax): Parsed {
  const records: CsvRecord[] = []
  let consumed = 0
  const end = String.fromCharCode(lineEnd)
  const parsed = (broken?: Parsed['broken']): Parsed => ({ records, consumed, broken })
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: end === '\n' ? ['\r\n', '\n'] : [end],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { bytes: to }: { bytes: number }) => {
        records.push({ cells, from: afterBlankLines(bytes, consumed), to })
        consumed = to
        return undefined
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return parsed(error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'quote_not_closed' : 'stray_quote')
  }
  consumed = bytes.length
  return parsed()
}

/** Where the next record begins. */
export function afterBlankLines(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++
  return at
}
