import { type Fault, fault } from '../../domain/fault.ts'
import { type CorsSettings, listMethods, toPreflightResponse } from './cors.ts'
import type { HttpResponse } from './http-response.ts'

/** The parts of a request without a route that decide its response. */
export interface UnroutedRequest {
  readonly method: string
  /** The target as sent: a path with a query, or an absolute URL. */
  readonly url: string
  readonly headers: { readonly origin?: string | undefined }
}

/** Returns the response to a request that matched no route. */
export type UnroutedHandler = (request: UnroutedRequest) => HttpResponse | Fault

/**
 * Creates the handler of requests that matched no route: 404, or 405 with Allow if the path exists but not with this
 * method. `paths` are the router's patterns, `posts` those of them that take POST as well.
 */
export function createUnroutedHandler(
  paths: readonly string[],
  posts: readonly string[],
  settings: CorsSettings,
): UnroutedHandler {
  const [known, withPost] = [paths.map(toPattern), posts.map(toPattern)]
  return ({ method, url, headers }) => {
    const path = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0]!
    if (!known.some(one => one.test(path)))
      return fault('path_unknown', { detail: 'See the list of endpoints on the landing page.' })
    const takesPost = withPost.some(one => one.test(path))
    const response = method === 'OPTIONS' ? toPreflightResponse(headers.origin, settings, takesPost) : undefined
    return response ?? toMethodNotAllowed(settings, takesPost)
  }
}

/** Returns 405 with the methods that a path supports. */
export const toMethodNotAllowed = (settings: CorsSettings, takesPost = false): Fault =>
  fault('method_not_allowed', {
    detail: takesPost ? 'Use GET, HEAD or POST.' : 'Use GET or HEAD.',
    headers: { Allow: listMethods(settings.corsOrigins.length > 0, takesPost) },
  })

/** Converts a route to a regular expression: `/locations/:id` gives `/^\/locations\/[^/]+\/?$/`. */
function toPattern(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[a-z]+/g, '[^/]+')
    .replace('*', '.+')
    .replace(/\/$/, '')
  return new RegExp(`^${source}/?$`)
}
