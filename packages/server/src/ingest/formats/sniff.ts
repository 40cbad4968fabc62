import { UnreadableInput } from '../input.ts'
import { guessDelimiter } from './csv-dialect.ts'
import { recordSeparator } from './ndjson.ts'
import { startsWith } from './peek.ts'

export const formats = ['ndjson', 'csv', 'geojson', 'parquet'] as const
export type Format = (typeof formats)[number]

/** How many bytes are looked at to tell what a file is. */
export const sniffedBytes = 64 * 1024

const parquetMagic = [...Buffer.from('PAR1')]

/** What is no text, and what to do about it. */
const refused: readonly (readonly [magic: readonly number[], sentence: string])[] = [
  [[0xff, 0xfe], 'is UTF-16: save it as UTF-8 first'],
  [[0xfe, 0xff], 'is UTF-16: save it as UTF-8 first'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a ZIP archive or a spreadsheet: unpack it, or save the sheet as CSV'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'is compressed with zstd: unpack it first, or use gzip'],
  [[0x42, 0x5a, 0x68], 'is compressed with bzip2: unpack it first, or use gzip'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'is compressed with xz: unpack it first, or use gzip'],
  [[...Buffer.from('SQLite format 3\0')], 'is an SQLite database: write its rows as CSV or NDJSON'],
]

/** The format of a file by its first bytes. Throws UnreadableInput for what is none of them, `forced` or not. */
export function sniffFormat(name: string, head: Buffer, whole: boolean, forced: Format | undefined): Format {
  if (startsWith(head, parquetMagic)) {
    if (forced === undefined || forced === 'parquet') return 'parquet'
    throw new UnreadableInput(`${name} is a Parquet file, and no ${forced}: leave --format out.`)
  }
  if (forced === 'parquet') throw new UnreadableInput(`${name} is no Parquet file: it does not begin with PAR1.`)
  for (const [magic, sentence] of refused) {
    if (startsWith(head, magic)) throw new UnreadableInput(`${name} ${sentence}.`)
  }
  if (isUtf16(head)) throw new UnreadableInput(`${name} is UTF-16 without a byte order mark: save it as UTF-8 first.`)
  return forced ?? textFormat(name, head, whole)
}

/** Every second byte of the beginning is zero, on one side: Latin letters as UTF-16. */
function isUtf16(head: Buffer): boolean {
  const pairs = Math.min(head.length >> 1, 32)
  if (pairs < 4) return false
  const zeros = (offset: number) => Array.from({ length: pairs }, (_, i) => head[2 * i + offset]).filter(b => b === 0)
  return zeros(0).length === pairs || zeros(1).length === pairs
}

function textFormat(name: string, head: Buffer, whole: boolean): Format {
  const start = textOf(head).trimStart()
  if (start.charCodeAt(0) === recordSeparator) return isFeature(start.slice(1)) ? 'geojson' : 'ndjson'
  if (/^\[\s*\{/.test(start) && parsed(start.split('\n', 1)[0]!) === undefined) {
    throw new UnreadableInput(
      `${name} is one JSON array: write its records one a line first, with jq -c '.[]' for example.`,
    )
  }
  if (/^<[?!a-z]/i.test(start))
    throw new UnreadableInput(`${name} is XML or HTML: write its records as CSV or NDJSON first.`)
  if (start.startsWith('{')) return jsonFormat(start)
  if (start.startsWith('[') || start === '') return 'ndjson'
  return guessDelimiter(head, whole) === undefined ? 'ndjson' : 'csv'
}

/** The beginning as text, for a look at it: a character that is cut off at its end does no harm. */
export const textOf = (head: Buffer): string => head.toString().replace(/^\ufeff/, '')

function jsonFormat(start: string): Format {
  const line = parsed(start.split('\n', 1)[0]!)
  if (typeof line === 'object' && line !== null) {
    return 'type' in line && (line.type === 'Feature' || line.type === 'FeatureCollection') ? 'geojson' : 'ndjson'
  }
  // One object over many lines, or a line that is longer than what was looked at.
  return isCollection(start) || isFeature(start) ? 'geojson' : 'ndjson'
}

/** Whether a GeoJSON text begins as a collection does. */
export const isCollection = (text: string): boolean =>
  /^\s*\{/.test(text) && (/"type"\s*:\s*"FeatureCollection"/.test(text) || /^\s*\{\s*"features"\s*:\s*\[/.test(text))

const isFeature = (text: string): boolean => /"type"\s*:\s*"Feature"/.test(text.slice(0, 2000))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
