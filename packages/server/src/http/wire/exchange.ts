import { createReadStream } from 'node:fs'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished, pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isFault } from '../../domain/fault.ts'
import { type Exchange, formatAccessLine } from './access-line.ts'
import { checkHost, checkSize } from './bounds.ts'
import { buildCorsHeaders } from './cors.ts'
import { type FileSlice, type HandledRequest, type Outcome, toProblem } from './http-response.ts'
import { toInternalFault } from './internal-fault.ts'
import { closeLingering } from './linger.ts'
import { redact } from './redact.ts'
import { encodeProblem } from './represent.ts'
import { createRequestId } from './request-id.ts'
import type { Transport } from './transport.ts'

/**
 * Runs `work` for a request and sends the response. All responses of the partner port to parsed requests, including
 * those to exceptions, are sent and logged here.
 */
export function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  transport: Transport,
  work: (exchange: Exchange) => Outcome | Promise<Outcome>,
  operation?: string,
): Promise<void> {
  reply.hijack()
  const startMs = performance.now()
  const exchange = { id: createRequestId(), path: redact(request.url) }
  const outcome = runWork(request, work, exchange)
  return send({ request, raw: reply.raw, socket: request.raw.socket }, outcome, exchange, transport, {
    startMs,
    operation,
  })
}

/** Sends the outcome of a request, and counts and logs it. */
export async function send(
  written: Written,
  outcome: Promise<Outcome>,
  exchange: Exchange,
  transport: Transport,
  { startMs, operation }: { readonly startMs: number; readonly operation: string | undefined },
): Promise<void> {
  const { request } = written
  let handled: HandledRequest
  try {
    handled = toHandledRequest(await outcome, request, exchange, transport)
  } catch (error) {
    handled = toHandledRequest(toInternalFault(error, exchange.id, transport.log), request, exchange, transport)
  }
  writeResponse(written, handled, exchange, transport)
  const ms = performance.now() - startMs
  transport.traffic.countResponse(operation, handled.version, handled.response.status, ms)
  transport.accessLog(formatAccessLine(request.method, exchange, handled, ms, operation))
}

async function runWork(
  request: FastifyRequest,
  work: (exchange: Exchange) => Outcome | Promise<Outcome>,
  exchange: Exchange,
): Promise<Outcome> {
  const checked = checkSize(request.raw)
  const refused = checked instanceof Promise ? await checked : checked
  return refused ?? checkHost(request.raw) ?? (await work(exchange))
}

function toHandledRequest(
  outcome: Outcome,
  { headers }: Written['request'],
  exchange: Exchange,
  transport: Transport,
): HandledRequest {
  if ('response' in outcome)
    return outcome.fault === undefined ? outcome : { ...outcome, response: encodeProblem(outcome.response, headers) }
  if (!isFault(outcome)) return { response: outcome }
  const response = toProblem(outcome, { ...exchange, publicUrl: transport.settings.publicUrl })
  return { response: encodeProblem(response, headers), fault: outcome.fault }
}

/** A request, its response as Node writes it, and their connection, to which Node's objects do not refer forever. */
export interface Written {
  readonly request: { readonly method: string; readonly headers: IncomingHttpHeaders }
  readonly raw: ServerResponse
  readonly socket: Socket
}

function writeResponse(
  { request, raw, socket }: Written,
  { response, version, lifecycleHeaders, limits, key, onClosed }: HandledRequest,
  exchange: Exchange,
  transport: Transport,
): void {
  const { status, headers, body } = response
  const cors = buildCorsHeaders(request.headers.origin, transport.settings.corsOrigins)
  // A flat list is faster than a map: Node checks every header of a map.
  const list = ['X-Request-Id', exchange.id, 'X-Content-Type-Options', 'nosniff']
  for (const name in headers) list.push(name, headers[name]!)
  if (version !== undefined) list.push('API-Version', version)
  if (key?.test) list.push('X-Key-Mode', 'test')
  for (const name in lifecycleHeaders) list.push(name, lifecycleHeaders[name]!)
  for (const name in limits) list.push(name, limits[name]!)
  for (const name in cors) list.push(name, cors[name]!)
  if (status !== 304 && status !== 204) list.push('Content-Length', String(body?.length ?? 0))
  const oversized = isOversized(status)
  if (transport.isDraining() || oversized) list.push('Connection', 'close')
  // Node closes the connection after this response; the rest of the request must not reset it before the client reads
  // it.
  if (oversized) socket.destroySoon = () => closeLingering(socket)
  const bytes = Buffer.isBuffer(body) ? body.length : 0
  transport.unsent.add(key?.id, bytes)
  transport.outbox.enqueue(() => {
    raw.writeHead(status, list)
    if (body === undefined || request.method === 'HEAD') raw.end()
    else if (Buffer.isBuffer(body)) endWith(body, raw)
    else sendFile(body, raw, socket)
    transport.unsent.settle(raw, socket, key?.id, bytes)
  })
  if (onClosed) finished(raw, onClosed)
}

/** Maximum size of a body that is sent as a text, in bytes. */
const maxTextBytes = 4096

/**
 * Ends a response with its body. Node sends a text in one write with the head, which takes 10 µs less than the two
 * parts of a head and a buffer; every byte is one character of Latin-1.
 */
function endWith(body: Buffer, raw: ServerResponse): void {
  if (body.length <= maxTextBytes) raw.end(body.toString('latin1'), 'latin1')
  else raw.end(body)
}

/** Size of one read from a file, in bytes. */
const readSize = 1024 * 1024

/**
 * Sends a slice of a file. If it cannot be read, or the file is too short, closes the connection, so that the client
 * neither accepts a truncated body nor waits for the rest.
 */
function sendFile({ path, start, length }: FileSlice, raw: ServerResponse, socket: Socket): void {
  // The listeners of pipeline and finished alone reach the number at which Node warns of a leak.
  raw.setMaxListeners(20)
  const file = createReadStream(path, { start, end: start + length - 1, highWaterMark: readSize })
  pipeline(file, raw, error => {
    if (error) raw.destroy()
    else if (file.bytesRead < length) socket.destroySoon()
  })
}

/** Returns true if the request was too large. The rest of it is not read, so the connection must close. */
const isOversized = (status: number): boolean => status === 413 || status === 414 || status === 431
