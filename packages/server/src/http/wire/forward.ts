import type { Agent as HttpAgent, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { type Fault, fault } from '../../domain/fault.ts'
import { Agent, request as sendRequest } from '../../kit/http.ts'
import { checkHead, checkHost } from './bounds.ts'
import { findClientAddress } from './client-address.ts'
import { toProblem } from './http-response.ts'
import { closeLingering } from './linger.ts'
import { redact } from './redact.ts'
import { createRequestId } from './request-id.ts'
import type { Transport } from './transport.ts'

/** The server that requests below certain paths are forwarded to. */
export interface ForwardTarget {
  /** Returns the path of the socket on which the target listens, or the number of seconds after which it may do so. */
  connect(): Promise<string | { readonly retrySeconds: number }>
  /** Addresses whose X-Forwarded-For is trusted. */
  isProxy(address: string): boolean
}

/** Serves some requests by another server, streaming in both directions. */
export interface Forwarder {
  /** Returns true for a request target that the other server serves. */
  matches(target: string): boolean
  forward(request: IncomingMessage, response: ServerResponse): void
}

/** Time without a byte in either direction after which a forwarded exchange ends, in milliseconds. */
const idleMs = 60_000
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect'],
])

const forwarded = new WeakSet<ServerResponse>()

/** Returns true if a response is forwarded; its request may take longer than others. */
export const isForwarded = (response: ServerResponse): boolean => forwarded.has(response)

/** Matches targets of the management server: one of its paths, alone or followed by `/` or `?`. */
export const createManagementMatcher = (basePath: string): ((target: string) => boolean) => {
  const pattern = /^\/(?:portal|console|admin\/v1|mcp)(?:[/?]|$)/
  return target => target.startsWith(basePath) && pattern.test(target.slice(basePath.length))
}

/** Creates the forwarder of requests below the paths that `matches` accepts. */
export function createForwarder(
  matches: (target: string) => boolean,
  target: ForwardTarget,
  transport: Transport,
): Forwarder {
  const agent = new Agent({ keepAlive: true })
  return {
    matches,
    forward: (request, response) => {
      const exchange = { request, response, socket: request.socket, id: createRequestId() }
      forwarded.add(response)
      logWhenClosed(exchange, transport)
      void forwardTo(exchange, target, transport, agent)
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket: Socket
  readonly id: string
}

async function forwardTo(
  exchange: Exchange,
  target: ForwardTarget,
  transport: Transport,
  agent: HttpAgent,
): Promise<void> {
  const { request, response, socket, id } = exchange
  const refused = checkHead(request) ?? checkHost(request)
  if (refused) return sendFault(exchange, refused, transport)
  const found = await target.connect()
  if (typeof found !== 'string') return sendFault(exchange, unavailable(found.retrySeconds), transport)
  if (response.destroyed) return
  socket.setTimeout(idleMs)
  const { method, url: path } = request
  const headers = headersFor(request, findClientAddress(request, target.isProxy), id)
  const upstream = sendRequest({ socketPath: found, agent, method, path, headers })
  upstream.on('response', answer => sendAnswer(exchange, answer, transport))
  upstream.on('error', () => {
    if (response.headersSent) response.destroy()
    else sendFault(exchange, unavailable(1), transport)
  })
  response.once('close', () => upstream.destroy())
  if (hasBody(request)) pipeline(request, upstream, () => {})
  else upstream.end()
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

const unavailable = (retrySeconds: number): Fault =>
  fault('management_unavailable', { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retrySeconds))) } })

/**
 * Returns the header fields for the target: those of the client without hop-by-hop fields and our own, then our own.
 */
function headersFor({ rawHeaders, headers }: IncomingMessage, client: string, id: string): string[] {
  const named = (headers.connection ?? '').split(',').map(name => name.trim().toLowerCase())
  const list: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    const isOurs = name.startsWith('x-periplus-') || name === 'x-request-id'
    if (!isOurs && !hopByHop.has(name) && !named.includes(name)) list.push(rawHeaders[i]!, rawHeaders[i + 1]!)
  }
  if (headers['transfer-encoding'] !== undefined) list.push('Transfer-Encoding', 'chunked')
  list.push('X-Periplus-Client', client, 'X-Request-Id', id)
  return list
}

function sendAnswer({ request, response, socket }: Exchange, answer: IncomingMessage, transport: Transport): void {
  const list: string[] = []
  for (let i = 0; i < answer.rawHeaders.length; i += 2)
    if (!hopByHop.has(answer.rawHeaders[i]!.toLowerCase())) list.push(answer.rawHeaders[i]!, answer.rawHeaders[i + 1]!)
  if (transport.isDraining() || !request.complete) list.push('Connection', 'close')
  // The rest of a request that was answered before its end must not reset the connection before the client reads.
  if (!request.complete) socket.destroySoon = () => closeLingering(socket)
  response.writeHead(answer.statusCode!, list)
  transport.unsent.track(response, socket, undefined, 0)
  pipeline(answer, response, error => error && response.destroy())
}

function sendFault({ request, response, socket, id }: Exchange, cause: Fault, transport: Transport): void {
  const { publicUrl } = transport.settings
  const { status, headers, body } = toProblem(cause, { id, path: toLoggedPath(request.url!), publicUrl })
  const mustClose = transport.isDraining() || !request.complete
  if (!request.complete) socket.destroySoon = () => closeLingering(socket)
  response.writeHead(status, {
    'X-Request-Id': id,
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    'Content-Length': body.length,
    ...(mustClose && { Connection: 'close' }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
  transport.unsent.track(response, socket, undefined, 0)
}

/** Counts and logs a forwarded exchange at its end. */
function logWhenClosed({ request, response, id }: Exchange, transport: Transport): void {
  const startMs = performance.now()
  response.once('close', () => {
    const ms = performance.now() - startMs
    const status = response.headersSent ? response.statusCode : clientClosed
    transport.traffic.countResponse(undefined, undefined, status, ms)
    const { method, url } = request
    const line = { level: 30, time: Date.now(), id, method, path: toLoggedPath(url!), status, ms: Math.round(ms) }
    transport.accessLog(`${JSON.stringify({ ...line, msg: 'request' })}\n`)
  })
}

/** Status in the log of a request whose client closed the connection before the answer; no standard defines one. */
const clientClosed = 499

/** Returns a target without its query, which may hold names and codes, and without the secret of a one-time link. */
const toLoggedPath = (target: string): string =>
  redact(target.split('?', 1)[0]!).replace(/(\/portal\/link\/).+/, '$1***')
