import { parseLongJson } from '../../kit/long-json.ts'
import type { Rejection, Row } from '../row.ts'
import { type Line, newline, splitLines } from './lines.ts'

/** rulings: Import format: a longer line is rejected. */
const maxLineBytes = 1024 * 1024

/** RFC 8142 and RFC 7464: stands before each text of a JSON text sequence. */
export const recordSeparator = 0x1e

export interface JsonTexts {
  /** In bytes. */
  readonly maxBytes?: number
  /** `recordSeparator` for sequences whose texts take several lines. */
  readonly separator?: number
}

/** Reads newline-delimited JSON: one object a line, UTF-8, blank lines passed over, a byte order mark too. */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  { maxBytes = maxLineBytes, separator = newline }: JsonTexts = {},
): AsyncGenerator<Row> {
  // Fatal: replacement characters must not get into the store. The decoder also drops a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // Before the first separator of a sequence there is nothing.
  const first = separator === newline ? 0 : 1
  for await (const line of splitLines(chunks, maxBytes, separator)) {
    const row = readLine({ ...line, number: line.number - first }, maxBytes, decoder)
    if (row) yield row
  }
}

function readLine({ number: line, bytes }: Line, maxBytes: number, decoder: TextDecoder): Row | undefined {
  if (bytes === undefined) return { line, text: () => '', rejection: tooLong(maxBytes) }
  if (bytes.length === 0) return undefined
  return parseLine(line, bytes, decoder)
}

/** What is said of a row that is larger than is taken. */
export const tooLong = (maxBytes: number): Rejection => ({
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

/** What is said of a row whose bytes are no text. */
export const invalidUtf8: Rejection = {
  reason: 'invalid_utf8',
  detail: 'The line is not valid UTF-8; convert the file first.',
}

function notJson(error: Error, text: string): Rejection {
  if (isCopyText(text)) {
    return {
      reason: 'copy_text_format',
      detail:
        'The line is JSON in which every backslash is doubled, as COPY in text format writes it: use psql -At with SELECT row_to_json(…).',
    }
  }
  // The parser counts lines and columns within the one line that it was given.
  const why = error.message.replace(/ \(line 1 column \d+\)$/, '')
  const advice = /^\s*[{[]\s*$/.test(text) ? ' A record has to stand on one line: jq -c . writes it so.' : ''
  return { reason: 'invalid_json', detail: `The line is not JSON: ${why}.${advice}` }
}

/** PostgreSQL's text-format COPY doubles every backslash, which breaks the escapes within JSON. */
function isCopyText(text: string): boolean {
  if (!text.includes('\\\\')) return false
  try {
    JSON.parse(text.replaceAll('\\\\', '\\'))
    return true
  } catch {
    return false
  }
}
