import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, fault } from '../../../domain/fault.ts'

/** Bytes of a file from `start` on. */
export interface ByteRange {
  readonly start: number
  readonly length: number
}

/** `bytes=first-`, `bytes=first-last` or `bytes=-suffix`, one of them (RFC 9110 §14.1.2). */
const oneRange = /^bytes=\s*(?:(?<first>\d{1,15})-(?<last>\d{0,15})|-(?<suffix>\d{1,15}))\s*$/i

/**
 * The part that a request asks for (RFC 9110 §14): undefined for the whole, which is also the answer to a unit other
 * than bytes, to several ranges at once, to a Range that is not valid, and where If-Range names another file.
 */
export function rangeOf(headers: IncomingHttpHeaders, etag: string, size: number): ByteRange | undefined | Fault {
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
