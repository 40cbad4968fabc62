import type { LifecycleTimes } from '../domain/lifecycle.ts'

/** A deprecated version or endpoint: its dates, the URL of a page about it (`about`), and the URL of its successor. */
export interface DeprecationNotice extends LifecycleTimes {
  readonly about: string
  readonly successor?: string
}

/**
 * Builds the deprecation headers of SPEC §9.4 and R-18: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`.
 * Returns undefined if no notice is in effect yet. If several notices are in effect, the earliest dates apply.
 */
export function buildDeprecationHeaders(
  notices: readonly DeprecationNotice[],
  nowMs: number,
): Readonly<Record<string, string>> | undefined {
  const inEffect = notices.filter(({ deprecatedMs }) => deprecatedMs !== undefined && nowMs >= deprecatedMs)
  if (inEffect.length === 0) return undefined
  const sunsetMs = Math.min(...inEffect.map(notice => notice.sunsetMs ?? Number.POSITIVE_INFINITY))
  return {
    Deprecation: `@${Math.floor(Math.min(...inEffect.map(notice => notice.deprecatedMs!)) / 1000)}`,
    ...(Number.isFinite(sunsetMs) && { Sunset: formatHttpDate(sunsetMs) }),
    Link: inEffect.flatMap(toLinks).join(', '),
  }
}

/** Returns a notice without its successor. */
export const withoutSuccessor = ({ successor: _, ...notice }: DeprecationNotice): DeprecationNotice => notice

/** Formats a time as an HTTP date (RFC 9110 §5.6.7): `Thu, 06 Nov 2025 00:00:00 GMT`. */
const formatHttpDate = (ms: number): string => new Date(ms).toUTCString()

const toLinks = ({ about, sunsetMs, successor }: DeprecationNotice): string[] => [
  `<${about}>; rel="deprecation"; type="text/html"`,
  ...(sunsetMs === undefined ? [] : [`<${about}>; rel="sunset"; type="text/html"`]),
  ...(successor === undefined ? [] : [`<${successor}>; rel="successor-version"`]),
]
