import type { LifecycleTimes } from '../domain/lifecycle.ts'

/** Where the Link header of something that ends leads: what is said of it, and what replaces it. */
export interface DeprecationNotice extends LifecycleTimes {
  readonly about: string
  readonly successor?: string
}

/**
 * The deprecation lifecycleHeaders of SPEC §9.4 and R-18: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`, from the
 * second on that they apply. Where version and endpoint both end, the earlier dates count.
 */
export function deprecationHeaders(
  endings: readonly DeprecationNotice[],
  nowMs: number,
): Readonly<Record<string, string>> | undefined {
  const begun = endings.filter(({ deprecatedMs }) => deprecatedMs !== undefined && nowMs >= deprecatedMs)
  if (begun.length === 0) return undefined
  const sunsetMs = Math.min(...begun.map(one => one.sunsetMs ?? Number.POSITIVE_INFINITY))
  return {
    Deprecation: `@${Math.floor(Math.min(...begun.map(one => one.deprecatedMs!)) / 1000)}`,
    ...(Number.isFinite(sunsetMs) && { Sunset: imfFixdate(sunsetMs) }),
    Link: begun.flatMap(linksOf).join(', '),
  }
}

/** RFC 9110 §5.6.7: `Thu, 06 Nov 2025 00:00:00 GMT`. */
const imfFixdate = (ms: number): string => new Date(ms).toUTCString()

const linksOf = ({ about, sunsetMs, successor }: DeprecationNotice): string[] => [
  `<${about}>; rel="deprecation"; type="text/html"`,
  ...(sunsetMs === undefined ? [] : [`<${about}>; rel="sunset"; type="text/html"`]),
  ...(successor === undefined ? [] : [`<${successor}>; rel="successor-version"`]),
]
