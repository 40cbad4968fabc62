import type { Admission } from '../../access/admission.ts'
import type { LimitMark, Limits } from '../../access/limits.ts'
import { refuseSession } from '../../access/refusal.ts'
import { type MemorySessions, type SessionPrice, toSessionMark } from '../../domain/autocomplete-session.ts'
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

/** Parts of the limits of one bucket. */
interface LocalParts {
  readonly bucket: LimitedBucket
  readonly limits: Limits
  readonly recorder: CallRecorder
  /** Undefined: each call pays for itself. */
  readonly sessions?: MemorySessions | undefined
}

/**
 * Limits of the calls of one bucket, kept in this process. Every decision is synchronous; only the write of the usage
 * record is awaited.
 */
export class LocalCallLimits implements CallLimits {
  readonly #parts: LocalParts

  constructor(bucket: LimitedBucket, limits: Limits, recorder: CallRecorder, sessions?: MemorySessions) {
    this.#parts = { bucket, limits, recorder, sessions }
  }

  open(call: CallFacts, denied?: Fault): Ticket {
    return new LocalTicket(call, denied, this.#parts)
  }
}

/** The charge of a call, and the state right after it. */
interface Charged {
  readonly refusal: Fault | undefined
  readonly units: number
  readonly price: SessionPrice | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly marks: readonly LimitMark[]
}

class LocalTicket implements Ticket {
  readonly refusal: Fault | undefined
  readonly #call: CallFacts
  readonly #bucket: LimitedBucket
  readonly #limits: Limits
  readonly #recorder: CallRecorder
  readonly #sessions: MemorySessions | undefined
  readonly #startUs: number
  #admission: Admission | undefined
  #refusedBy: readonly string[] = []
  /** Units that the call needed when a limit refused it. */
  #cost: number | undefined

  constructor(call: CallFacts, denied: Fault | undefined, { bucket, limits, recorder, sessions }: LocalParts) {
    this.#call = call
    this.#bucket = bucket
    this.#limits = limits
    this.#recorder = recorder
    this.#sessions = sessions
    this.#startUs = recorder.nowUs()
    this.refusal = denied ?? recorder.refuseUnrecorded() ?? this.#admit()
  }

  // Nothing may be awaited between the charge and the record.
  settle(outcome: CallOutcome): Settlement {
    const { status, fault: failure, fields, session } = outcome
    const nowUs = this.#recorder.nowUs()
    const { refusal, units, price, headers, marks } = this.#limits.exclusively(this.#call.key, () =>
      this.#chargeOutcome(outcome, nowUs),
    )
    const cause = refusal ?? failure
    const written = this.#recorder.record({
      call: this.#call,
      startUs: this.#startUs,
      nowUs,
      status: refusal ? faults[refusal.fault].status : status,
      units,
      refusedBy: this.#refusedBy,
      marks,
      session: session && price && !refusal ? toSessionMark(session, price) : undefined,
      cause: cause && { fault: cause, fields, cost: this.#cost, policies: headers['RateLimit-Policy'] },
    })
    const conclude = (result: AppendResult): Settlement => {
      const unrecorded = this.#recorder.confirm(this.#call.operation, units, result)
      if (!unrecorded) return { refusal, headers }
      price?.undo()
      return this.#release(unrecorded)
    }
    return { refusal, headers, record: { written, conclude } }
  }

  /** Charges a call with its session, as one step: a refused call changes no session. */
  #chargeOutcome(outcome: CallOutcome, nowUs: number): Charged {
    const { key, limits, operation } = this.#call
    const isPriced =
      isCharged(outcome.status) && outcome.session && this.#recorder.hasSessions && this.#sessions !== undefined
    const price = isPriced ? this.#sessions!.use(outcome.session!, nowUs / 1000) : undefined
    const cost = this.#recorder.costOf(operation, outcome, price)
    const charge = () => (isCharged(outcome.status) ? this.#charge(cost, nowUs) : undefined)
    const refusal = isPriced && !price ? this.#refuse(refuseSession(), cost) : charge()
    if (refusal) price?.undo()
    const units = refusal ? 0 : cost
    // The state after this call, without later calls of the same turn of the event loop, or of other threads.
    const headers = this.#headers(units, nowUs)
    return { refusal, units, price, headers, marks: this.#limits.marks(key, limits, this.#bucket, nowUs) }
  }

  /** Refunds the units of a call that could not be recorded. */
  #release(unrecorded: Fault): Settlement {
    this.#admission?.release()
    return { refusal: unrecorded, headers: this.#headers(0, this.#recorder.nowUs()) }
  }

  #admit(): Fault | undefined {
    const { key, limits } = this.#call
    const minUnits = this.#recorder.minUnitsOf(this.#call)
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
