import type { HttpResponse } from './http-response.ts'

export interface CorsSettings {
  readonly corsOrigins: readonly string[]
  /** Time for which browsers may cache a preflight response. */
  readonly corsMaxAgeSeconds: number
}

const exposed =
  'ETag, API-Version, Ignored-Parameters, Deprecation, Sunset, Link, RateLimit, RateLimit-Policy, Retry-After, X-Billed-Units, X-Key-Mode, X-Request-Id, ' +
  'Accept-Ranges, Content-Range, Repr-Digest'

/** Returns the CORS headers of a response; only listed origins get access. */
export function buildCorsHeaders(
  origin: string | undefined,
  origins: readonly string[],
): Readonly<Record<string, string>> {
  if (origins.length === 0) return {}
  // Always send Vary: a response cached for one origin is not valid for another.
  if (origin === undefined || !isAllowed(origin, origins)) return { Vary: 'Origin' }
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed }
}

/** Returns the response to a preflight from a listed origin; undefined for other origins. */
export function toPreflightResponse(
  origin: string | undefined,
  settings: CorsSettings,
  takesPost: boolean,
): HttpResponse | undefined {
  if (origin === undefined || !isAllowed(origin, settings.corsOrigins)) return undefined
  return {
    status: 204,
    headers: {
      Allow: listMethods(true, takesPost),
      'Access-Control-Allow-Methods': listMethods(false, takesPost),
      'Access-Control-Allow-Headers': takesPost ? `${allowedHeaders}, Content-Type` : allowedHeaders,
      'Access-Control-Max-Age': String(settings.corsMaxAgeSeconds),
    },
    body: undefined,
  }
}

const allowedHeaders = 'X-API-Key, Authorization, API-Version, If-None-Match, Range, If-Range'

/** Returns the methods of a path as a header field. */
export const listMethods = (hasOptions: boolean, takesPost: boolean): string =>
  ['GET', 'HEAD', ...(takesPost ? ['POST'] : []), ...(hasOptions ? ['OPTIONS'] : [])].join(', ')

const isAllowed = (origin: string, origins: readonly string[]): boolean =>
  origins.includes('*') || origins.includes(origin)
