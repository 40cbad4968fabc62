import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { fault } from '../domain/fault.ts'
import type { RawQuery } from '../versions/primitives/param.ts'
import type { Readiness } from './admin/health.ts'
import { handle } from './partner/pipeline.ts'
import { routes } from './partner/routes.ts'
import type { Service } from './partner/service.ts'
import { pageAnswer, pages } from './site/pages.ts'
import { maxHeaderBytesParsed } from './wire/bounds.ts'
import { respond } from './wire/exchange.ts'
import { answerOddRequests, parserFault } from './wire/parser-faults.ts'
import { timeOuts } from './wire/time-outs.ts'
import { unrouted } from './wire/unrouted.ts'

/** Builds the HTTP server: THE table's routes, the pages without a key, and an answer for everything else. */
export function createServer(service: Service, readiness: Readiness): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: service.settings.trustedProxies.length > 0 ? [...service.settings.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderBytesParsed },
    return503OnClosing: false,
    exposeHeadRoutes: false,
    requestTimeout: timeOuts.requestTimeout,
    keepAliveTimeout: timeOuts.keepAliveTimeout,
    http: { ...timeOuts, maxHeaderSize: maxHeaderBytesParsed, requireHostHeader: false },
    clientErrorHandler: (error, socket) => parserFault(error, socket as Socket, service),
    // The router's own complaint: a path whose percent-encoding cannot be decoded.
    frameworkErrors: (_error, request, reply) => {
      respond(request, reply, service, () =>
        fault('bad_request', { detail: 'The path holds a percent-encoding that is not valid.' }),
      )
    },
  })
  answerOddRequests(app.server, service)
  // Bodies mean nothing here: no parser may refuse one before the path and method have been looked at.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const base = service.settings.basePath
  const method = ['GET', 'HEAD']
  for (const route of routes) {
    app.route({
      method,
      url: base + route.path,
      handler: (request, reply) =>
        respond(
          request,
          reply,
          service,
          exchange => {
            const incoming = {
              ...exchange,
              params: request.params as Record<string, string>,
              query: request.query as RawQuery,
              headers: request.headers,
              address: request.ip,
            }
            return handle(incoming, route, service)
          },
          route.operation,
        ),
    })
  }
  const allPages = pages(service, readiness)
  for (const page of allPages) {
    app.route({
      method,
      url: base + page.path,
      handler: (request, reply) =>
        respond(request, reply, service, () =>
          pageAnswer(page.answer((request.params as { '*'?: string })['*'] ?? ''), request.headers),
        ),
    })
  }
  const known = unrouted(
    [...routes, ...allPages].map(({ path }) => base + path),
    service.settings,
  )
  app.setNotFoundHandler((request, reply) => respond(request, reply, service, () => known(request)))
  app.setErrorHandler((error, request, reply) =>
    respond(request, reply, service, () => {
      // The framework's complaints about a body or its type come before the path and method were looked at.
      if ((error as { statusCode?: number }).statusCode !== undefined) return known(request)
      throw error
    }),
  )
  return app
}
