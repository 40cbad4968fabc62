import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Fault, fault, faults } from '../../domain/fault.ts'
import { accessLine } from './access-line.ts'
import { problem } from './answer.ts'
import { requestId } from './request-id.ts'
import type { Transport } from './transport.ts'

type SocketTransport = Pick<Transport, 'traffic' | 'accessLog' | 'settings'>

/** What Node's HTTP parser refuses never becomes a request: it is answered on the socket, in the same form. */
export function parserFault(error: Error & { code?: string }, socket: Socket, transport: SocketTransport): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = () => writeRaw(socket, faultOf(error.code), transport)
  const before = latest.get(socket)
  // A request that was answered before its body had come whole: another answer would be taken for the next one's.
  if (before?.writableFinished && !before.req.complete) {
    socket.destroy()
    return
  }
  // What stood before it on the same connection is answered first.
  if (before?.req.complete && !before.writableFinished) before.once('finish', answer)
  else answer()
}

/** How long a connection stays after its last answer for the other side to read that and close, milliseconds. */
const lingerMs = 1000

/** The latest answer of each connection, finished or not. */
const latest = new WeakMap<Socket, ServerResponse>()

function faultOf(code: string | undefined): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return fault('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fault('timeout')
  return fault('bad_request', { detail: 'Check the request line, the header fields and the line endings.' })
}

/** CONNECT and unusual expectations would otherwise be dropped or answered without a body by Node itself. */
export function answerOddRequests(server: Server, transport: SocketTransport): void {
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
  // Who sends slowly may not close either. At once would be too early: an unread rest makes the answer be lost.
  setTimeout(() => socket.destroy(), lingerMs).unref()
  transport.traffic.answered(undefined, undefined, status, 0)
  transport.accessLog(accessLine('', { id, path: '' }, { answer, fault: what.fault }, 0))
}
