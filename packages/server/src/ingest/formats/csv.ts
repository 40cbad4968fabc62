import { isUtf8 } from 'node:buffer'
import type { Rejection } from '../../domain/import.ts'
import type { Row } from '../row.ts'
import { type Dialect, stripByteOrderMark } from './csv-dialect.ts'
import { type CsvRecord, type ParsedRecords, parseRecords, skipBlankLines } from './csv-records.ts'
import { invalidBytes, raggedRow, syntaxErrors } from './csv-rejections.ts'
import { lineTooLong } from './ndjson.ts'

/** Same limit as for a line of NDJSON (rulings: Import format). */
const maxRecordBytes = 1024 * 1024

/**
 * Reads CSV as rows whose fields are named by the columns. A syntax error rejects only the line on which the record
 * begins, so an unclosed quote does not consume the records after it. Lines over 1 MB are rejected without being
 * buffered.
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>, dialect: Dialect): AsyncGenerator<Row> {
  const reader = new CsvReader(dialect)
  // Collect the first three bytes, the length of a byte order mark.
  let first: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (first) first = Buffer.concat([first, chunk])
    if (first && first.length < 3) continue
    yield* reader.read(first ? stripByteOrderMark(first) : chunk, false)
    first = undefined
  }
  yield* reader.read(first ?? Buffer.alloc(0), true)
}

class CsvReader {
  readonly #dialect: Dialect
  /** Number of records before the first row: the header, and the line that names the delimiter. */
  #skippedRecords: number
  /** Bytes that are not parsed yet: the incomplete record of earlier chunks, and the newest chunk. */
  #bytes: Buffer = Buffer.alloc(0)
  /** Number of the line, from 1, at position `#counted` of `#bytes`. */
  #line = 1
  #counted = 0
  /** True within a line that is too long to buffer. */
  #skipping = false

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#skippedRecords = Number(dialect.header) + Number(dialect.separatorLine)
  }

  *read(chunk: Buffer, last: boolean): Generator<Row> {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    if (this.#skipping) yield* this.#skip(last)
    const until = last ? this.#bytes.length : this.#bytes.lastIndexOf(this.#dialect.lineEnd) + 1
    let from = 0
    while (from < until) {
      const piece = this.#bytes.subarray(from, until)
      const parsed = parseRecords(piece, this.#dialect)
      yield* this.#rows(parsed, piece, from)
      from += parsed.consumed
      // The next chunk may close an open quote.
      const mayClose = parsed.error === 'quote_not_closed' && !last && until - from <= maxRecordBytes
      if (parsed.error === undefined || mayClose) break
      const start = skipBlankLines(this.#bytes, from)
      const end = this.#bytes.indexOf(this.#dialect.lineEnd, start)
      from = end === -1 ? until : end + 1
      yield this.#rejected(syntaxErrors[parsed.error], start, from)
    }
    this.#keepFrom(from)
  }

  *#rows({ records, consumed }: ParsedRecords, piece: Buffer, offset: number): Generator<Row> {
    const parsed = piece.subarray(0, consumed)
    const isValid = isUtf8(parsed) && !parsed.includes(0)
    for (const record of records) {
      if (this.#skippedRecords > 0) {
        this.#skippedRecords--
        continue
      }
      const { cells, from, to } = record
      // Spreadsheets export empty rows as rows of delimiters.
      if (cells.every(cell => cell.trim() === '')) continue
      const rejection = isValid ? undefined : invalidBytes(piece.subarray(from, to))
      if (rejection) yield this.#rejected(rejection, offset + from, offset + to)
      else yield this.#row(record, piece, offset)
    }
  }

  #row({ cells, from, to }: CsvRecord, piece: Buffer, offset: number): Row {
    const record: Record<string, string> = {}
    const { columns } = this.#dialect
    const count = Math.min(cells.length, columns.length)
    for (let i = 0; i < count; i++) record[columns[i]!] = cells[i]!
    const row = { line: this.#lineAt(offset + from), text: () => decodeRow(piece.subarray(from, to)), record }
    return cells.length === columns.length ? row : { ...row, rejection: raggedRow(cells, columns) }
  }

  #rejected(rejection: Rejection, from: number, to: number): Row {
    const bytes = this.#bytes.subarray(from, to)
    return { line: this.#lineAt(from), text: () => decodeRow(bytes), rejection }
  }

  /** Skips the available part of a line that is too long, and rejects the line at its end. */
  *#skip(last: boolean): Generator<Row> {
    const end = this.#bytes.indexOf(this.#dialect.lineEnd)
    if (end === -1 && !last) {
      this.#bytes = Buffer.alloc(0)
      return
    }
    yield { line: this.#line, text: () => '', rejection: lineTooLong(maxRecordBytes) }
    this.#skipping = false
    this.#keepFrom(end === -1 ? this.#bytes.length : end + 1)
  }

  #keepFrom(at: number): void {
    this.#lineAt(at)
    this.#bytes = this.#bytes.subarray(at)
    this.#counted = 0
    if (this.#bytes.length <= maxRecordBytes || this.#bytes.includes(this.#dialect.lineEnd)) return
    this.#bytes = Buffer.alloc(0)
    this.#skipping = true
  }

  /** Returns the line number of a position in `#bytes`. Call it with ascending positions. */
  #lineAt(position: number): number {
    for (;;) {
      const end = this.#bytes.indexOf(this.#dialect.lineEnd, this.#counted)
      if (end === -1 || end >= position) return this.#line
      this.#line++
      this.#counted = end + 1
    }
  }
}

const decodeRow = (bytes: Buffer): string => bytes.toString().replace(/[\r\n]+$/, '')
