import type { AdminFault } from './admin-fault.ts'
import type { ExplainedRequest } from './explanation-terms.ts'
import type { Key } from './key.ts'
import type { CallPage, CallQuery } from './request-log.ts'
import type { UsageDimension, UsageReport } from './usage-report.ts'

/** The columns by which a key may sum its own usage. */
export const accountDimensions = ['operation', 'day', 'version', 'status'] as const satisfies readonly UsageDimension[]

/** The usage of a key to report. Times are in milliseconds since 1970. */
export interface AccountUsageQuery {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly by: readonly UsageDimension[]
  readonly timeZone: string
}

/** Calls of a key with a version. */
export interface VersionUse {
  readonly version: string
  readonly calls: number
}

/** Usage and the period that it covers. */
export type AccountUsage = UsageReport & { readonly fromMs: number; readonly toMs: number }

/** Filters of the calls of a key. */
export type AccountCallQuery = Omit<CallQuery, 'visibility' | 'keyId'>

/** A page of calls, and the time up to which the request log has every call; missing before the first. */
export type AccountCalls = CallPage & { readonly countedToMs?: number }

/** Reads what a key may see about itself. Each method returns data of `key` alone. */
export interface AccountReader {
  /** Returns the versions that the key has called in the last 30 days, in ascending order. */
  versions(key: Key): Promise<readonly VersionUse[]>
  usage(key: Key, query: AccountUsageQuery): Promise<AccountUsage | AdminFault>
  /** Returns one page of calls, newest first. */
  requests(key: Key, query: AccountCallQuery): Promise<AccountCalls | AdminFault>
  /** Returns a call with its explanation, or the fault that the key has no such call. */
  request(key: Key, id: string): Promise<ExplainedRequest | AdminFault>
}
