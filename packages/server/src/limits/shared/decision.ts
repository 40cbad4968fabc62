import type { EffectiveLimits } from '../../access/grant.ts'
import { restoreState } from '../../access/limit-state.ts'
import { type BucketState, type Caller, type LimitMark, type LimitSettings, Limits } from '../../access/limits.ts'
import type { Refusal } from '../../access/refusal.ts'
import type { FoldedState } from '../../domain/ledger.ts'
import { forEachBucket, type LimitedBucket } from '../../domain/limit-bucket.ts'
import { SubjectState } from './state-text.ts'

/**
 * A step of a call that the shared state decides. `enter` spends the rate token before the work, `whole` spends it
 * after the work and charges the units, `charge` charges the units of a call that has entered. `read` and `status`
 * change nothing, and `forgive` ends the penalty of the subject in all buckets.
 */
export interface DecisionRequest {
  readonly kind: 'enter' | 'whole' | 'charge' | 'read' | 'status' | 'forgive'
  readonly caller: Caller
  readonly limits: EffectiveLimits
  readonly bucket: LimitedBucket
  /** Minimum cost of the call; it is refused if fewer units are left. */
  readonly minUnits: number
  /** Units to charge; 0 if the response is not charged. */
  readonly units: number
  /** `charge` only: the member of the decision by which the call has entered. */
  readonly tatsUs?: readonly number[]
}

/** A refusal with the units that the call needed, or the minimum if they were not known. */
export interface CostedRefusal extends Refusal {
  readonly cost: number
}

/** A decision, with the state right after it. */
export interface Decision {
  readonly kind: 'decided'
  readonly refusal: CostedRefusal | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The rate of an admitted call right after it, for the headers of later steps. */
  readonly tatsUs?: readonly number[] | undefined
  readonly marks: readonly LimitMark[]
  /** Time of the decision on the line. */
  readonly nowUs: number
  /** The epoch in which it was decided; 0 for a status that was read from the ledger. */
  readonly epoch: number
  /** The states of all buckets; of `status` only. */
  readonly states?: Readonly<Record<LimitedBucket, BucketState>>
}

/** A stored state may be this much later than the line without being of another clock, in microseconds. */
const lineToleranceUs = 100_000

const noHeaders: Decision['headers'] = {}

/** Decides requests in the state of one subject that is loaded at a time. */
export class Decider {
  readonly state = new SubjectState()
  readonly #limits: Limits

  constructor(settings: LimitSettings) {
    this.#limits = new Limits(settings, this.state.tables)
  }

  /**
   * Loads the states of a subject in the ledger; those of a later time are cut as after a restart. Returns the
   * time from which they count.
   */
  loadSeed(subject: string, seed: readonly FoldedState[], lineUs: number): number {
    const lastUs = Math.max(0, ...seed.map(state => state.lastUs ?? 0))
    const nowUs = lastUs > lineUs + lineToleranceUs ? lineUs : Math.max(lineUs, lastUs)
    const clock = { timeMs: lastUs / 1000, shiftMs: 0 }
    const states = seed.map(state => restoreState(state, nowUs, clock))
    this.state.seed(subject, states)
    return nowUs
  }

  decide(request: DecisionRequest, nowUs: number, epoch: number): Decision {
    const { caller, limits, bucket, units } = request
    const { refusal, tatsUs } = this.#apply(request, nowUs)
    // A call that has entered is reported and recorded by its second decision.
    if (request.kind === 'enter' && !refusal)
      return { kind: 'decided', refusal, headers: noHeaders, tatsUs, marks: [], nowUs, epoch }
    const stateOf = (of: LimitedBucket) => this.#limits.stateOf(caller, limits, of, nowUs)
    return {
      kind: 'decided',
      refusal,
      headers: this.#limits.headers(caller, limits, bucket, nowUs, refusal ? 0 : units, tatsUs),
      marks: this.#limits.marks(caller, limits, bucket, nowUs),
      nowUs,
      epoch,
      ...(request.kind === 'status' && { states: forEachBucket(stateOf) }),
    }
  }

  /** Returns the number of calls that the loaded state would admit at the same time. */
  countRoom({ caller, limits, bucket, minUnits }: Omit<DecisionRequest, 'kind' | 'units'>, nowUs: number): number {
    return this.#limits.countRoom(caller, limits, bucket, nowUs, minUnits)
  }

  #apply({ kind, caller, limits, bucket, minUnits, units, tatsUs }: DecisionRequest, nowUs: number): Applied {
    if (kind === 'read' || kind === 'status') return {}
    if (kind === 'forgive') {
      this.#limits.forgive(caller)
      return {}
    }
    const outcome =
      kind === 'charge'
        ? this.#limits.resume(caller, limits, bucket, tatsUs!)
        : this.#limits.admit(caller, limits, bucket, nowUs, minUnits)
    if (outcome.refused) return { refusal: { ...outcome, cost: minUnits } }
    const refusal = kind === 'enter' ? undefined : outcome.charge(units, nowUs)
    return { refusal: refusal && { ...refusal, cost: units }, tatsUs: outcome.tatsUs }
  }
}

/** The result of a request in the loaded state. */
interface Applied extends Partial<Pick<Decision, 'refusal' | 'tatsUs'>> {}
