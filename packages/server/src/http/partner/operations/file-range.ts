import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, fault } from '../../../domain/fault.ts'

/** A range of bytes of a file. */
export interface ByteRange {
  readonly start: number
  readonly length: number
}

/** Matches a single range: `bytes=first-`, `bytes=first-last` or `bytes=-suffix` (RFC 9110 §14.1.2). */
const oneRange = /^bytes=\s*(?:(?<first>\d{1,15})-(?<last>\d{0,15})|-(?<suffix>\d{1,15}))\s*$/i

/**
 * Returns the requested range (RFC 9110 §14), or 416. Undefined means the complete file: without a Range, and if its
 * unit is not bytes, it has several ranges, it is invalid, or If-Range has the validator of another file.
 */
export function parseRange(headers: IncomingHttpHeaders, etag: string, size: number): ByteRange | undefined | Fault {
  const ifRange = headers['if-range']
  const match = ifRange === undefined || ifRange === etag ? oneRange.exec(headers.range ?? '') : null
  if (!match) return undefined
  const { first, last, suffix } = match.groups!
  if (first !== undefined && last && Number(last) < Number(first)) return undefined
  const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first)
  const end = Math.min(size, last ? Number(last) + 1 : size)
  return start < end
    ? { start, length: end - start }
    : fault('range_unsatisfiable', {
        detail: `The file has ${size} bytes.`,
        headers: { 'Content-Range': `bytes */${size}` },
      })
}
