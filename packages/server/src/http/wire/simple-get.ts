import type { IncomingHttpHeaders } from 'node:http'
import { isValidHost } from './bounds.ts'

/** A GET request without a body, whose header fields have been checked. */
export interface SimpleGet {
  /** Path and query as they were sent. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

/** The part of a request that follows its target, and the header fields in it. */
export interface RequestTail {
  /** From the space before the version to the empty line. */
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

/** Maximum size of a request that is read here, in bytes; far below the bounds of R-13. */
const maxBytes = 8192

/** `GET`, a target without a fragment, and the rest up to the empty line (RFC 9112 §3). */
const request = /^GET (\/[!"$-~]*)( HTTP\/1\.1\r\n[^\0]+\r\n\r\n)$/
const target = /^\/[!"$-~]*$/
const start = 'GET '
const version = ' HTTP/1.1\r\n'
const end = '\r\n\r\n'

/** A field without a fold; its value consists of visible ASCII characters, spaces and tabs (RFC 9110 §5.5). */
const field = /^([a-z0-9-]+):[ \t]*((?:[!-~]+(?:[ \t]+[!-~]+)*)?)[ \t]*$/i

/**
 * The fields that a request may have, which neither announce a body, nor change the connection or the meaning of the
 * method. Requests with any other field are left to Node's parser.
 */
const knownFields = new Set([
  ...['host', 'connection', 'x-api-key', 'authorization', 'api-version', 'if-none-match', 'origin', 'referer'],
  ...['accept', 'accept-encoding', 'accept-language', 'user-agent', 'cache-control', 'pragma', 'priority', 'dnt'],
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip'],
  ...['x-request-id', 'x-correlation-id', 'traceparent', 'tracestate', 'baggage', 'sec-fetch-dest', 'sec-fetch-mode'],
  ...['sec-fetch-site', 'sec-fetch-user', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'sec-gpc'],
])

/**
 * Reads a request that is exactly one whole GET with known header fields, in the first `length` bytes of a buffer;
 * undefined for any other input, which Node's parser has to read. `known` is the end of the connection's previous
 * request: clients repeat it.
 */
export function readSimpleGet(
  bytes: Buffer,
  known: RequestTail | undefined,
  length: number = bytes.length,
): (SimpleGet & { readonly tail: RequestTail }) | undefined {
  if (length > maxBytes) return undefined
  const text = bytes.toString('latin1', 0, length)
  if (known && text.startsWith(start) && text.endsWith(known.text)) {
    const found = text.slice(start.length, -known.text.length)
    return target.test(found) ? { target: found, headers: known.headers, tail: known } : undefined
  }
  const [, found, rest] = request.exec(text) ?? []
  const headers = rest === undefined ? undefined : readFields(rest.slice(version.length, -end.length))
  return headers && { target: found!, headers, tail: { text: rest!, headers } }
}

/** Reads header fields; undefined unless each is known and occurs once, and they describe a simple request. */
function readFields(text: string): IncomingHttpHeaders | undefined {
  const headers: Record<string, string> = Object.create(null)
  for (const line of text.split('\r\n')) {
    const [, name = '', value = ''] = field.exec(line) ?? []
    const lower = name.toLowerCase()
    if (!knownFields.has(lower) || lower in headers) return undefined
    headers[lower] = value
  }
  const { host, connection = 'keep-alive' } = headers
  return host !== undefined && isValidHost(host) && connection.toLowerCase() === 'keep-alive' ? headers : undefined
}
