import type { FaultCode } from './fault.ts'
import type { Key } from './key.ts'
import type { PackageTable, Permission, Quota } from './package.ts'
import type { LoggedCall } from './request-log.ts'

/** The page that helps with the remedy. */
export type ExplanationPage = 'reference' | 'keys' | 'plan' | 'catalog' | 'versions' | 'feeds' | 'guide' | 'status'

/** The reason of a response, and its remedy. */
export interface Explanation {
  /** A fault code; `served` or `not_modified` for a call without a fault. */
  readonly code: FaultCode | 'served' | 'not_modified'
  /** The cause, in sentences with the limits at the time of the call. */
  readonly sentence: string
  /** The action for the caller; undefined if there is nothing to do. */
  readonly remedy?: string
  readonly link?: ExplanationPage
}

/** The limits of a key: rates per second, bursts in requests, quotas in units per 24-hour window. */
export interface ExplainedLimits {
  readonly rate: number
  readonly burst: number
  readonly quota: Quota
  readonly searchRate: number
  readonly searchBurst: number
  readonly searchQuota: Quota
  readonly autocompleteRate: number
  readonly autocompleteBurst: number
}

/** The terms under which a call was decided. */
export interface ExplanationTerms {
  /** The key as it was at the time of the call. */
  readonly key: Key
  readonly limits: ExplainedLimits
  readonly packageTable: PackageTable
  /** The last change of the key's state, if the call was refused because of it. */
  readonly changed?: { readonly atMs: number; readonly by: 'the partner' | 'the operator' }
}

/** Facts about the endpoint and the versions of the service that explain a call. */
export interface ExplanationRoute {
  readonly permission: Permission
  /** The versions that can be requested. */
  readonly versions: readonly string[]
  /** Sunset of the version or endpoint of the call, in milliseconds since 1970. */
  readonly sunsetMs?: number
  /** The version that replaces the one of the call. */
  readonly successor?: string
  /** The longest wait of a penalty, in seconds. */
  readonly penaltyCapS: number
}

/** The members of a call that explain it. */
export type ExplainedCall = Pick<
  LoggedCall,
  | 'timeMs'
  | 'operation'
  | 'version'
  | 'status'
  | 'units'
  | 'fault'
  | 'fields'
  | 'policies'
  | 'retryAfterS'
  | 'cost'
  | 'strikes'
>

/** A call, its explanation, and the key and limits at the time of the call. */
export interface ExplainedRequest {
  readonly call: LoggedCall
  readonly explanation: Explanation
  readonly key: Key
  readonly limits: ExplainedLimits
}
