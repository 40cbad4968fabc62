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
export function toPreflightResponse(origin: string | undefined, settings: CorsSettings): HttpResponse | undefined {
  if (origin === undefined || !isAllowed(origin, settings.corsOrigins)) return undefined
  return {
    status: 204,
    headers: {
      Allow: 'GET, HEAD, OPTIONS',
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': 'X-API-Key, Authorization, API-Version, If-None-Match, Range, If-Range',
      'Access-Control-Max-Age': String(settings.corsMaxAgeSeconds),
    },
    body: undefined,
  }
}

const isAllowed = (origin: string, origins: readonly string[]): boolean =>
  origins.includes('*') || origins.includes(origin)
