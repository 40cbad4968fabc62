import { fieldOfColumn } from '../mapping/column-names.ts'
import { parseRecords } from './csv-records.ts'
import { newline } from './lines.ts'

/** How a CSV file is written, and what its beginning holds. */
export interface Dialect {
  readonly delimiter: string
  /** The byte that ends a line. */
  readonly lineEnd: number
  /** Whether the first record names the columns. */
  readonly header: boolean
  /** By the header, or `column_1` and so on; each name once. */
  readonly columns: readonly string[]
  /** The first records below the header. */
  readonly samples: readonly (readonly string[])[]
}

const carriageReturn = 0x0d

/** Those that files use, the likelier first; of equals the first wins. */
const delimiters = [',', ';', '\t', '|', '^', '~', '\x1f', '\x01']

/** Reads the dialect from the first bytes of a file. `known` are column names that the operator has used. */
export function readDialect(
  head: Buffer,
  whole: boolean,
  given: string | undefined,
  known: readonly string[] = [],
): Dialect {
  const lineEnd = lineEndOf(head)
  const delimiter = given ?? guessDelimiter(head, whole) ?? ','
  const records = wholeRecords(head, whole, delimiter, lineEnd)
  const first = records[0] ?? []
  const header = isHeader(first, records[1], known)
  return {
    delimiter,
    lineEnd,
    header,
    columns: header ? distinct(first) : first.map((_, i) => `column_${i + 1}`),
    samples: records.slice(header ? 1 : 0),
  }
}

/** The delimiter by which most of the first records have as many cells; undefined where none makes more than one. */
export function guessDelimiter(head: Buffer, whole: boolean): string | undefined {
  const lineEnd = lineEndOf(head)
  const scored = delimiters.map(delimiter => ({ delimiter, score: evenness(head, whole, delimiter, lineEnd) }))
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a))
  return best.score > 0 ? best.delimiter : undefined
}

/** The share of records that have as many cells as the first one, a little more for more cells; 0 for one cell. */
function evenness(head: Buffer, whole: boolean, delimiter: string, lineEnd: number): number {
  const counts = wholeRecords(head, whole, delimiter, lineEnd).map(record => record.length)
  const columns = counts[0] ?? 0
  if (columns < 2) return 0
  return counts.filter(count => count === columns).length / counts.length + Math.min(columns, 50) / 200
}

function wholeRecords(head: Buffer, whole: boolean, delimiter: string, lineEnd: number): readonly string[][] {
  const text = withoutByteOrderMark(head)
  const end = whole ? text.length : text.lastIndexOf(lineEnd) + 1
  return parseRecords(text.subarray(0, end), { delimiter, lineEnd }).records.map(record => record.cells)
}

/** Line feeds, unless there are carriage returns alone. */
const lineEndOf = (head: Buffer): number =>
  !head.includes(newline) && head.includes(carriageReturn) ? carriageReturn : newline

export const withoutByteOrderMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** A cell that is known as a column's name, or nothing but words above something else. */
function isHeader(first: readonly string[], second: readonly string[] | undefined, known: readonly string[]): boolean {
  if (first.some(cell => known.includes(cell) || fieldOfColumn(cell, 'location') || fieldOfColumn(cell, 'review')))
    return true
  const isNumber = (cell: string) => cell.trim() !== '' && Number.isFinite(Number(cell))
  if (first.some(cell => isNumber(cell) || cell.trim() === '') || new Set(first).size < first.length) return false
  return second?.some(isNumber) ?? false
}

/** `name`, `name`, `` -> `name`, `name_2`, `column_3`. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((raw, i) => {
    const name = raw.trim() || `column_${i + 1}`
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
    taken.add(free)
    return free
  })
}
