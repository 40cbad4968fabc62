import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { StoreError } from '../domain/store-errors.ts'
import { createServer as createHttpServer } from '../kit/http.ts'
import { noSchemas } from '../kit/no-schemas.ts'
import { PartnerViews } from '../usecases/admin/record-view.ts'
import { linkTo, pathBelowBase } from '../web/site.ts'
import { type ApiParts, handleApiCall } from './api-handler.ts'
import type { ApiResponse } from './api-response.ts'
import { BearerTokens } from './bearer.ts'
import type { ManagementContext } from './context.ts'
import { createAdminDocument } from './openapi.ts'
import type { PageRoute } from './pages/page-route.ts'
import { pageRoutes } from './pages/page-routes.ts'
import { addPortal } from './portal/portal.ts'
import { formatProblem, type Problem, problem } from './problem.ts'
import type { ApiMethod, ApiRoute } from './route.ts'
import { apiPath, apiRoutes } from './routes.ts'

/** Settings of the management server. */
export interface ManagementSettings {
  /** `''` or `/path`, without a trailing slash. */
  readonly basePath: string
  /** True if all requests are forwarded by the serving thread, which then names the client and the request. */
  readonly isForwarded: boolean
  readonly trustedProxies: readonly string[]
}

/** Maximum header bytes that Node's parser accepts; `checkHead` enforces lower limits with a problem. */
const maxHeaderBytesParsed = 131_072
const maxUrlBytes = 8192
const maxHeaderBytes = 16_384
/** Time-outs of a port of its own, in milliseconds. A forwarded exchange has those of the forwarder. */
const timeOuts = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000,
}
const forwardedTimeOuts = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 }

const allMethods: readonly ApiMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Creates the management server. `pages` is the table of pages that it serves. */
export function createManagementServer(
  context: ManagementContext,
  settings: ManagementSettings,
  pages: readonly PageRoute[] = pageRoutes,
): FastifyInstance {
  const send = createSender(context, settings)
  const app = createBareServer(settings, send)
  addApi(app, context, settings, send)
  const { identity, log, site, oidc, secondFactor, audit, clock, hasMail, sendLink, sendAddressChange, once } = context
  const addressOf = (request: FastifyRequest) => clientOf(request, settings)
  const views = new PartnerViews(audit, clock)
  const parts = {
    identity,
    access: context,
    log,
    site,
    oidc,
    secondFactor,
    hasMail,
    sendLink,
    sendAddressChange,
    addressOf,
    once,
  }
  addPortal(app, parts, { context, site, views, once, addressOf }, pages)
  app.setNotFoundHandler((request, reply) => send(request, reply, problem('path_unknown')))
  app.setErrorHandler((error, request, reply) => send(request, reply, toErrorProblem(error, request, context)))
  return app
}

function createBareServer({ isForwarded, trustedProxies }: ManagementSettings, send: Send): FastifyInstance {
  const options = { maxHeaderSize: maxHeaderBytesParsed, ...(isForwarded ? forwardedTimeOuts : timeOuts) }
  const app = Fastify({
    logger: false,
    schemaController: noSchemas,
    trustProxy: !isForwarded && trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: raw => (isForwarded && String(raw.headers['x-request-id'] ?? '')) || uuidv7(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxUrlBytes },
    forceCloseConnections: 'idle',
    serverFactory: handler => createHttpServer(options, handler),
    // Called for a path with an invalid percent-encoding.
    frameworkErrors: (_error, request, reply) =>
      void send(
        request,
        reply as FastifyReply,
        problem('request_invalid', { detail: 'The path contains an invalid percent-encoding.' }),
      ),
  })
  // A connection that is closed with unread input is reset, and its client may lose the answer: read and discard the
  // rest.
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete) return
    reply.removeHeader('Connection')
    raw.resume()
  })
  // Rows read their own bodies, after the token has been checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return app
}

type Send = (request: FastifyRequest, reply: FastifyReply, outcome: ApiResponse | Problem) => FastifyReply

/** Creates the function that sends every response of the admin API. */
const createSender =
  (context: ManagementContext, settings: ManagementSettings): Send =>
  (request, reply, outcome) => {
    const { publicUrl } = context
    const isFailure = 'code' in outcome
    const location = outcome.headers?.Location
    const path = pathBelowBase(settings, request.url)
    const body = isFailure ? formatProblem(outcome, { id: request.id, path, publicUrl }) : outcome.body
    return reply
      .code(outcome.status)
      .headers({
        'X-Request-Id': request.id,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
        ...(isFailure && { 'Content-Type': 'application/problem+json' }),
        ...outcome.headers,
        ...(location !== undefined && { Location: linkTo(settings, location) }),
      })
      .send(body === undefined ? undefined : Buffer.from(body))
  }

/** Adds the rows of the admin API, and 405 for all other methods of their paths. */
function addApi(app: FastifyInstance, context: ManagementContext, settings: ManagementSettings, send: Send): void {
  const prefix = linkTo(settings, apiPath)
  const readers = new Map(apiRoutes.filter(({ method }) => method === 'GET').map(row => [row.path, row]))
  const parts: ApiParts = {
    context,
    tokens: new BearerTokens(context.admin),
    findReader: path => readers.get(path),
  }
  app.get(`${prefix}/openapi.json`, (request, reply) =>
    send(request, reply, {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(createAdminDocument(context)),
    }),
  )
  for (const row of apiRoutes)
    app.route({
      method: row.method,
      url: prefix + row.path,
      handler: async (request, reply) => send(request, reply, await handle(request, row, parts, settings)),
    })
  for (const [path, rows] of Map.groupBy(apiRoutes, ({ path }) => path)) {
    const methods = rows.map(({ method }) => method as string)
    if (methods.includes('GET')) methods.push('HEAD')
    const refused = problem('method_not_allowed', { headers: { Allow: methods.join(', ') } })
    app.route({
      method: allMethods.filter(method => !methods.includes(method)),
      url: prefix + path,
      handler: async (request, reply) => send(request, reply, refused),
    })
  }
}

async function handle(
  request: FastifyRequest,
  row: ApiRoute,
  parts: ApiParts,
  settings: ManagementSettings,
): Promise<ApiResponse | Problem> {
  return (
    checkHead(request) ??
    handleApiCall(
      {
        id: request.id,
        target: request.url.slice(settings.basePath.length),
        params: request.params as Record<string, string>,
        headers: request.headers,
        address: clientOf(request, settings),
        raw: request.raw,
      },
      row,
      parts,
    )
  )
}

/** Returns the network address of the client; the serving thread names it for forwarded requests. */
const clientOf = (request: FastifyRequest, { isForwarded }: ManagementSettings): string =>
  isForwarded ? String(request.headers['x-periplus-client'] ?? '') : request.ip

/** Returns 414 or 431 if the URL or the header fields are too large. */
function checkHead({ url, raw }: FastifyRequest): Problem | undefined {
  if (url.length > maxUrlBytes) return problem('url_too_long')
  const bytes = raw.rawHeaders.reduce((sum, part) => sum + part.length + 2, 0)
  return bytes > maxHeaderBytes ? problem('headers_too_large') : undefined
}

function toErrorProblem(error: unknown, request: FastifyRequest, { log }: ManagementContext): Problem {
  const status = (error as { readonly statusCode?: number }).statusCode
  if (status === 413) return problem('body_too_large')
  if (status !== undefined && status < 500) return problem('request_invalid')
  log.error({ err: error, id: request.id }, 'A request of the management server failed.')
  return problem(error instanceof StoreError ? 'store_unavailable' : 'internal')
}
