import { createReadStream } from 'node:fs'
import { finished, pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fault, isFault } from '../../domain/fault.ts'
import { accessLine, type Exchange } from './access-line.ts'
import { type Answer, type FileSlice, type HandledRequest, problem } from './answer.ts'
import { checkSize } from './bounds.ts'
import { corsHeaders } from './cors.ts'
import { toInternalFault } from './internal-fault.ts'
import { redact } from './redact.ts'
import { encodeRefusal } from './represent.ts'
import { requestId } from './request-id.ts'
import type { Transport } from './transport.ts'

type Outcome = HandledRequest | Answer | Fault

/**
 * Runs `work` for a request and sends its answer. Every answer, including those to exceptions, is sent here, with its
 * request id and its log line.
 */
export async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  transport: Transport,
  work: (exchange: Exchange) => Outcome | Promise<Outcome>,
  operation?: string,
): Promise<void> {
  const startMs = performance.now()
  const exchange = { id: requestId(), path: redact(request.url) }
  reply.hijack()
  const handled = asHandled(await outcomeOf(request, work, exchange, transport), request, exchange, transport)
  write(request, reply, handled, exchange, transport)
  const ms = performance.now() - startMs
  transport.traffic.countAnswer(operation, handled.version, handled.answer.status, ms)
  transport.accessLog(accessLine(request.method, exchange, handled, ms, operation))
}

async function outcomeOf(
  request: FastifyRequest,
  work: (exchange: Exchange) => Outcome | Promise<Outcome>,
  exchange: Exchange,
  transport: Transport,
): Promise<Outcome> {
  try {
    const checked = checkSize(request.raw)
    const refused = checked instanceof Promise ? await checked : checked
    return refused ?? (await work(exchange))
  } catch (error) {
    return toInternalFault(error, exchange.id, transport.log)
  }
}

function asHandled(
  outcome: Outcome,
  { headers }: FastifyRequest,
  exchange: Exchange,
  transport: Transport,
): HandledRequest {
  if ('answer' in outcome)
    return outcome.fault === undefined ? outcome : { ...outcome, answer: encodeRefusal(outcome.answer, headers) }
  if (!isFault(outcome)) return { answer: outcome }
  const answer = problem(outcome, { ...exchange, publicUrl: transport.settings.publicUrl })
  return { answer: encodeRefusal(answer, headers), fault: outcome.fault }
}

function write(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, version, lifecycleHeaders, limits, onClosed }: HandledRequest,
  exchange: Exchange,
  transport: Transport,
): void {
  const { status, headers, body } = answer
  const cors = corsHeaders(request.headers.origin, transport.settings.corsOrigins)
  // A flat list avoids Node's checks per header of a map.
  const list = ['X-Request-Id', exchange.id]
  for (const name in headers) list.push(name, headers[name]!)
  if (version !== undefined) list.push('API-Version', version)
  for (const name in lifecycleHeaders) list.push(name, lifecycleHeaders[name]!)
  for (const name in limits) list.push(name, limits[name]!)
  for (const name in cors) list.push(name, cors[name]!)
  if (status !== 304 && status !== 204) list.push('Content-Length', String(body?.length ?? 0))
  if (transport.isDraining() || isOversized(status)) list.push('Connection', 'close')
  transport.outbox.enqueue(() => {
    reply.raw.writeHead(status, list)
    if (body === undefined || request.method === 'HEAD') reply.raw.end()
    else if (Buffer.isBuffer(body)) reply.raw.end(body)
    else sendFile(body, reply)
  })
  if (onClosed) finished(reply.raw, onClosed)
}

/** Bytes of a file that are read at once. */
const readAtOnce = 1024 * 1024

/**
 * Sends bytes of a file. When they cannot be read, or the file is shorter, the connection is closed, so that a client
 * neither mistakes a part for the whole nor waits for the rest.
 */
function sendFile({ path, start, length }: FileSlice, reply: FastifyReply): void {
  const file = createReadStream(path, { start, end: start + length - 1, highWaterMark: readAtOnce })
  // An answer that has ended no longer refers to its socket.
  const { socket } = reply.raw
  pipeline(file, reply.raw, error => {
    if (error) reply.raw.destroy()
    else if (file.bytesRead < length) socket?.destroySoon()
  })
}

/** After a refusal of its size, the rest of a request is not read: the connection has to close. */
const isOversized = (status: number): boolean => status === 413 || status === 414 || status === 431
