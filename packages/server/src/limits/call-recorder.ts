import type { Timeline } from '../access/timeline.ts'
import type { SessionMark, SessionPrice } from '../domain/autocomplete-session.ts'
import { type Fault, fault } from '../domain/fault.ts'
import type { UsageMark } from '../domain/ledger.ts'
import { getSubject } from '../domain/limit-subject.ts'
import type { Operation, OperationMeter } from '../domain/operation.ts'
import type { AppendResult, JournalFailure, UsageJournal } from '../domain/usage.ts'
import type { Clock } from '../kit/clock.ts'
import { type CallFacts, type CallOutcome, isCharged } from './call-limits.ts'
import { type CallCause, toRecordedFault } from './recorded-fault.ts'

/** Counters of limits, for metrics. */
export interface LimitCounters {
  /** Counts a call that limits refused. */
  countRefusal(policies: readonly string[]): void
  /** Counts the units of a recorded call. */
  countUnits(operation: Operation, units: number): void
}

export interface CallRecorderParts {
  readonly journal: UsageJournal
  readonly timeline: Timeline
  readonly clock: Clock
  readonly meters: Readonly<Record<Operation, OperationMeter>>
  readonly counters: LimitCounters
}

/** The outcome of a call for its usage record. */
export interface CallRecord {
  readonly call: CallFacts
  readonly startUs: number
  /** The current time on the timeline of limits; no earlier than the decision. */
  readonly nowUs: number
  readonly status: number
  readonly units: number
  /** The policies that refused the call. */
  readonly refusedBy: readonly string[]
  readonly marks: readonly UsageMark[]
  /** The epoch of the shared limits that decided the call; undefined without shared limits. */
  readonly epoch?: number
  readonly session?: SessionMark | undefined
  /** The reason of a refusal or failure, for the request log. */
  readonly cause?: CallCause | undefined
}

/** A refusal by limits, which `CallRecorder.refuse` converts to a fault. */
export interface LimitRefusal {
  readonly refused: readonly string[]
  readonly retryAfterS?: number
  readonly detail: string
}

/** Meters calls and writes their usage records; shared by all classes of calls. */
export class CallRecorder {
  readonly #parts: CallRecorderParts

  constructor(parts: CallRecorderParts) {
    this.#parts = parts
  }

  nowMs(): number {
    return this.#parts.clock.nowMs()
  }

  /** Returns the current time on the timeline of limits. */
  nowUs(): number {
    return this.#parts.timeline.at(this.#parts.clock.monotonicUs())
  }

  meter(operation: Operation): OperationMeter {
    return this.#parts.meters[operation]
  }

  /** True if calls of search-as-you-type are charged by session. */
  get hasSessions(): boolean {
    return this.meter('autocompleteLocations').meter === 'session'
  }

  /** Returns the cost of a call in units; 0 if its response is not charged. `price`: that of its session. */
  costOf(
    operation: Operation,
    { status, entities }: Pick<CallOutcome, 'status' | 'entities'>,
    price?: Pick<SessionPrice, 'units'>,
  ): number {
    const { meter, weight } = this.meter(operation)
    if (!isCharged(status) || meter === 'none') return 0
    if (price) return price.units * weight
    return meter === 'entity' ? entities * weight : weight
  }

  /** Returns the minimum cost of a call in units; a session may have paid for it. */
  minUnitsOf({ operation, isInSession }: Pick<CallFacts, 'operation' | 'isInSession'>): number {
    const { meter, weight } = this.meter(operation)
    return meter === 'none' || (isInSession && this.hasSessions) ? 0 : weight
  }

  /** Returns 503 while calls cannot be recorded. */
  refuseUnrecorded(): Fault | undefined {
    const failure = this.#parts.journal.failure()
    return failure && toUnrecordedFault(failure)
  }

  /** Counts a refusal and converts it to a 429. */
  refuse({ refused, retryAfterS, detail }: LimitRefusal): Fault {
    this.#parts.counters.countRefusal(refused)
    return fault('rate_limited', {
      detail,
      violatedPolicies: refused,
      ...(retryAfterS !== undefined && { headers: { 'Retry-After': String(retryAfterS) } }),
    })
  }

  /** Appends the record of a call. Resolves once the operating system has accepted it, or that failed. */
  record({
    call,
    startUs,
    nowUs,
    status,
    units,
    refusedBy,
    marks,
    epoch,
    session,
    cause,
  }: CallRecord): Promise<AppendResult> {
    const { journal, timeline, clock } = this.#parts
    const { requestId, operation, key, version, versionExplicit } = call
    const { meter, weight } = this.meter(operation)
    // With shared limits, the line is also the time of records.
    const timeMs = epoch === undefined ? clock.nowMs() : Math.floor(nowUs / 1000)
    return journal.append({
      requestId,
      timeMs,
      shiftMs: timeline.shiftMs(timeMs, nowUs),
      partnerId: key.partnerId,
      keyId: key.id,
      secretId: call.secretId,
      subject: getSubject(key),
      operation,
      version,
      versionExplicit,
      units,
      meter,
      weight,
      billable: !key.test,
      status,
      refusedBy,
      durationUs: nowUs - startUs,
      marks,
      epoch,
      session,
      fault: cause && toRecordedFault(cause, key),
    })
  }

  /** Counts the units of a recorded call. Returns 503 if the call could not be recorded. */
  confirm(operation: Operation, units: number, result: AppendResult): Fault | undefined {
    if (result !== 'written') return toUnrecordedFault(result)
    this.#parts.counters.countUnits(operation, units)
    return undefined
  }
}

/** Retry-After while calls cannot be recorded, in seconds. */
const unrecordedRetryS = 5

const toUnrecordedFault = ({ code }: JournalFailure): Fault =>
  fault('metering_unavailable', {
    detail: `The usage journal cannot be written (${code}); nothing was charged.`,
    headers: { 'Retry-After': String(unrecordedRetryS) },
  })
