import type { FastifyRequest } from 'fastify'
import { type Fault, fault } from '../../domain/fault.ts'
import { type CorsSettings, toPreflightResponse } from './cors.ts'
import type { HttpResponse } from './http-response.ts'

/**
 * Creates the handler of requests that matched no route: 404, or 405 with Allow if the path exists but not with this method
 * . `paths` are the router's patterns.
 */
export function createUnroutedHandler(
  paths: readonly string[],
  settings: CorsSettings,
): (request: FastifyRequest) => HttpResponse | Fault {
  const known = paths.map(toPattern)
  return request => {
    const path = request.url.split('?', 1)[0]!
    if (!known.some(one => one.test(path)))
      return fault('path_unknown', { detail: 'See the list of endpoints on the landing page.' })
    const response = request.method === 'OPTIONS' ? toPreflightResponse(request.headers.origin, settings) : undefined
    return (
      response ?? fault('method_not_allowed', { detail: 'Use GET or HEAD.', headers: { Allow: allowed(settings) } })
    )
  }
}

const allowed = (settings: CorsSettings) => (settings.corsOrigins.length > 0 ? 'GET, HEAD, OPTIONS' : 'GET, HEAD')

/** Converts a route to a regular expression: `/locations/:id` gives `/^\/locations\/[^/]+\/?$/`. */
function toPattern(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[a-z]+/g, '[^/]+')
    .replace('*', '.+')
    .replace(/\/$/, '')
  return new RegExp(`^${source}/?$`)
}
