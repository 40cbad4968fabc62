import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Fault, fault, faults } from '../../domain/fault.ts'
import { formatAccessLine } from './access-line.ts'
import { toProblem } from './http-response.ts'
import { createRequestId } from './request-id.ts'
import type { Transport } from './transport.ts'

/** The parts of the transport that are needed to respond without a parsed request. */
type SocketTransport = Pick<Transport, 'traffic' | 'accessLog' | 'settings'>

/** Responds on the socket, with a problem document, to input that Node's HTTP parser rejects. */
export function respondToParserError(
  error: Error & { code?: string },
  socket: Socket,
  transport: SocketTransport,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const respond = () => writeRaw(socket, toFault(error.code), transport)
  const previous = latest.get(socket)
  // The response was sent before the whole body arrived: the client would take a second one for that of its next request.
  if (previous?.writableFinished && !previous.req.complete) {
    socket.destroy()
    return
  }
  // Finish the response to the previous request on this connection first.
  if (previous?.req.complete && !previous.writableFinished) previous.once('finish', respond)
  else respond()
}

/** Time that a connection stays open after its last response, so that the client can read it and close, in milliseconds. */
const lingerMs = 1000

/** The latest response of each connection, finished or not. */
const latest = new WeakMap<Socket, ServerResponse>()

function toFault(code: string | undefined): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return fault('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fault('timeout')
  return fault('bad_request', { detail: 'Check the request line, the header fields and the line endings.' })
}

/** Responds to CONNECT and to unknown `Expect` headers, which Node would otherwise drop or reject without a body. */
export function handleUnusualRequests(server: Server, transport: SocketTransport): void {
  const notAllowed = fault('method_not_allowed', { detail: 'Use GET or HEAD.', headers: { Allow: 'GET, HEAD' } })
  server.on('connect', (_request: IncomingMessage, socket: Socket) => writeRaw(socket, notAllowed, transport))
  server.on('request', (request, response) => latest.set(request.socket, response))
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function writeRaw(socket: Socket, what: Fault, transport: SocketTransport): void {
  const id = createRequestId()
  const response = toProblem(what, { id, path: '', publicUrl: transport.settings.publicUrl })
  const { status, headers, body } = response
  const fields = { 'X-Request-Id': id, ...headers, 'Content-Length': String(body?.length ?? 0), Connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? faults[what.fault].title}\r\n${lines.join('')}\r\n`)
  socket.end(body ?? '')
  // A slow client may never close. Destroying the socket immediately would lose the response if input is unread.
  setTimeout(() => socket.destroy(), lingerMs).unref()
  transport.traffic.countResponse(undefined, undefined, status, 0)
  transport.accessLog(formatAccessLine('', { id, path: '' }, { response, fault: what.fault }, 0))
}
