import type { Rejection } from '../../domain/import.ts'
import { parseBoundedJson } from '../../kit/bounded-json.ts'
import { parseLongJson } from '../../kit/long-json.ts'
import type { Row } from '../row.ts'
import { type InputLine, newline, splitLines } from './lines.ts'

/** Maximum length of a line (rulings: Import format). */
const maxLineBytes = 1024 * 1024

/** Byte before each text of a JSON text sequence (RFC 7464, RFC 8142). */
export const recordSeparator = 0x1e

export interface NdjsonOptions {
  /** Maximum length of a line. */
  readonly maxBytes?: number
  /** Byte between texts: the newline, or `recordSeparator` for sequences whose texts span several lines. */
  readonly separator?: number
}

/** Reads newline-delimited JSON: one object per line, in UTF-8 with or without a byte order mark. Skips blank lines. */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  { maxBytes = maxLineBytes, separator = newline }: NdjsonOptions = {},
): AsyncGenerator<Row> {
  // `fatal` prevents replacement characters from being stored. The decoder also drops a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // A sequence starts with a separator, so its first line is empty.
  const emptyLines = separator === newline ? 0 : 1
  for await (const line of splitLines(chunks, maxBytes, separator)) {
    const row = readLine({ ...line, number: line.number - emptyLines }, maxBytes, decoder)
    if (row) yield row
  }
}

function readLine({ number: line, bytes }: InputLine, maxBytes: number, decoder: TextDecoder): Row | undefined {
  if (bytes === undefined) return { line, text: () => '', rejection: lineTooLong(maxBytes) }
  if (bytes.length === 0) return undefined
  return parseLine(line, bytes, decoder)
}

/** Returns the rejection of a row that is longer than `maxBytes`. */
export const lineTooLong = (maxBytes: number): Rejection => ({
  reason: 'line_too_long',
  detail: `The row is longer than ${maxBytes / (1024 * 1024)} MB.`,
})

function parseLine(line: number, bytes: Buffer, decoder: TextDecoder): Row | undefined {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return { line, text: () => bytes.toString('latin1').slice(0, 1000), rejection: invalidUtf8 }
  }
  if (text.trim() === '') return undefined
  let record: unknown
  try {
    record = parseLongJson(text)
  } catch (error) {
    return { line, text: () => text, rejection: notJson(error as Error, text) }
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    const rejection: Rejection = { reason: 'not_an_object', detail: 'The line is JSON, but not an object.' }
    return { line, text: () => text, rejection }
  }
  return { line, text: () => text, record: record as Record<string, unknown> }
}

/** The rejection of a row that is not valid UTF-8. */
export const invalidUtf8: Rejection = {
  reason: 'invalid_utf8',
  detail: 'The row is not valid UTF-8. Convert the file first.',
}

function notJson(error: Error, text: string): Rejection {
  if (isCopyText(text)) {
    return {
      reason: 'copy_text_format',
      detail:
        'Every backslash of the JSON is doubled by COPY in text format. Export with psql -At with SELECT row_to_json(…).',
    }
  }
  // Omit the parser's position, which is relative to this line.
  const cause = error.message.replace(/ \(line 1 column \d+\)$/, '')
  const advice = /^\s*[{[]\s*$/.test(text) ? ' Each record must be on one line; jq -c . converts the file.' : ''
  return { reason: 'invalid_json', detail: `The line is not valid JSON: ${cause}.${advice}` }
}

/** Returns true for JSON from PostgreSQL's COPY in text format, which doubles every backslash and breaks escapes. */
function isCopyText(text: string): boolean {
  if (!text.includes('\\\\')) return false
  try {
    parseBoundedJson(text.replaceAll('\\\\', '\\'))
    return true
  } catch {
    return false
  }
}
