import type { LimitedBucket } from '../domain/limit-bucket.ts'
import { getSubject } from '../domain/limit-subject.ts'
import type { SharedTable, SharedTableMemory } from '../kit/shared-table.ts'
import type { Admission } from './admission.ts'
import type { EffectiveLimits } from './grant.ts'
import type { LimitState } from './limit-state.ts'
import { type BucketState, type Caller, type LimitMark, type LimitSettings, Limits } from './limits.ts'
import type { Refusal } from './refusal.ts'
import { openSharedTables } from './shared-bucket-table.ts'

/**
 * Limits whose states are in memory that all serving threads share. Each step of the rules locks the state of its
 * subject, so that threads together admit what one thread would.
 */
export class SharedLimits extends Limits {
  readonly #table: SharedTable

  /** `thread`: number of the calling thread, from 1. */
  constructor(settings: LimitSettings, memory: SharedTableMemory, thread: number) {
    const { table, tables } = openSharedTables(memory, thread)
    super(settings, tables)
    this.#table = table
  }

  override admit(
    caller: Caller,
    limits: EffectiveLimits,
    bucket: LimitedBucket,
    nowUs: number,
    minUnits?: number,
  ): Admission | Refusal {
    const subject = getSubject(caller)
    const outcome = this.#table.exclusively(subject, () => super.admit(caller, limits, bucket, nowUs, minUnits))
    return outcome.refused ? outcome : new ExclusiveAdmission(outcome, subject, this.#table)
  }

  override headers(
    caller: Caller,
    limits: EffectiveLimits,
    bucket: LimitedBucket,
    nowUs: number,
    billed?: number,
    tatsUs?: readonly number[],
  ): Record<string, string> {
    return this.exclusively(caller, () => super.headers(caller, limits, bucket, nowUs, billed, tatsUs))
  }

  override marks(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number): LimitMark[] {
    return this.exclusively(caller, () => super.marks(caller, limits, bucket, nowUs))
  }

  override stateOf(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number): BucketState {
    return this.exclusively(caller, () => super.stateOf(caller, limits, bucket, nowUs))
  }

  override forgive(caller: Caller, untilUs?: number): void {
    this.exclusively(caller, () => super.forgive(caller, untilUs))
  }

  protected override setState(state: LimitState, nowUs: number): void {
    this.#table.exclusively(state.subject, () => super.setState(state, nowUs))
  }

  /** Releases what a thread held when it ended. */
  releaseLocks(endedThread: number): void {
    this.#table.releaseLocks(endedThread)
  }

  override exclusively<T>(caller: Caller, steps: () => T): T {
    return this.#table.exclusively(getSubject(caller), steps)
  }
}

/** An admission whose steps lock the state of the subject. */
class ExclusiveAdmission implements Admission {
  readonly tatsUs: readonly number[]
  readonly #admission: Admission
  readonly #subject: string
  readonly #table: SharedTable

  constructor(admission: Admission, subject: string, table: SharedTable) {
    this.tatsUs = admission.tatsUs
    this.#admission = admission
    this.#subject = subject
    this.#table = table
  }

  charge(units: number, nowUs: number): Refusal | undefined {
    return this.#table.exclusively(this.#subject, () => this.#admission.charge(units, nowUs))
  }

  release(): void {
    this.#table.exclusively(this.#subject, () => this.#admission.release())
  }
}
