import type { ImportFormat } from '../../domain/import.ts'
import { parseBoundedJson } from '../../kit/bounded-json.ts'
import { UnreadableInput } from '../input.ts'
import { guessDelimiter } from './csv-dialect.ts'
import { recordSeparator } from './ndjson.ts'
import { startsWith } from './peek.ts'

/** Number of bytes from which the format is detected. */
export const sniffedBytes = 64 * 1024

const parquetMagic = [...Buffer.from('PAR1')]

/** Type of the first block of an OpenStreetMap file, behind the length of its header and a tag. */
const isPbf = (head: Buffer): boolean => head.subarray(6, 15).equals(Buffer.from('OSMHeader'))

/** Unsupported formats by their first bytes, and the predicates of their error messages. */
const unsupported: readonly (readonly [magic: readonly number[], predicate: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'is a ZIP archive or a spreadsheet. Unpack it, or save the sheet as CSV'],
  [[0x1f, 0x8b], 'is compressed with gzip twice. Decompress it once'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'is compressed with zstd. Decompress it first, or use gzip'],
  [[0x42, 0x5a, 0x68], 'is compressed with bzip2. Decompress it first, or use gzip'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'is compressed with xz. Decompress it first, or use gzip'],
  [[...Buffer.from('SQLite format 3\0')], 'is an SQLite database. Export its rows as CSV or NDJSON'],
]

/**
 * Detects the format of a file by its first bytes. Throws UnreadableInput if it is unsupported or contradicts `forced`.
 */
export function sniffFormat(
  name: string,
  head: Buffer,
  isComplete: boolean,
  forced: ImportFormat | undefined,
): ImportFormat {
  if (startsWith(head, parquetMagic)) {
    if (forced === undefined || forced === 'parquet') return 'parquet'
    throw new UnreadableInput(`${name} is a Parquet file, not ${forced}. Omit the format to have it detected.`)
  }
  if (forced === 'parquet') throw new UnreadableInput(`${name} is not a Parquet file: it does not start with PAR1.`)
  if (isPbf(head) || forced === 'osm-pbf') {
    if (isPbf(head) && (forced === undefined || forced === 'osm-pbf')) return 'osm-pbf'
    throw new UnreadableInput(
      `${name} is ${isPbf(head) ? '' : 'not '}an OpenStreetMap PBF file. Omit the format to have it detected.`,
    )
  }
  for (const [magic, predicate] of unsupported) {
    if (startsWith(head, magic)) throw new UnreadableInput(`${name} ${predicate}.`)
  }
  return forced ?? textFormat(name, head, isComplete)
}

function textFormat(name: string, head: Buffer, isComplete: boolean): ImportFormat {
  const start = decodeHead(head).trimStart()
  if (start.charCodeAt(0) === recordSeparator) return isFeature(start.slice(1)) ? 'geojson' : 'ndjson'
  if (/^\[\s*\{/.test(start) && tryParseJson(firstLine(start, isComplete)) === undefined) {
    throw new UnreadableInput(
      `${name} is one JSON array. Write its records one per line first, for example with jq -c '.[]'.`,
    )
  }
  if (/^(<\?xml[^>]*>\s*)?<osm/.test(start))
    throw new UnreadableInput(
      `${name} is OpenStreetMap XML. Convert it first, for example with osmium cat -o places.osm.pbf.`,
    )
  if (/^<[?!a-z]/i.test(start))
    throw new UnreadableInput(`${name} is XML or HTML. Convert its records to CSV or NDJSON first.`)
  if (start.startsWith('{')) return jsonFormat(start, isComplete)
  if (start.startsWith('[') || start === '') return 'ndjson'
  return guessDelimiter(head, isComplete) === undefined ? 'ndjson' : 'csv'
}

/** Decodes the head for detection. A character that is truncated at its end does not affect the result. */
export const decodeHead = (head: Buffer): string => head.toString().replace(/^\ufeff/, '')

/** Returns true if a JSON text starts like an answer of Overpass. */
const isOverpass = (text: string): boolean => /^\{[^[\]]*"elements"\s*:\s*\[/.test(text)

function jsonFormat(start: string, isComplete: boolean): ImportFormat {
  if (isOverpass(start)) return 'overpass'
  const line = tryParseJson(firstLine(start, isComplete))
  if (typeof line === 'object' && line !== null) {
    return 'type' in line && (line.type === 'Feature' || line.type === 'FeatureCollection') ? 'geojson' : 'ndjson'
  }
  // One object over several lines, or a line that is longer than the head.
  return isCollection(start) || isFeature(start) ? 'geojson' : 'ndjson'
}

/** Returns true if a GeoJSON text starts like a FeatureCollection. */
export const isCollection = (text: string): boolean =>
  /^\s*\{/.test(text) && (/"type"\s*:\s*"FeatureCollection"/.test(text) || /^\s*\{\s*"features"\s*:\s*\[/.test(text))

const isFeature = (text: string): boolean => /"type"\s*:\s*"Feature"/.test(text.slice(0, 2000))

/** Returns the first line; an empty text if it is longer than the head, so that no part of a deep object is parsed. */
function firstLine(start: string, isComplete: boolean): string {
  const end = start.indexOf('\n')
  return end >= 0 ? start.slice(0, end) : isComplete ? start : ''
}

function tryParseJson(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}
