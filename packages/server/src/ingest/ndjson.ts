import { parseLongJson } from '../kit/long-json.ts'
import { splitLines } from './lines.ts'
import type { Rejection, Row } from './row.ts'

/** rulings: Import format: a longer line is rejected. */
const maxLineBytes = 1024 * 1024

/** Reads newline-delimited JSON: one object a line, UTF-8, blank lines passed over, a byte order mark too. */
export async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  // Fatal: replacement characters must not get into the store. The decoder also drops a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const { number, bytes } of splitLines(chunks, maxLineBytes)) {
    if (bytes === undefined) yield { line: number, text: '', rejection: tooLong }
    else if (bytes.length > 0) {
      const row = parseLine(number, bytes, decoder)
      if (row) yield row
    }
  }
}

const tooLong: Rejection = { reason: 'line_too_long', detail: 'The line is longer than 1 MB.' }

function parseLine(line: number, bytes: Buffer, decoder: TextDecoder): Row | undefined {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    const rejection: Rejection = {
      reason: 'invalid_utf8',
      detail: 'The line is not valid UTF-8; convert the file first.',
    }
    return { line, text: bytes.toString('latin1').slice(0, 1000), rejection }
  }
  if (text.trim() === '') return undefined
  let record: unknown
  try {
    record = parseLongJson(text)
  } catch (error) {
    return { line, text, rejection: { reason: 'invalid_json', detail: jsonComplaint(error as Error, text) } }
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    return { line, text, rejection: { reason: 'not_an_object', detail: 'The line is JSON, but not an object.' } }
  }
  return { line, text, record: record as Record<string, unknown> }
}

function jsonComplaint(error: Error, text: string): string {
  // PostgreSQL's text-format COPY doubles every backslash, which breaks the escapes within JSON.
  if (/\\\\"/.test(text))
    return `The line is not JSON: ${error.message}. It has doubled backslashes, as COPY in text format writes them: export with psql -At and row_to_json instead.`
  return `The line is not JSON: ${error.message}.`
}
