import type { IncomingMessage } from 'node:http'
import { type Fault, fault } from '../../domain/fault.ts'

/** The most header bytes that Node's parser accepts. Our own bounds are far lower, and answer with a problem. */
export const maxHeaderBytesParsed = 131_072

const maxUrlBytes = 8192
const maxHeaderBytes = 16_384
const maxBodyBytes = 1024

/** Refuses a request with 414, 431 or 413 when one of its parts is too large, before any other check. */
export function checkSize(request: IncomingMessage): Fault | undefined | Promise<Fault | undefined> {
  if ((request.url ?? '').length > maxUrlBytes) return fault('url_too_long')
  if (headerBytes(request.rawHeaders) > maxHeaderBytes) return fault('headers_too_large')
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  // a body of up to 1 KB is ignored.
  if (encoding !== undefined) return chunkedBody(request)
  return length !== undefined && Number(length) > maxBodyBytes ? fault('body_too_large') : undefined
}

/** Reads a body of unannounced length to find its size. */
async function chunkedBody(request: IncomingMessage): Promise<Fault | undefined> {
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

/** Counts names, values, and four bytes of `: ` and CRLF each. */
function headerBytes(rawHeaders: readonly string[]): number {
  let bytes = rawHeaders.length * 2
  for (const part of rawHeaders) bytes += part.length
  return bytes
}
