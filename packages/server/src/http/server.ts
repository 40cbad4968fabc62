import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { fault } from '../domain/fault.ts'
import type { Eventual } from '../kit/chain.ts'
import { createServer as createHttpServer } from '../kit/http.ts'
import { noSchemas } from '../kit/no-schemas.ts'
import type { RawQuery } from '../versions/primitives/param.ts'
import { type AccountApi, handleAccount } from './account/handle.ts'
import { accountRoutes } from './account/routes.ts'
import type { Readiness } from './admin/health.ts'
import type { AutocompleteParts } from './partner/operations/autocomplete.ts'
import type { FeedParts } from './partner/operations/feeds.ts'
import type { PartnerApi, PartnerSettings, RoutedRequest } from './partner/partner-api.ts'
import { handle } from './partner/pipeline.ts'
import type { PlainWays } from './partner/plain-way.ts'
import { maxBatchBytes, routes } from './partner/routes.ts'
import { createNotFoundPage } from './site/not-found-page.ts'
import type { SiteRequest } from './site/page.ts'
import { createPages, type SiteParts, toPageResponse } from './site/pages.ts'
import type { Profile } from './terra/profile.ts'
import type { Exchange } from './wire/access-line.ts'
import { checkHead, checkHost, maxHeaderBytesParsed } from './wire/bounds.ts'
import { respond } from './wire/exchange.ts'
import { createForwarder, createManagementMatcher, type Forwarder, type ForwardTarget } from './wire/forward.ts'
import type { HandledRequest } from './wire/http-response.ts'
import { NodeResponse } from './wire/node-response.ts'
import { handleUnusualRequests, requestTimeout, respondToParserError } from './wire/parser-faults.ts'
import { readBody } from './wire/read-body.ts'
import type { SimpleGet } from './wire/simple-get.ts'
import { timeOuts } from './wire/time-outs.ts'
import type { Transport, TransportSettings } from './wire/transport.ts'
import { createUnroutedHandler, type UnroutedHandler } from './wire/unrouted.ts'

/** All settings of the partner port. Each directory declares the settings that it reads. */
export type HttpSettings = ServerSettings &
  TransportSettings &
  PartnerSettings &
  AutocompleteParts['settings'] &
  FeedParts['settings'] &
  SiteParts['settings']

/** Settings of the server itself. */
export interface ServerSettings {
  /** `''` or `/path`, without a trailing slash. */
  readonly basePath: string
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
}

/** The parts of the partner port. */
export interface ServerParts {
  readonly transport: Transport
  readonly partner: PartnerApi
  /** Answer what they can in front of the router; undefined if all requests take the ordinary way. */
  readonly plainWays: PlainWays | undefined
  /** Undefined if the service has its own paths alone. */
  readonly profile: Profile | undefined
  readonly account: AccountApi
  readonly site: SiteParts
  readonly readiness: Readiness
  /** The management server, if it is reached through this port. */
  readonly management: ForwardTarget | undefined
  readonly settings: ServerSettings
}

const reads = ['GET', 'HEAD']

/** Creates the HTTP server of the partner port: the routes, the public pages, and a response to every other request. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { transport, partner, profile, account, site, readiness, management, settings } = parts
  const operationRoutes = [...routes, ...(profile?.routes ?? [])]
  const allPages = createPages(site, readiness)
  const handleUnrouted = createUnroutedHandler(
    [...operationRoutes, ...accountRoutes, ...allPages].map(({ path }) => settings.basePath + path),
    operationRoutes.flatMap(({ path, method }) => (method === undefined ? [] : settings.basePath + path)),
    transport.settings,
  )
  const toNotFoundPage = createNotFoundPage(site.settings.site)
  const matches = createManagementMatcher(settings.basePath)
  const forwarder = management && createForwarder(matches, management, transport)
  const inFront = { forwarder, plainWays: parts.plainWays }
  const app = createBareServer(transport, handleUnrouted, settings.trustedProxies, inFront)
  const addOperation = (
    { path, operation, method }: { readonly path: string; readonly operation: string; readonly method?: 'POST' },
    work: (request: RoutedRequest) => Eventual<HandledRequest>,
  ) => {
    const toRequest = method === undefined ? toRoutedRequest : toRequestWithBody
    const maxReadBytes = method === undefined ? undefined : maxBatchBytes
    app.route({
      method: method === undefined ? reads : method,
      url: settings.basePath + path,
      handler: (request, reply) =>
        respond(request, reply, transport, exchange => work(toRequest(request, exchange)), operation, maxReadBytes),
    })
  }
  for (const route of routes) addOperation(route, request => handle(request, route, partner))
  for (const route of profile?.routes ?? []) addOperation(route, request => profile!.handle(request, route))
  for (const route of accountRoutes) addOperation(route, request => handleAccount(request, route, account))
  for (const page of allPages) {
    app.route({
      method: reads,
      url: settings.basePath + page.path,
      handler: (request, reply) =>
        respond(request, reply, transport, async () => {
          const found = await page.get(toPublicRequest(request))
          return toNotFoundPage(await toPageResponse(found, request.headers), request)
        }),
    })
  }
  const respondUnrouted = (request: FastifyRequest) => toNotFoundPage(handleUnrouted(request), request)
  app.setNotFoundHandler((request, reply) => respond(request, reply, transport, () => respondUnrouted(request)))
  app.setErrorHandler((error, request, reply) => {
    const isOfFastify = (error as { statusCode?: number }).statusCode !== undefined
    // Fastify rejects a media type that it cannot read before it calls the handler, which has an answer of its own.
    if (isOfFastify && !request.is404) return request.routeOptions.handler.call(app, request, reply)
    return respond(request, reply, transport, () => {
      if (isOfFastify) return respondUnrouted(request)
      throw error
    })
  })
  return app
}

/** Creates the server without routes: size limits, time limits, and responses to input that is not a valid request. */
function createBareServer(
  transport: Transport,
  handleUnrouted: UnroutedHandler,
  trustedProxies: readonly string[],
  { forwarder, plainWays }: { readonly forwarder: Forwarder | undefined; readonly plainWays: PlainWays | undefined },
): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: noSchemas,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderBytesParsed },
    return503OnClosing: false,
    exposeHeadRoutes: false,
    serverFactory: route =>
      createHttpServer(
        { ...timeOuts, maxHeaderSize: maxHeaderBytesParsed, requireHostHeader: false },
        (request, response) =>
          transport.connections.dispatch(request, response, (message, raw) => {
            if (forwarder?.matches(message.url!)) return forwarder.forward(message, raw)
            const get = plainWays && toSimpleGet(message)
            const { socket } = message
            const writer = new NodeResponse(raw, socket, transport.unsent)
            const isAnswered = get && plainWays.short({ ...get, socket, writer })
            if (!isAnswered) route(message, raw)
          }),
      ),
    clientErrorHandler: (error, socket) => respondToParserError(error, socket as Socket, transport, handleUnrouted),
    // Called for a path with an invalid percent-encoding.
    frameworkErrors: (_error, request, reply) => {
      respond(request, reply, transport, () =>
        fault('bad_request', { detail: 'The path contains an invalid percent-encoding.' }),
      )
    },
  })
  transport.connections.track(app.server)
  if (plainWays)
    transport.reader.takeOver(app.server, {
      answer: ({ target, headers }, socket, writer) => plainWays.all({ target, headers, socket, writer }),
      onTimeout: socket => respondToParserError(requestTimeout, socket, transport, handleUnrouted),
    })
  handleUnusualRequests(app.server, transport)
  // Bodies are ignored. A parser must not reject one before the path and method have been checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return app
}

/** Returns what the plain ways use of a request; undefined if it is not a valid GET request without a body. */
function toSimpleGet(message: IncomingMessage): SimpleGet | undefined {
  const { method, url, headers } = message
  if (method !== 'GET' || url === undefined) return undefined
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody || checkHead(message) || checkHost(message) ? undefined : { target: url, headers }
}

const toRoutedRequest = (request: FastifyRequest, exchange: Exchange): RoutedRequest => ({
  ...exchange,
  params: request.params as Record<string, string>,
  query: request.query as RawQuery,
  headers: request.headers,
  address: request.ip,
  isGone: () => request.raw.socket.destroyed,
})

/** Validators are those of reads: an answer to a body has none of its own. */
function toRequestWithBody(request: FastifyRequest, exchange: Exchange): RoutedRequest {
  const { 'if-none-match': _, ...headers } = request.headers
  return { ...toRoutedRequest(request, exchange), headers, readBody: () => readBody(request.raw, maxBatchBytes) }
}

const toPublicRequest = (request: FastifyRequest): SiteRequest => ({
  params: request.params as Record<string, string>,
  query: new URLSearchParams(request.url.split('?')[1] ?? ''),
  headers: request.headers,
  address: request.ip,
  isGone: () => request.raw.socket.destroyed,
})
