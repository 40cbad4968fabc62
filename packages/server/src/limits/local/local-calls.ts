import type { Admission } from '../../access/admission.ts'
import type { Limits } from '../../access/limits.ts'
import { type Fault, faults } from '../../domain/fault.ts'
import type { LimitedBucket } from '../../domain/limit-bucket.ts'
import type { AppendResult } from '../../domain/usage.ts'
import {
  type CallFacts,
  type CallLimits,
  type CallOutcome,
  isCharged,
  type Settlement,
  type Ticket,
} from '../call-limits.ts'
import type { CallRecorder, LimitRefusal } from '../call-recorder.ts'

/**
 * Limits of the calls of one bucket, kept in this process. Every decision is synchronous; only the write of the usage
 * record is awaited.
 */
export class LocalCallLimits implements CallLimits {
  readonly #bucket: LimitedBucket
  readonly #limits: Limits
  readonly #recorder: CallRecorder

  constructor(bucket: LimitedBucket, limits: Limits, recorder: CallRecorder) {
    this.#bucket = bucket
    this.#limits = limits
    this.#recorder = recorder
  }

  open(call: CallFacts, denied?: Fault): Ticket {
    return new LocalTicket(call, denied, this.#bucket, this.#limits, this.#recorder)
  }
}

class LocalTicket implements Ticket {
  readonly refusal: Fault | undefined
  readonly #call: CallFacts
  readonly #bucket: LimitedBucket
  readonly #limits: Limits
  readonly #recorder: CallRecorder
  readonly #startUs: number
  #admission: Admission | undefined
  #refusedBy: readonly string[] = []
  /** Units that the call needed when a limit refused it. */
  #cost: number | undefined

  constructor(
    call: CallFacts,
    denied: Fault | undefined,
    bucket: LimitedBucket,
    limits: Limits,
    recorder: CallRecorder,
  ) {
    this.#call = call
    this.#bucket = bucket
    this.#limits = limits
    this.#recorder = recorder
    this.#startUs = recorder.nowUs()
    this.refusal = denied ?? recorder.refuseUnrecorded() ?? this.#admit()
  }

  // Nothing may be awaited between the charge and the record.
  settle(outcome: CallOutcome): Settlement {
    const { status, fault: failure, fields } = outcome
    const nowUs = this.#recorder.nowUs()
    const cost = this.#recorder.costOf(this.#call.operation, outcome)
    const { key, limits } = this.#call
    const { refusal, units, headers, marks } = this.#limits.exclusively(key, () => {
      const refused = isCharged(status) ? this.#charge(cost, nowUs) : undefined
      const billed = refused ? 0 : cost
      // The state after this call, without later calls of the same turn of the event loop, or of other threads.
      const after = this.#headers(billed, nowUs)
      const states = this.#limits.marks(key, limits, this.#bucket, nowUs)
      return { refusal: refused, units: billed, headers: after, marks: states }
    })
    const cause = refusal ?? failure
    const written = this.#recorder.record({
      call: this.#call,
      startUs: this.#startUs,
      nowUs,
      status: refusal ? faults[refusal.fault].status : status,
      units,
      refusedBy: this.#refusedBy,
      marks,
      cause: cause && { fault: cause, fields, cost: this.#cost, policies: headers['RateLimit-Policy'] },
    })
    const conclude = (result: AppendResult): Settlement => {
      const unrecorded = this.#recorder.confirm(this.#call.operation, units, result)
      return unrecorded ? this.#release(unrecorded) : { refusal, headers }
    }
    return { refusal, headers, record: { written, conclude } }
  }

  /** Refunds the units of a call that could not be recorded. */
  #release(unrecorded: Fault): Settlement {
    this.#admission?.release()
    return { refusal: unrecorded, headers: this.#headers(0, this.#recorder.nowUs()) }
  }

  #admit(): Fault | undefined {
    const { key, limits, operation } = this.#call
    const minUnits = this.#recorder.minUnitsOf(operation)
    const outcome = this.#limits.admit(key, limits, this.#bucket, this.#startUs, minUnits)
    if (outcome.refused) return this.#refuse(outcome, minUnits)
    this.#admission = outcome
    return undefined
  }

  #charge(units: number, nowUs: number): Fault | undefined {
    const refusal = this.#admission?.charge(units, nowUs)
    return refusal && this.#refuse(refusal, units)
  }

  #headers(units: number, nowUs: number): Record<string, string> {
    const { key, limits } = this.#call
    return this.#limits.headers(key, limits, this.#bucket, nowUs, units, this.#admission?.tatsUs)
  }

  #refuse(refusal: LimitRefusal, cost: number): Fault {
    this.#cost = cost
    this.#refusedBy = refusal.refused
    return this.#recorder.refuse(refusal)
  }
}
