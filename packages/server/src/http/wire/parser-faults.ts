import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { type Fault, fault, faults, isFault } from '../../domain/fault.ts'
import { STATUS_CODES } from '../../kit/http.ts'
import { formatAccessLine } from './access-line.ts'
import { isForwarded } from './forward.ts'
import { toProblem } from './http-response.ts'
import { closeLingering, isLingering } from './linger.ts'
import { createRequestId } from './request-id.ts'
import type { Transport } from './transport.ts'
import { toMethodNotAllowed, type UnroutedHandler } from './unrouted.ts'

/** The parts of the transport that are needed to respond without a parsed request. */
type SocketTransport = Pick<Transport, 'traffic' | 'accessLog' | 'settings' | 'connections'>

/** Error of Node's HTTP parser, with the input in which it occurred. */
export interface ParserError extends Error {
  readonly code?: string
  readonly rawPacket?: unknown
  /** Position in `rawPacket` at which the parser stopped. */
  readonly bytesParsed?: number
}

/** The error of Node's server for a request that did not arrive in time. */
export const requestTimeout: ParserError = Object.assign(new Error('Request timeout'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
})

/** Responds on the socket, with a problem document, to input that Node's HTTP parser rejects. */
export function respondToParserError(
  error: ParserError,
  socket: Socket,
  transport: SocketTransport,
  handleUnrouted: UnroutedHandler,
): void {
  if (isLingering(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const respond = () => writeRaw(socket, toFault(error, handleUnrouted), transport)
  const previous = transport.connections.latestResponse(socket)
  // A forwarded upload may take longer; its own time-out ends it when no byte arrives.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && previous && !previous.req.complete && isForwarded(previous)) return
  // The response was sent before the whole body arrived: the client would take a second one for that of its next
  // request.
  if (previous?.writableFinished && !previous.req.complete) {
    socket.destroy()
    return
  }
  // Finish the response to the previous request on this connection first.
  if (previous?.req.complete && !previous.writableFinished) previous.once('finish', respond)
  else respond()
}

/** Time that the connection of a slow client stays open after its last response, in milliseconds. */
const slowClientMs = 1000

function toFault(error: ParserError, handleUnrouted: UnroutedHandler): Fault {
  if (error.code === 'HPE_HEADER_OVERFLOW') return fault('headers_too_large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return fault('timeout')
  // The parser knows some methods of other protocols, which it rejects only after the target.
  const isMethod = error.code === 'HPE_INVALID_METHOD' || /invalid method/i.test(error.message)
  const line = isMethod ? readRequestLine(error) : undefined
  const unrouted = line && handleUnrouted({ ...line, headers: {} })
  if (unrouted && isFault(unrouted)) return unrouted
  return fault('bad_request', { detail: 'Check the request line, the header fields and the line endings.' })
}

/** Method, target and version of HTTP/1 (RFC 9112 §3). */
const requestLine = /^(?<method>[!#$%&'*+.^_`|~\w-]+) (?<url>[^\s\0]+) HTTP\/1\.[01]\r?\n/

/** Returns the request line in which the parser stopped; undefined if it is incomplete or invalid. */
function readRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): { method: string; url: string } | undefined {
  if (!Buffer.isBuffer(rawPacket)) return undefined
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1
  const { method, url } = requestLine.exec(rawPacket.toString('latin1', start))?.groups ?? {}
  return method === undefined || url === undefined ? undefined : { method, url }
}

/** Responds to CONNECT and to unknown `Expect` headers, which Node would otherwise drop or reject without a body. */
export function handleUnusualRequests(server: Server, transport: SocketTransport): void {
  server.on('connect', (_request: IncomingMessage, socket: Socket) =>
    writeRaw(socket, toMethodNotAllowed(transport.settings), transport),
  )
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function writeRaw(socket: Socket, what: Fault, transport: SocketTransport): void {
  const id = createRequestId()
  const response = toProblem(what, { id, path: '', publicUrl: transport.settings.publicUrl })
  const { status, headers, body } = response
  const fields = {
    'X-Request-Id': id,
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    'Content-Length': String(body.length),
    Connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? faults[what.fault].title}\r\n${lines.join('')}\r\n`)
  socket.write(body)
  closeLingering(socket, what.fault === 'timeout' ? slowClientMs : undefined)
  transport.traffic.countResponse(undefined, undefined, status, 0)
  transport.accessLog(formatAccessLine('', { id, path: '' }, { response, fault: what.fault }, 0))
}
