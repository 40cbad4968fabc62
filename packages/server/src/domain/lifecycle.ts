import { parseInstant } from '../kit/time.ts'
import type { Operation } from './operation.ts'

/**
 * Statuses of a version: the latest `stable` one is the default; a `retired` one returns 410 regardless of dates
 * (R-16).
 */
export const versionStatuses = ['preview', 'stable', 'deprecated', 'retired'] as const
/** One of `versionStatuses`. */
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

/** Dates of deprecation and sunset in the settings: a date or a date-time in UTC. */
export interface LifecycleDates {
  readonly deprecated?: string
  readonly sunset?: string
}

/** The operator's settings about versions and endpoints. */
export interface LifecycleSettings {
  readonly versions: Readonly<Record<string, LifecycleDates & { readonly status?: VersionStatus }>>
  readonly endpoints: Readonly<Partial<Record<Operation, LifecycleDates & { readonly successor?: string }>>>
}

/** Times of deprecation and sunset in milliseconds since 1970. */
export interface LifecycleTimes {
  readonly deprecatedMs?: number
  readonly sunsetMs?: number
}

/** Recommended minimum time from deprecation to sunset, in days; a shorter one gives a warning. */
export const minNoticeDays = 365

const datePattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/

/** Parses a date (midnight UTC) or date-time of the settings; undefined if it does not exist. */
export const parseLifecycleDate = (text: string): number | undefined =>
  datePattern.test(text) ? parseInstant(text) : undefined

/** A version of the partner API as this installation serves it. */
export interface ServedVersion extends LifecycleTimes {
  readonly name: string
  /** First day on which the version was served, in milliseconds since 1970; undefined if it is not known. */
  readonly releasedMs?: number
  readonly status: VersionStatus
  /** True for the version of requests that name none. */
  readonly isDefault: boolean
}
