import type { Lifecycle } from '../../../versions/lifecycle.ts'

/** A version or an endpoint that has a date of deprecation or sunset. */
export interface EndingPart {
  /** `version-1` or `endpoint-listReviews`: stable, for ids. */
  readonly id: string
  /** `Version 1`, `The endpoint listReviews`. */
  readonly label: string
  /** Anchor on the page of versions. */
  readonly anchor: string
  readonly deprecatedMs: number | undefined
  readonly sunsetMs: number | undefined
}

/** Lists the versions and endpoints that have a date of deprecation or sunset. */
export const listEndingParts = ({ versions, endpoints }: Lifecycle): readonly EndingPart[] =>
  [
    ...versions.map(({ name, deprecatedMs, sunsetMs }) => ({
      id: `version-${name}`,
      label: `Version ${name}`,
      anchor: name,
      deprecatedMs,
      sunsetMs,
    })),
    ...Object.entries(endpoints).map(([operation, { deprecatedMs, sunsetMs }]) => ({
      id: `endpoint-${operation}`,
      label: `The endpoint ${operation}`,
      anchor: operation,
      deprecatedMs,
      sunsetMs,
    })),
  ].filter(({ deprecatedMs, sunsetMs }) => deprecatedMs !== undefined || sunsetMs !== undefined)
