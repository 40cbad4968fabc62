import type { EffectiveLimits } from '../access/grant.ts'
import type { Fault } from '../domain/fault.ts'
import type { Key } from '../domain/key.ts'
import type { Operation } from '../domain/operation.ts'

/**
 * Limits and metering of one class of calls, in two steps: `open` before the work, `settle` after it. An embedded engine
 * answers both within the turn where it can; a shared engine answers with promises.
 */
export interface CallLimits {
  /**
   * Decides whether a call of a known key may start. `denied` is a fault that was found before (403): such a call spends
   * nothing, but is settled and recorded like any other.
   */
  open(call: CallFacts, denied?: Fault): Ticket | Promise<Ticket>
}

/** The facts about a call that are known before its work. */
export interface CallFacts {
  readonly requestId: string
  readonly operation: Operation
  readonly key: Key
  readonly limits: EffectiveLimits
  readonly version: string
  readonly versionExplicit: boolean
}

/** A call between `open` and `settle`. Every ticket is settled once. */
export interface Ticket {
  /** Set when the call may not start: `denied`, 429, or 503 while calls cannot be recorded. */
  readonly refusal: Fault | undefined
  /** Charges the units, records the call and reports the limits, as one step. */
  settle(outcome: CallOutcome): Settlement | Promise<Settlement>
}

/** The outcome of the work of a call. */
export interface CallOutcome {
  /** HTTP status of the answer, unless `settle` refuses it. */
  readonly status: number
  /** Entities in the answer. */
  readonly entities: number
  /** The feed snapshot that the answer is a file of; downloads only. */
  readonly snapshot?: string | undefined
}

export interface Settlement {
  /** Replaces the answer: 429 when the call exceeds a quota, 503 when it could not be recorded. */
  readonly refusal: Fault | undefined
  /** Rate limit headers: the state right after this call. */
  readonly headers: Readonly<Record<string, string>>
  /** Ends an open download; to be called when the answer has been sent or the connection is gone. Downloads only. */
  readonly release?: () => void
}

/** Answers below 300 are charged; what was refused, failed or not modified is not. */
export const isCharged = (status: number): boolean => status < 300
