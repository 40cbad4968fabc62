import { guessField } from '../mapping/column-names.ts'
import { parseRecords } from './csv-records.ts'
import { newline } from './lines.ts'

/** The syntax of a CSV file, and its first records. */
export interface Dialect {
  readonly delimiter: string
  /** True if the first line is `sep=;`, which names the delimiter for spreadsheets. */
  readonly separatorLine: boolean
  /** The byte that ends a line. */
  readonly lineEnd: number
  /** True if the first record names the columns. */
  readonly header: boolean
  /** Unique names from the header; without a header `column_1` and so on. */
  readonly columns: readonly string[]
  /** The first records below the header. */
  readonly samples: readonly (readonly string[])[]
}

const carriageReturn = 0x0d

/** Common delimiters, the most likely first. If scores are equal, the first is chosen. */
const delimiters = [',', ';', '\t', '|', '^', '~', '\x1f', '\x01']

/**
 * Detects the dialect from the first bytes of a file. `knownColumns` are column names that the operator uses;
 * if the first record contains one of them, it is a header.
 */
export function readDialect(
  head: Buffer,
  isComplete: boolean,
  givenDelimiter: string | undefined,
  knownColumns: readonly string[] = [],
): Dialect {
  const lineEnd = detectLineEnd(head)
  const delimiter = givenDelimiter ?? guessDelimiter(head, isComplete) ?? ','
  const separatorLine = namedDelimiter(head) !== undefined
  const records = completeRecords(head, isComplete, delimiter, lineEnd).slice(separatorLine ? 1 : 0)
  const first = records[0] ?? []
  const header = isHeader(first, records[1], knownColumns)
  return {
    delimiter,
    separatorLine,
    lineEnd,
    header,
    columns: header ? makeUnique(first) : first.map((_, i) => `column_${i + 1}`),
    samples: records.slice(header ? 1 : 0),
  }
}

/**
 * Returns the delimiter that splits most of the first records into the same number of cells; undefined if none of them
 * splits the first record.
 */
export function guessDelimiter(head: Buffer, isComplete: boolean): string | undefined {
  const named = namedDelimiter(head)
  if (named !== undefined) return named
  const lineEnd = detectLineEnd(head)
  const scored = delimiters.map(delimiter => ({
    delimiter,
    score: scoreDelimiter(head, isComplete, delimiter, lineEnd),
  }))
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a))
  return best.score > 0 ? best.delimiter : undefined
}

/** Returns the delimiter that the line `sep=;` names, with which spreadsheets begin a file. */
const namedDelimiter = (head: Buffer): string | undefined =>
  /^\ufeff?"?sep=(.)"?\r?[\n\r]/i.exec(head.subarray(0, 16).toString())?.[1]

/** Returns the share of records with as many cells as the first, plus a small bonus for more cells; 0 for one cell. */
function scoreDelimiter(head: Buffer, isComplete: boolean, delimiter: string, lineEnd: number): number {
  const counts = completeRecords(head, isComplete, delimiter, lineEnd).map(record => record.length)
  const columns = counts[0] ?? 0
  if (columns < 2) return 0
  return counts.filter(count => count === columns).length / counts.length + Math.min(columns, 50) / 200
}

/** Parses the records of `head`, without the last line if the file continues after it. */
function completeRecords(head: Buffer, isComplete: boolean, delimiter: string, lineEnd: number): readonly string[][] {
  const text = stripByteOrderMark(head)
  const end = isComplete ? text.length : text.lastIndexOf(lineEnd) + 1
  return parseRecords(text.subarray(0, end), { delimiter, lineEnd }).records.map(record => record.cells)
}

/** Returns the line feed, or the carriage return if the text has only carriage returns. */
const detectLineEnd = (head: Buffer): number =>
  !head.includes(newline) && head.includes(carriageReturn) ? carriageReturn : newline

export const stripByteOrderMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** Returns true if a cell is a known column name, or if the first record has only words and the second has a number. */
function isHeader(
  first: readonly string[],
  second: readonly string[] | undefined,
  knownColumns: readonly string[],
): boolean {
  const isColumn = (cell: string) =>
    knownColumns.includes(cell) || guessField(cell, 'location') || guessField(cell, 'review')
  if (first.some(isColumn)) return true
  const isNumber = (cell: string) => cell.trim() !== '' && Number.isFinite(Number(cell))
  if (first.some(cell => isNumber(cell) || cell.trim() === '') || new Set(first).size < first.length) return false
  return second?.some(isNumber) ?? false
}

/** Makes column names unique: `name`, `name`, `` -> `name`, `name_2`, `column_3`. */
function makeUnique(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((raw, i) => {
    const name = raw.trim() || `column_${i + 1}`
    let unique = name
    for (let n = 2; used.has(unique); n++) unique = `${name}_${n}`
    used.add(unique)
    return unique
  })
}
