import type { Key } from '../domain/key.ts'
import { forEachBucket, type LimitedBucket, limitBuckets } from '../domain/limit-bucket.ts'
import { getSubject } from '../domain/limit-subject.ts'
import { type Admission, AdmittedCall } from './admission.ts'
import { admit } from './admit.ts'
import { type BucketStates, BucketTable, getPromiseUs, type Tables } from './bucket-table.ts'
import { computeCallsLeft, limitToBurst } from './gcra.ts'
import type { EffectiveLimits } from './grant.ts'
import { type BucketStatus, formatLimitHeaders } from './limit-headers.ts'
import { type BucketPolicy, buildPolicies } from './limit-policy.ts'
import { type LimitState, type PreviousClock, restoreState } from './limit-state.ts'
import { type Penalty, type PenaltySettings, penaltyDefaults } from './penalty.ts'
import type { Refusal } from './refusal.ts'
import { isWindowOpen, windowLeftUs } from './window.ts'

export interface LimitSettings {
  /** True if searches are also charged to the package's limits. */
  readonly searchCountsTowardPackage: boolean
  readonly penalty: PenaltySettings
}

export const limitDefaults: LimitSettings = { searchCountsTowardPackage: false, penalty: penaltyDefaults }

/** The members of a key that limits depend on. */
export type Caller = Pick<Key, 'id' | 'partnerId' | 'agreement'>

/** The limits that are left in one bucket, and the penalty of its subject. */
export interface BucketState extends BucketStatus {
  readonly penalty: Penalty | undefined
}

/** The part of a bucket's state that a usage record contains; the units are in the record itself. */
export type LimitMark = Omit<LimitState, 'subject' | 'used'>

/**
 * Applies the limits of all keys (SPEC §8). Each call passes its limits, so that a changed agreement applies to the
 * next call. `nowUs` is always on the process's Timeline. `headers` and `marks` return the state at the time they are
 * called.
 */
export class Limits {
  readonly #settings: LimitSettings
  readonly #tables: Tables
  readonly #policies = new WeakMap<EffectiveLimits, Record<LimitedBucket, readonly BucketPolicy[]>>()

  /** `tables`: the states; by default empty ones of this process. */
  constructor(settings: LimitSettings = limitDefaults, tables: Tables = forEachBucket(() => new BucketTable())) {
    this.#settings = settings
    this.#tables = tables
  }

  /** Admits a call or refuses it. `minUnits`: minimum cost of the call; it is refused if fewer units are left. */
  admit(
    caller: Caller,
    limits: EffectiveLimits,
    bucket: LimitedBucket,
    nowUs: number,
    minUnits = 1,
  ): Admission | Refusal {
    const call = { subject: getSubject(caller), policies: this.#policiesFor(limits, bucket), nowUs, minUnits }
    return admit(call, this.#tables, this.#settings.penalty)
  }

  /** Returns the admission of a call that has spent its rate token already, in states that were loaded since. */
  resume(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, tatsUs: readonly number[]): Admission {
    return new AdmittedCall(getSubject(caller), this.#policiesFor(limits, bucket), this.#tables, tatsUs)
  }

  /** Returns the number of calls of `minUnits` each that would be admitted at the same time. */
  countRoom(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number, minUnits: number): number {
    const subject = getSubject(caller)
    let room = Number.POSITIVE_INFINITY
    for (const policy of this.#policiesFor(limits, bucket)) {
      const { rateLeft, quotaLeft } = getStatus(subject, policy, this.#tables[policy.bucket], nowUs)
      const calls = policy.spendsRate ? rateLeft : Number.POSITIVE_INFINITY
      room = Math.min(room, calls, minUnits === 0 ? calls : Math.floor(quotaLeft / minUnits))
    }
    return room
  }

  /** Runs steps that must not be separated by calls of other threads. They must not wait. */
  exclusively<T>(_caller: Caller, steps: () => T): T {
    return steps()
  }

  /**
   * Returns the headers of R-11. Calls that never reached `admit` (403) have them too. `tatsUs`: those of an admission,
   * so that tokens that calls have spent since are not counted.
   */
  headers(
    caller: Caller,
    limits: EffectiveLimits,
    bucket: LimitedBucket,
    nowUs: number,
    billed = 0,
    tatsUs?: readonly number[],
  ): Record<string, string> {
    const subject = getSubject(caller)
    const policies = this.#policiesFor(limits, bucket)
    return formatLimitHeaders(
      policies.map((policy, i) => getStatus(subject, policy, this.#tables[policy.bucket], nowUs, tatsUs?.[i])),
      billed,
    )
  }

  /** Returns the states that a usage record contains for the next restart. */
  marks(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number): LimitMark[] {
    const subject = getSubject(caller)
    return this.#policiesFor(limits, bucket).map(policy => {
      const { windowStartMs, tatUs, penalty } = getState(subject, policy.bucket, this.#tables[policy.bucket], nowUs)
      return { bucket: policy.bucket, windowStartMs, tatUs, penalty }
    })
  }

  /** Returns the state of a subject in one bucket. */
  stateOf(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number): BucketState {
    const subject = getSubject(caller)
    const table = this.#tables[bucket]
    const policy = this.#policiesFor(limits, bucket)[0]!
    return { ...getStatus(subject, policy, table, nowUs), penalty: table.penalty(table.find(subject)) }
  }

  /** Removes the penalties of a subject in all buckets whose latest refusal or strike was not after `untilUs`. */
  forgive(caller: Caller, untilUs = Number.POSITIVE_INFINITY): void {
    const subject = getSubject(caller)
    for (const table of Object.values(this.#tables)) {
      const slot = table.find(subject)
      const penalty = table.penalty(slot)
      if (penalty && Math.max(penalty.firstRefusalUs, penalty.struckUs) <= untilUs) table.setPenalty(slot, undefined)
    }
  }

  /** Yields all states that are not idle. */
  *states(nowUs: number): Generator<LimitState> {
    for (const bucket of limitBuckets) {
      const table = this.#tables[bucket]
      for (const [subject, slot] of table.entries()) {
        if (!table.isIdle(slot, nowUs)) yield getState(subject, bucket, table, nowUs)
      }
    }
  }

  /**
   * Restores the states of the previous process within the bounds of R-29. Returns the states that this changed; the
   * caller stores them in the ledger before the first call is served.
   */
  restore(states: Iterable<LimitState>, nowUs: number, last: PreviousClock): LimitState[] {
    const changed: LimitState[] = []
    for (const stored of states) {
      const state = restoreState(stored, nowUs, last)
      this.setState(state, nowUs)
      if (differs(state, stored)) changed.push(state)
    }
    return changed
  }

  /** Sets the state of a subject in one bucket. */
  protected setState({ subject, bucket, tatUs, windowStartMs, used, penalty }: LimitState, nowUs: number): void {
    const table = this.#tables[bucket]
    const slot = table.findOrAdd(subject, nowUs)
    table.setTat(slot, tatUs)
    table.setWindow(slot, windowStartMs, used)
    table.setPenalty(slot, this.#settings.penalty.enabled ? penalty : undefined)
  }

  /** Number of subjects with a state, by bucket. */
  get subjectCounts(): Readonly<Record<LimitedBucket, number>> {
    return forEachBucket(bucket => this.#tables[bucket].size)
  }

  #policiesFor(limits: EffectiveLimits, bucket: LimitedBucket): readonly BucketPolicy[] {
    let policies = this.#policies.get(limits)
    if (!policies) {
      const { searchCountsTowardPackage: both } = this.#settings
      policies = forEachBucket(of => buildPolicies(limits, of, both))
      this.#policies.set(limits, policies)
    }
    return policies[bucket]
  }
}

function getStatus(
  subject: string,
  policy: BucketPolicy,
  table: BucketStates,
  nowUs: number,
  spentUs?: number,
): BucketStatus {
  const slot = table.find(subject)
  const { intervalUs, burst, quota } = policy
  const tatUs = limitToBurst(spentUs ?? table.tatUs(slot), nowUs, intervalUs, burst)
  const promiseUs = getPromiseUs(table, slot)
  const open = isWindowOpen(table.windowStartMs(slot), nowUs / 1000)
  return {
    policy,
    // No call is admitted before the promised time.
    rateLeft: promiseUs > nowUs ? 0 : computeCallsLeft(tatUs, nowUs, intervalUs, burst),
    rateResetUs: Math.max(0, tatUs - nowUs, promiseUs - nowUs),
    quotaLeft: open ? Math.max(0, quota - table.used(slot)) : quota,
    quotaResetUs: open ? windowLeftUs(table.windowStartMs(slot), nowUs) : 0,
  }
}

function getState(subject: string, bucket: LimitedBucket, table: BucketStates, nowUs: number): LimitState {
  const slot = table.find(subject)
  const tatUs = table.tatUs(slot)
  const penalty = table.penalty(slot)
  return {
    subject,
    bucket,
    windowStartMs: table.windowStartMs(slot),
    used: table.used(slot),
    tatUs: tatUs > nowUs ? tatUs : 0,
    penalty,
  }
}

const differs = (a: LimitState, b: LimitState): boolean =>
  a.windowStartMs !== b.windowStartMs || a.tatUs !== b.tatUs || a.penalty?.promiseUs !== b.penalty?.promiseUs
