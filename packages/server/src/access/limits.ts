import type { Key } from '../domain/key.ts'
import type { Admission } from './admission.ts'
import { admit } from './admit.ts'
import { BucketTable, getPromiseUs, type Tables } from './bucket-table.ts'
import { computeCallsLeft, limitToBurst } from './gcra.ts'
import type { EffectiveLimits } from './grant.ts'
import { type BucketStatus, limitHeaders } from './limit-headers.ts'
import { type BucketPolicy, buildPolicies, type LimitedBucket } from './limit-policy.ts'
import { getSubject, type LimitState, type PreviousClock, restoreState } from './limit-state.ts'
import { type PenaltySettings, penaltyDefaults } from './penalty.ts'
import type { Refusal } from './refusal.ts'
import { isOpen, windowLeftUs } from './window.ts'

export interface LimitSettings {
  /** Charges searches to the package's limits, too. */
  readonly searchCountsTowardPackage: boolean
  readonly penalty: PenaltySettings
}

export const limitDefaults: LimitSettings = { searchCountsTowardPackage: false, penalty: penaltyDefaults }

/** The members of a key that limits need. */
export type Caller = Pick<Key, 'id' | 'partnerId' | 'agreement'>

/** The part of a bucket's state that a usage record keeps; the units are in the record itself. */
export type LimitMark = Omit<LimitState, 'subject' | 'used'>

/**
 * Applies the limits of all keys (SPEC §8). Every call brings its limits, so that a changed agreement applies from the next
 * call on. `nowUs` is always on the process's Timeline. `headers` and `marks` report the state at the time they are called.
 */
export class Limits {
  readonly #settings: LimitSettings
  readonly #tables: Tables = { package: new BucketTable(), search: new BucketTable() }
  readonly #policies = new WeakMap<EffectiveLimits, Record<LimitedBucket, readonly BucketPolicy[]>>()

  constructor(settings: LimitSettings = limitDefaults) {
    this.#settings = settings
  }

  /** Admits a call or refuses it. `least`: the least number of units that it will cost; they have to be left. */
  admit(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number, least = 1): Admission | Refusal {
    const call = { subject: getSubject(caller), policies: this.#policiesFor(limits, bucket), nowUs, least }
    return admit(call, this.#tables, this.#settings.penalty)
  }

  /** Returns the headers of R-11, also for answers to calls that never reached `admit` (403). */
  headers(
    caller: Caller,
    limits: EffectiveLimits,
    bucket: LimitedBucket,
    nowUs: number,
    billed = 0,
  ): Record<string, string> {
    const subject = getSubject(caller)
    const policies = this.#policiesFor(limits, bucket)
    return limitHeaders(
      policies.map(policy => statusOf(subject, policy, this.#tables[policy.bucket], nowUs)),
      billed,
    )
  }

  /** Returns the states that a usage record keeps for the next restart. */
  marks(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number): LimitMark[] {
    const subject = getSubject(caller)
    return this.#policiesFor(limits, bucket).map(policy => {
      const { subject: _, used: __, ...mark } = stateOf(subject, policy.bucket, this.#tables[policy.bucket], nowUs)
      return mark
    })
  }

  /** Iterates over all states that are not idle. */
  *states(nowUs: number): Generator<LimitState> {
    for (const bucket of ['package', 'search'] as const) {
      const table = this.#tables[bucket]
      for (const [subject, slot] of table.entries()) {
        if (!table.isIdle(slot, nowUs)) yield stateOf(subject, bucket, table, nowUs)
      }
    }
  }

  /**
   * Restores the states of the previous process, cut to what R-29 allows. Returns the states that the cut changed, which
   * have to be stored in the ledger before the first call is served.
   */
  restore(states: Iterable<LimitState>, nowUs: number, last: PreviousClock): LimitState[] {
    const changed: LimitState[] = []
    for (const stored of states) {
      const state = restoreState(stored, nowUs, last)
      const table = this.#tables[state.bucket]
      const slot = table.take(state.subject, nowUs)
      table.setTat(slot, state.tatUs)
      table.setWindow(slot, state.windowStartMs, state.used)
      table.setPenalty(slot, this.#settings.penalty.enabled ? state.penalty : undefined)
      if (differs(state, stored)) changed.push(state)
    }
    return changed
  }

  /** Number of remembered subjects, by bucket. */
  get subjectCounts(): Readonly<Record<LimitedBucket, number>> {
    return { package: this.#tables.package.size, search: this.#tables.search.size }
  }

  #policiesFor(limits: EffectiveLimits, bucket: LimitedBucket): readonly BucketPolicy[] {
    let known = this.#policies.get(limits)
    if (!known) {
      const toward = this.#settings.searchCountsTowardPackage
      known = { package: buildPolicies(limits, 'package', toward), search: buildPolicies(limits, 'search', toward) }
      this.#policies.set(limits, known)
    }
    return known[bucket]
  }
}

function statusOf(subject: string, policy: BucketPolicy, table: BucketTable, nowUs: number): BucketStatus {
  const slot = table.find(subject)
  const { intervalUs, burst, quota } = policy
  const tatUs = limitToBurst(table.tatUs(slot), nowUs, intervalUs, burst)
  const promiseUs = getPromiseUs(table, slot)
  const open = isOpen(table.windowStartMs(slot), nowUs / 1000)
  return {
    policy,
    // Before a promised moment no call is admitted.
    rateLeft: promiseUs > nowUs ? 0 : computeCallsLeft(tatUs, nowUs, intervalUs, burst),
    rateResetUs: Math.max(0, tatUs - nowUs, promiseUs - nowUs),
    quotaLeft: open ? Math.max(0, quota - table.used(slot)) : quota,
    quotaResetUs: open ? windowLeftUs(table.windowStartMs(slot), nowUs) : 0,
  }
}

function stateOf(subject: string, bucket: LimitedBucket, table: BucketTable, nowUs: number): LimitState {
  const slot = table.find(subject)
  const tatUs = table.tatUs(slot)
  const penalty = table.penalty(slot)
  return {
    subject,
    bucket,
    windowStartMs: table.windowStartMs(slot),
    used: table.used(slot),
    tatUs: tatUs > nowUs ? tatUs : 0,
    ...(penalty && { penalty }),
  }
}

const differs = (a: LimitState, b: LimitState): boolean =>
  a.windowStartMs !== b.windowStartMs || a.tatUs !== b.tatUs || a.penalty?.promiseUs !== b.penalty?.promiseUs
