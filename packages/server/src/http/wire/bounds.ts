import type { IncomingMessage } from 'node:http'
import { type Fault, fault } from '../../domain/fault.ts'

/** What Node's parser takes before it gives up; our own bounds lie far below and answer properly. */
export const maxHeaderBytesParsed = 131_072

const maxUrlBytes = 8192
const maxHeaderBytes = 16_384
const maxBodyBytes = 1024

/** 414, 431 or 413 for a request that is too large in one of its parts, before anything else is looked at. */
export function refusedByShape(request: IncomingMessage): Fault | undefined | Promise<Fault | undefined> {
  if ((request.url ?? '').length > maxUrlBytes) return fault('url_too_long')
  if (headerBytes(request.rawHeaders) > maxHeaderBytes) return fault('headers_too_large')
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  // a body of up to 1 KB is ignored.
  if (encoding !== undefined) return chunkedBody(request)
  return length !== undefined && Number(length) > maxBodyBytes ? fault('body_too_large') : undefined
}

/** A body of unannounced length has to be read to know. */
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

/** Names, values, and four bytes of `: ` and CRLF each. */
function headerBytes(rawHeaders: readonly string[]): number {
  let bytes = rawHeaders.length * 2
  for (const part of rawHeaders) bytes += part.length
  return bytes
}
