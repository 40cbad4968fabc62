import { isUtf8 } from 'node:buffer'
import type { Rejection, Row } from '../row.ts'
import { type Dialect, withoutByteOrderMark } from './csv-dialect.ts'
import { afterBlankLines, type CsvRecord, type Parsed, parseRecords } from './csv-records.ts'
import { invalidUtf8, tooLong } from './ndjson.ts'

/** As for a line of NDJSON (rulings: Import format). */
const maxRecordBytes = 1024 * 1024

/**
 * Reads CSV as rows by the names of its columns. What the parser cannot read costs the line on which the record
 * begins, and reading goes on with the next: an open quote swallows nothing. Of a line over 1 MB nothing is kept.
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>, dialect: Dialect): AsyncGenerator<Row> {
  const reader = new CsvReader(dialect)
  // A byte order mark has three bytes.
  let first: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (first) first = Buffer.concat([first, chunk])
    if (first && first.length < 3) continue
    yield* reader.read(first ? withoutByteOrderMark(first) : chunk, false)
    first = undefined
  }
  yield* reader.read(first ?? Buffer.alloc(0), true)
}

class CsvReader {
  readonly #dialect: Dialect
  #headerDue: boolean
  /** What is at hand: bytes behind the last whole record, and the newest chunk. */
  #bytes: Buffer = Buffer.alloc(0)
  /** The line, from 1, at the byte `#counted` of `#bytes`. */
  #line = 1
  #counted = 0
  /** In a line that is too long to keep. */
  #skipping = false

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#headerDue = dialect.header
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
      // More of the file may close an open quote.
      const mayClose = parsed.broken === 'quote_not_closed' && !last && until - from <= maxRecordBytes
      if (parsed.broken === undefined || mayClose) break
      const begin = afterBlankLines(this.#bytes, from)
      const end = this.#bytes.indexOf(this.#dialect.lineEnd, begin)
      from = end === -1 ? until : end + 1
      yield this.#rejected(broken[parsed.broken], begin, from)
    }
    this.#keepFrom(from)
  }

  *#rows({ records, consumed }: Parsed, piece: Buffer, offset: number): Generator<Row> {
    const taken = piece.subarray(0, consumed)
    const isClean = isUtf8(taken) && !taken.includes(0)
    for (const record of records) {
      if (this.#headerDue) {
        this.#headerDue = false
        continue
      }
      const { cells, from, to } = record
      // A spreadsheet ends its sheet with rows of delimiters alone.
      if (cells.every(cell => cell.trim() === '')) continue
      const soiled = isClean ? undefined : dirty(piece.subarray(from, to))
      if (soiled) yield this.#rejected(soiled, offset + from, offset + to)
      else yield this.#row(record, piece, offset)
    }
  }

  #row({ cells, from, to }: CsvRecord, piece: Buffer, offset: number): Row {
    const record: Record<string, string> = {}
    const { columns } = this.#dialect
    const most = Math.min(cells.length, columns.length)
    for (let i = 0; i < most; i++) record[columns[i]!] = cells[i]!
    const row = { line: this.#lineAt(offset + from), text: () => textOf(piece.subarray(from, to)), record }
    return cells.length === columns.length ? row : { ...row, rejection: ragged(cells, columns) }
  }

  #rejected(rejection: Rejection, from: number, to: number): Row {
    const bytes = this.#bytes.subarray(from, to)
    return { line: this.#lineAt(from), text: () => textOf(bytes), rejection }
  }

  /** Passes over a line that is too long, as far as it is there. */
  *#skip(last: boolean): Generator<Row> {
    const end = this.#bytes.indexOf(this.#dialect.lineEnd)
    if (end === -1 && !last) {
      this.#bytes = Buffer.alloc(0)
      return
    }
    yield { line: this.#line, text: () => '', rejection: tooLong(maxRecordBytes) }
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

  /** The line of a byte of `#bytes`; asked for in ascending order. */
  #lineAt(position: number): number {
    for (;;) {
      const end = this.#bytes.indexOf(this.#dialect.lineEnd, this.#counted)
      if (end === -1 || end >= position) return this.#line
      this.#line++
      this.#counted = end + 1
    }
  }
}

const broken: Readonly<Record<NonNullable<Parsed['broken']>, Rejection>> = {
  quote_not_closed: {
    reason: 'quote_not_closed',
    detail: 'A quote opens on this line and is never closed, or its record is longer than 1 MB.',
  },
  stray_quote: {
    reason: 'stray_quote',
    detail: 'A quote stands inside of a value: the value has to be quoted as a whole, and the quote in it doubled.',
  },
}

const ragged = (cells: readonly string[], columns: readonly string[]): Rejection => ({
  reason: 'ragged_row',
  detail: `The row has ${cells.length} cells where there are ${columns.length} columns; a cell with the delimiter or a line end in it has to stand in quotes.`,
})

function dirty(bytes: Buffer): Rejection | undefined {
  if (!isUtf8(bytes)) return invalidUtf8
  return bytes.includes(0) ? { reason: 'nul_byte', detail: 'The row holds a byte 0, which is no text.' } : undefined
}

const textOf = (bytes: Buffer): string => bytes.toString().replace(/[\r\n]+$/, '')
