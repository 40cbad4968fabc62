import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { fault } from '../domain/fault.ts'
import type { RawQuery } from '../versions/primitives/param.ts'
import type { Readiness } from './admin/health.ts'
import type { FeedParts } from './partner/operations/feeds.ts'
import { handle, type Incoming, type PartnerApi, type PartnerSettings } from './partner/pipeline.ts'
import { routes } from './partner/routes.ts'
import type { LandingSettings } from './site/landing-page.ts'
import { pageAnswer, pages, type Site } from './site/pages.ts'
import type { Exchange } from './wire/access-line.ts'
import { maxHeaderBytesParsed } from './wire/bounds.ts'
import { respond } from './wire/exchange.ts'
import { answerOddRequests, parserFault } from './wire/parser-faults.ts'
import { timeOuts } from './wire/time-outs.ts'
import type { Transport, TransportSettings } from './wire/transport.ts'
import { unrouted } from './wire/unrouted.ts'

/** Every setting of the partners' port; each room declares those that it reads. */
export type HttpSettings = ServerSettings &
  TransportSettings &
  PartnerSettings &
  FeedParts['settings'] &
  LandingSettings

export interface ServerSettings {
  /** `''` or `/path`, without a trailing slash. */
  readonly basePath: string
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
}

/** The rooms of the partners' port. */
export interface ServerParts {
  readonly transport: Transport
  readonly partner: PartnerApi
  readonly site: Site
  readonly readiness: Readiness
  readonly settings: ServerSettings
}

/** Builds the HTTP server: the routes of the table, the pages without a key, and an answer to everything else. */
export function createServer({ transport, partner, site, readiness, settings }: ServerParts): FastifyInstance {
  const app = bareServer(transport, settings.trustedProxies)
  const method = ['GET', 'HEAD']
  for (const route of routes) {
    app.route({
      method,
      url: settings.basePath + route.path,
      handler: (request, reply) =>
        respond(
          request,
          reply,
          transport,
          exchange => handle(incoming(request, exchange), route, partner),
          route.operation,
        ),
    })
  }
  const allPages = pages(site, readiness)
  for (const page of allPages) {
    app.route({
      method,
      url: settings.basePath + page.path,
      handler: (request, reply) =>
        respond(request, reply, transport, () =>
          pageAnswer(page.answer((request.params as { '*'?: string })['*'] ?? ''), request.headers),
        ),
    })
  }
  const known = unrouted(
    [...routes, ...allPages].map(({ path }) => settings.basePath + path),
    transport.settings,
  )
  app.setNotFoundHandler((request, reply) => respond(request, reply, transport, () => known(request)))
  app.setErrorHandler((error, request, reply) =>
    respond(request, reply, transport, () => {
      // The framework's complaints about a body or its type come before the path and method were looked at.
      if ((error as { statusCode?: number }).statusCode !== undefined) return known(request)
      throw error
    }),
  )
  return app
}

/** The server without routes: limits, time-outs, and answers to what never becomes a request. */
function bareServer(transport: Transport, trustedProxies: readonly string[]): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderBytesParsed },
    return503OnClosing: false,
    exposeHeadRoutes: false,
    requestTimeout: timeOuts.requestTimeout,
    keepAliveTimeout: timeOuts.keepAliveTimeout,
    http: { ...timeOuts, maxHeaderSize: maxHeaderBytesParsed, requireHostHeader: false },
    clientErrorHandler: (error, socket) => parserFault(error, socket as Socket, transport),
    // The router's own complaint: a path whose percent-encoding cannot be decoded.
    frameworkErrors: (_error, request, reply) => {
      respond(request, reply, transport, () =>
        fault('bad_request', { detail: 'The path holds a percent-encoding that is not valid.' }),
      )
    },
  })
  answerOddRequests(app.server, transport)
  // Bodies are ignored here: no parser may refuse one before the path and method were checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return app
}

const incoming = (request: FastifyRequest, exchange: Exchange): Incoming => ({
  ...exchange,
  params: request.params as Record<string, string>,
  query: request.query as RawQuery,
  headers: request.headers,
  address: request.ip,
})
