import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Fault, fault, faults } from '../../domain/fault.ts'
import { accessLine } from './access-line.ts'
import { problem } from './answer.ts'
import { requestId } from './request-id.ts'
import type { Transport } from './transport.ts'

/** The parts of the transport that an answer without a request needs. */
type SocketTransport = Pick<Transport, 'traffic' | 'accessLog' | 'settings'>

/** Answers on the socket, as a problem document, what Node's HTTP parser refuses and never turns into a request. */
export function answerParserError(error: Error & { code?: string }, socket: Socket, transport: SocketTransport): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = () => writeRaw(socket, faultOf(error.code), transport)
  const before = latest.get(socket)
  // The request was answered before its whole body arrived: a second answer would be taken for that of the next request.
  if (before?.writableFinished && !before.req.complete) {
    socket.destroy()
    return
  }
  // The request before it on the same connection is answered first.
  if (before?.req.complete && !before.writableFinished) before.once('finish', answer)
  else answer()
}

/** Time that a connection stays open after its last answer, so that the client can read it and close, milliseconds. */
const lingerMs = 1000

/** The latest response of each connection, finished or not. */
const latest = new WeakMap<Socket, ServerResponse>()

function faultOf(code: string | undefined): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return fault('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fault('timeout')
  return fault('bad_request', { detail: 'Check the request line, the header fields and the line endings.' })
}

/** Answers CONNECT and unusual expectations, which Node would otherwise drop or answer without a body. */
export function answerUnusualRequests(server: Server, transport: SocketTransport): void {
  const notAllowed = fault('method_not_allowed', { detail: 'Use GET or HEAD.', headers: { Allow: 'GET, HEAD' } })
  server.on('connect', (_request: IncomingMessage, socket: Socket) => writeRaw(socket, notAllowed, transport))
  server.on('request', (request, response) => latest.set(request.socket, response))
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function writeRaw(socket: Socket, what: Fault, transport: SocketTransport): void {
  const id = requestId()
  const answer = problem(what, { id, path: '', publicUrl: transport.settings.publicUrl })
  const { status, headers, body } = answer
  const fields = { 'X-Request-Id': id, ...headers, 'Content-Length': String(body?.length ?? 0), Connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? faults[what.fault].title}\r\n${lines.join('')}\r\n`)
  socket.end(body ?? '')
  // A slow client may never close. Destroying the socket at once would lose the answer while input is unread.
  setTimeout(() => socket.destroy(), lingerMs).unref()
  transport.traffic.countAnswer(undefined, undefined, status, 0)
  transport.accessLog(accessLine('', { id, path: '' }, { answer, fault: what.fault }, 0))
}
