import type { IncomingMessage } from 'node:http'
import { type Fault, fault } from '../../domain/fault.ts'
import { bodyTooLarge } from './read-body.ts'

/**
 * Maximum header bytes that Node's parser accepts. The limits of R-13 are far lower; `checkSize` enforces them with a
 * problem.
 */
export const maxHeaderBytesParsed = 131_072

const maxUrlBytes = 16_384
const maxHeaderBytes = 16_384
const maxBodyBytes = 1024

/**
 * Returns 414, 431 or 413 if the URL, the header fields or the body is too large. Runs before any other check. The body
 * of an operation that reads one may have `maxReadBytes`; it is read later.
 */
export function checkSize(
  request: IncomingMessage,
  maxReadBytes?: number,
): Fault | undefined | Promise<Fault | undefined> {
  const refused = checkHead(request)
  if (refused) return refused
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (maxReadBytes !== undefined) return Number(length ?? 0) > maxReadBytes ? bodyTooLarge(maxReadBytes) : undefined
  // a body of up to 1 KB is ignored.
  if (encoding !== undefined) return checkChunkedBody(request)
  return length !== undefined && Number(length) > maxBodyBytes ? fault('body_too_large') : undefined
}

/** Returns 414 or 431 if the URL or the header fields are too large. */
export function checkHead({ url = '', rawHeaders }: IncomingMessage): Fault | undefined {
  if (url.length > maxUrlBytes) return fault('url_too_long')
  return countHeaderBytes(rawHeaders) > maxHeaderBytes ? fault('headers_too_large') : undefined
}

/**
 * A host with an optional port; anything that would make it part of a URL, a list or a path is invalid (RFC 9110 §7.2).
 */
const host = /^[^\s,/?#@\\]*$/

/** Returns true for a valid value of the Host header. */
export const isValidHost = (value: string): boolean => host.test(value)

/** Returns 400 unless the request has exactly one valid Host header (RFC 9112 §3.2). HTTP/1.0 may omit it. */
export function checkHost({ rawHeaders, httpVersion }: IncomingMessage): Fault | undefined {
  let value: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (value !== undefined) return fault('bad_request', { detail: 'Send the Host header once.' })
    value = rawHeaders[i + 1]!
    if (!isValidHost(value))
      return fault('bad_request', { detail: 'The Host header is not a host with an optional port.' })
  }
  return value === undefined && httpVersion !== '1.0'
    ? fault('bad_request', { detail: 'HTTP/1.1 requires a Host header.' })
    : undefined
}

/** Reads a body without Content-Length to check its size. */
async function checkChunkedBody(request: IncomingMessage): Promise<Fault | undefined> {
  let bytes = 0
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length
      if (bytes > maxBodyBytes) return fault('body_too_large')
    }
  } catch {
    return fault('bad_request', { detail: 'The request ended in the middle of its body.' })
  }
  return undefined
}

/** Returns the total size of the header fields: names, values, and four bytes per field for `: ` and CRLF. */
function countHeaderBytes(rawHeaders: readonly string[]): number {
  let bytes = rawHeaders.length * 2
  for (const part of rawHeaders) bytes += part.length
  return bytes
}
