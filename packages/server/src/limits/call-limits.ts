import type { EffectiveLimits } from '../access/grant.ts'
import type { SessionUse } from '../domain/autocomplete-session.ts'
import type { Fault } from '../domain/fault.ts'
import type { Key } from '../domain/key.ts'
import type { Operation } from '../domain/operation.ts'
import type { AppendResult } from '../domain/usage.ts'

/**
 * Limits and metering of one class of calls, in two steps: `open` before the work, `settle` after it. An embedded
 * engine decides synchronously if possible; a shared engine returns promises.
 */
export interface CallLimits {
  /**
   * Decides whether a call of a known key may start. `denied` is an earlier fault (403): such a call spends nothing,
   * but is settled and recorded like any other.
   */
  open(call: CallFacts, denied?: Fault): Ticket | Promise<Ticket>
}

/** The facts about a call that are known before its work. */
export interface CallFacts {
  readonly requestId: string
  readonly operation: Operation
  readonly key: Key
  /** Id of the secret that the caller sent. */
  readonly secretId: string
  readonly limits: EffectiveLimits
  readonly version: string
  readonly versionExplicit: boolean
  /** True if the call names a session of search-as-you-type, which may have paid for it. */
  readonly isInSession?: boolean
}

/** A call between `open` and `settle`. Every ticket is settled once. */
export interface Ticket {
  /** Set if the call must not start: `denied`, 429, or 503 while calls cannot be recorded. */
  readonly refusal: Fault | undefined
  /** Charges the units, records the call and reports the limits, as one step. */
  settle(outcome: CallOutcome): Settlement | Promise<Settlement>
}

/** The outcome of the work of a call. */
export interface CallOutcome {
  /** HTTP status of the response, unless `settle` refuses it. */
  readonly status: number
  /** Number of entities in the response. */
  readonly entities: number
  /** The feed snapshot to which the downloaded file belongs; downloads only. */
  readonly snapshot?: string | undefined
  /** The session of search-as-you-type that the call used. */
  readonly session?: SessionUse | undefined
  /** The reason of a refusal or failure. */
  readonly fault?: Fault
  /** Names of the wrong parameters, as they are documented. */
  readonly fields?: readonly string[]
}

/** The result of `settle`. */
export interface Settlement {
  /** Replaces the response: 429 if the call exceeds a quota, 503 if it could not be recorded. */
  readonly refusal: Fault | undefined
  /** Rate limit headers: the state right after this call. */
  readonly headers: Readonly<Record<string, string>>
  /** The record of the call, if it is not written yet. No response may be sent before. */
  readonly record?: PendingRecord
  /** Ends an open download. Call it when the response has been sent or the connection has closed. Downloads only. */
  readonly release?: () => void
}

/** A usage record that is being written. */
export interface PendingRecord {
  readonly written: Promise<AppendResult>
  /** Returns the settlement that counts after the write: another one if the call could not be recorded. */
  conclude(result: AppendResult): Settlement
}

/**
 * Returns true if a response with this status is charged: refused, failed and not-modified responses are not.
 */
export const isCharged = (status: number): boolean => status < 300
