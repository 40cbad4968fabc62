import type { IncomingHttpHeaders } from 'node:http'
import parseRange from 'range-parser'
import { type Fault, fault } from '../../domain/fault.ts'

/** Bytes of a file from `start` on. */
export interface ByteRange {
  readonly start: number
  readonly length: number
}

/**
 * The part that a request asks for (RFC 9110 §14): undefined for the whole, which is also the answer to a unit other
 * than bytes, to several ranges at once, to a Range that cannot be read, and where If-Range names another file.
 */
export function rangeOf(headers: IncomingHttpHeaders, etag: string, size: number): ByteRange | undefined | Fault {
  const { range } = headers
  const ifRange = headers['if-range']
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const ranges = parseRange(size, range)
  if (ranges === -1) {
    return fault('range_unsatisfiable', {
      detail: `The file has ${size} bytes.`,
      headers: { 'Content-Range': `bytes */${size}` },
    })
  }
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  const { start, end } = ranges[0]!
  return { start, length: end - start + 1 }
}
