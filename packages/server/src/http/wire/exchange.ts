import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fault, isFault } from '../../domain/fault.ts'
import { chain, type Eventual } from '../../kit/chain.ts'
import { type Exchange, formatAccessLine } from './access-line.ts'
import { checkHost, checkSize } from './bounds.ts'
import { buildCorsHeaders } from './cors.ts'
import { everyField, type HandledRequest, type Outcome, toProblem } from './http-response.ts'
import { toInternalFault } from './internal-fault.ts'
import { isOversized, NodeResponse } from './node-response.ts'
import { redact } from './redact.ts'
import { encodeProblem } from './represent.ts'
import { createRequestId } from './request-id.ts'
import type { ResponseWriter } from './response-writer.ts'
import type { Transport } from './transport.ts'

/** A request that waits for its response. */
export interface PendingRequest {
  readonly exchange: Exchange
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly writer: ResponseWriter
  /** Time of its arrival, from `performance.now`. */
  readonly startMs: number
  /** Undefined for pages. */
  readonly operation: string | undefined
}

/**
 * Runs `work` for a request and sends the response. All responses of the partner port to parsed requests, including
 * those to exceptions, are sent and logged by `sendEventual`.
 */
export function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  transport: Transport,
  work: (exchange: Exchange) => Eventual<Outcome>,
  operation?: string,
  maxReadBytes?: number,
): void {
  reply.hijack()
  const exchange = { id: createRequestId(), path: redact(request.url) }
  const pending: PendingRequest = {
    exchange,
    operation,
    method: request.method,
    headers: request.headers,
    startMs: performance.now(),
    writer: new NodeResponse(reply.raw, request.raw.socket, transport.unsent),
  }
  const runChecked = () => chain(checkRequest(request.raw, maxReadBytes), refused => refused ?? work(exchange))
  sendEventual(pending, runChecked, transport)
}

/** Runs `work` for a request and sends its outcome once it is known; an exception is sent as a 500 fault. */
export function sendEventual(pending: PendingRequest, work: () => Eventual<Outcome>, transport: Transport): void {
  const succeed = (outcome: Outcome) => sendOutcome(pending, outcome, transport)
  const fail = (error: unknown) => succeed(toInternalFault(error, pending.exchange.id, transport.log))
  let outcome: Eventual<Outcome>
  try {
    outcome = work()
  } catch (error) {
    fail(error)
    return
  }
  if (outcome instanceof Promise) outcome.then(succeed, fail)
  else succeed(outcome)
}

/** Sends the outcome of a request at the end of this turn, and counts and logs it. */
function sendOutcome(pending: PendingRequest, outcome: Outcome, transport: Transport): void {
  const { exchange, method, operation, startMs } = pending
  const handled = toHandledRequest(outcome, pending, transport)
  writeResponse(pending, handled, transport)
  const ms = performance.now() - startMs
  transport.traffic.countResponse(operation, handled.version, handled.response.status, ms)
  transport.accessLog(formatAccessLine(method, exchange, handled, ms, operation))
}

const checkRequest = (request: IncomingMessage, maxReadBytes: number | undefined): Eventual<Fault | undefined> =>
  chain(checkSize(request, maxReadBytes), refused => refused ?? checkHost(request))

function toHandledRequest(
  outcome: Outcome,
  { headers, exchange }: Pick<PendingRequest, 'headers' | 'exchange'>,
  transport: Transport,
): HandledRequest {
  if ('response' in outcome)
    return outcome.fault === undefined ? outcome : { ...outcome, response: encodeProblem(outcome.response, headers) }
  if (!isFault(outcome)) return { response: outcome }
  const response = toProblem(outcome, { ...exchange, publicUrl: transport.settings.publicUrl })
  return { response: encodeProblem(response, headers), fault: outcome.fault }
}

function writeResponse(
  { exchange, headers: { origin }, writer }: PendingRequest,
  { response, version, lifecycleHeaders, limits, key, onClosed }: HandledRequest,
  transport: Transport,
): void {
  const { status, common = everyField, headers, body } = response
  const cors = buildCorsHeaders(origin, transport.settings.corsOrigins)
  // A flat list is faster than a map: Node checks every header of a map.
  const requestId = exchange.id
  const fields: string[] = []
  for (const name in headers) fields.push(name, headers[name]!)
  if (version !== undefined) fields.push('API-Version', version)
  if (key?.test) fields.push('X-Key-Mode', 'test')
  for (const name in lifecycleHeaders) fields.push(name, lifecycleHeaders[name]!)
  for (const name in limits) fields.push(name, limits[name]!)
  for (const name in cors) fields.push(name, cors[name]!)
  if (status !== 304 && status !== 204) fields.push('Content-Length', String(body?.length ?? 0))
  const closes = transport.isDraining() || isOversized(status)
  transport.outbox.enqueue(() =>
    writer.write({ status, requestId, common, fields, body, closes, keyId: key?.id, onClosed }),
  )
}
