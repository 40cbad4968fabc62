import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Fault, fault } from '../../domain/fault.ts'
import type { Logger } from '../../kit/log.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { noSchemas } from '../../kit/no-schemas.ts'
import { type HttpResponse, toProblem } from '../wire/http-response.ts'
import { toInternalFault } from '../wire/internal-fault.ts'
import { createRequestId } from '../wire/request-id.ts'
import { timeOuts } from '../wire/time-outs.ts'
import { getHealth, getReadiness, type Readiness } from './health.ts'

/** The parts of the admin server. */
export interface AdminParts {
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly log: Logger
}

type Page = () => HttpResponse | Promise<HttpResponse>

/** Creates the admin server with /metrics, /healthz and /readyz. The partners' port has only the latter two. */
export function createAdminServer({ metrics, readiness, log }: AdminParts): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: noSchemas,
    genReqId: createRequestId,
    // Scrapers keep their connections open; closing the server ends them.
    forceCloseConnections: true,
    requestTimeout: timeOuts.requestTimeout,
    keepAliveTimeout: timeOuts.keepAliveTimeout,
    http: timeOuts,
    // Called for a path with an invalid percent-encoding.
    frameworkErrors: (_error, request, reply) => sendFault(reply, unrouted(request)),
  })
  // Bodies are ignored.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const pages: Readonly<Record<string, Page>> = {
    '/metrics': async () => ({
      status: 200,
      headers: { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' },
      body: Buffer.from(await metrics.render()),
    }),
    '/healthz': getHealth,
    '/readyz': () => getReadiness(readiness),
  }
  for (const [path, page] of Object.entries(pages)) app.get(path, async (_request, reply) => send(reply, await page()))

  const unrouted = ({ url }: FastifyRequest): Fault =>
    Object.hasOwn(pages, url.split('?', 1)[0]!)
      ? fault('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
      : fault('path_unknown', { detail: 'The paths are /metrics, /healthz and /readyz.' })
  app.setNotFoundHandler((request, reply) => sendFault(reply, unrouted(request)))
  app.setErrorHandler((error, request, reply) =>
    // Fastify rejects some bodies before it looks for the route.
    (error as { readonly statusCode?: number }).statusCode === undefined
      ? sendFault(reply, toInternalFault(error, request.id, log))
      : sendFault(reply, unrouted(request)),
  )
  return app
}

const send = (reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply =>
  reply
    .code(status)
    .headers({ 'X-Content-Type-Options': 'nosniff', ...headers })
    .send(body)

const sendFault = (reply: FastifyReply, cause: Fault): FastifyReply =>
  send(reply, toProblem(cause, { id: reply.request.id, path: '', publicUrl: '' }))
