import type { Operation } from './operation.ts'

/** SPEC §9.1 and R-16: the latest `stable` version is the default; `retired` answers 410 whatever the dates. */
export const versionStatuses = ['preview', 'stable', 'deprecated', 'retired'] as const
export type VersionStatus = (typeof versionStatuses)[number]

/** A version of the partner API as feeds use it. */
export interface FeedVersion {
  readonly name: string
  readonly status: VersionStatus
  /** False when the code of the version has been removed. */
  readonly isImplemented: boolean
  /** True when the operator has ended its feeds. */
  readonly feedsEnded: boolean
}

/** When an ending was announced and when it comes, as the operator writes it: a date or a date-time, UTC. */
export interface LifecycleDates {
  readonly deprecated?: string
  readonly sunset?: string
}

/** What the operator says of versions and endpoints. */
export interface LifecycleSettings {
  readonly versions: Readonly<Record<string, LifecycleDates & { readonly status?: VersionStatus }>>
  readonly endpoints: Readonly<Partial<Record<Operation, LifecycleDates & { readonly successor?: string }>>>
}

/** The same moments in milliseconds since 1970. */
export interface LifecycleTimes {
  readonly deprecatedMs?: number
  readonly sunsetMs?: number
}

/** The least that partners are given between the two, days; less is warned of. */
export const noticeDays = 365

/** A date (its first moment, UTC) or a date-time in milliseconds; undefined where there is no such moment. */
export function momentOf(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.exec(text)
  const ms = match ? Date.parse(text) : Number.NaN
  // Date.parse takes 31 February for 3 March.
  const real = match && new Date(`${match[1]}T00:00:00Z`).toJSON()?.startsWith(match[1]!)
  return real && !Number.isNaN(ms) ? ms : undefined
}
