import type { Key } from '../domain/key.ts'
import type { Admission } from './admission.ts'
import { admit } from './admit.ts'
import { BucketTable, promiseOf, type Tables } from './bucket-table.ts'
import { cutToBurst, leftOf } from './gcra.ts'
import type { EffectiveLimits } from './grant.ts'
import { type BucketStanding, limitHeaders } from './limit-headers.ts'
import { type BucketPolicy, type LimitedBucket, policiesOf } from './limit-policy.ts'
import { type LastSeen, type LimitState, settleOnLoad, subjectOf } from './limit-state.ts'
import { type PenaltySettings, penaltyDefaults } from './penalty.ts'
import type { Refusal } from './refusal.ts'
import { isOpen, windowLeftUs } from './window.ts'

export interface LimitSettings {
  /** */
  readonly searchCountsTowardPackage: boolean
  readonly penalty: PenaltySettings
}

export const limitDefaults: LimitSettings = { searchCountsTowardPackage: false, penalty: penaltyDefaults }

/** Who calls: as much of a key as limits need. */
export type Caller = Pick<Key, 'id' | 'partnerId' | 'agreement'>

/** The part of a bucket's state that a call leaves in its usage record; the units are in the record itself. */
export type LimitMark = Omit<LimitState, 'subject' | 'used'>

/**
 * The limits of all keys (SPEC §8). Limits come with every call, so that a changed agreement counts from the next one.
 * `nowUs` is always on the process's Timeline. A reading of `headers` or `marks` after a call tells the state after it.
 */
export class Limits {
  readonly #settings: LimitSettings
  readonly #tables: Tables = { package: new BucketTable(), search: new BucketTable() }
  readonly #policies = new WeakMap<EffectiveLimits, Record<LimitedBucket, readonly BucketPolicy[]>>()

  constructor(settings: LimitSettings = limitDefaults) {
    this.#settings = settings
  }

  /** Lets a call in or refuses it. `least`: units that it will cost at least, and that have to be left. */
  admit(who: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number, least = 1): Admission | Refusal {
    const call = { subject: subjectOf(who), policies: this.#policiesFor(limits, bucket), nowUs, least }
    return admit(call, this.#tables, this.#settings.penalty)
  }

  /** The headers of R-11; also for answers to a key that never came to `admit` (403). */
  headers(
    who: Caller,
    limits: EffectiveLimits,
    bucket: LimitedBucket,
    nowUs: number,
    billed = 0,
  ): Record<string, string> {
    const subject = subjectOf(who)
    const policies = this.#policiesFor(limits, bucket)
    return limitHeaders(
      policies.map(policy => standing(subject, policy, this.#tables[policy.bucket], nowUs)),
      billed,
    )
  }

  /** What a usage record carries, so that a restart knows it again. */
  marks(who: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number): LimitMark[] {
    const subject = subjectOf(who)
    return this.#policiesFor(limits, bucket).map(policy => {
      const { subject: _, used: __, ...mark } = stateOf(subject, policy.bucket, this.#tables[policy.bucket], nowUs)
      return mark
    })
  }

  /** Every state that is not idle. */
  *states(nowUs: number): Generator<LimitState> {
    for (const bucket of ['package', 'search'] as const) {
      const table = this.#tables[bucket]
      for (const [subject, slot] of table.entries()) {
        if (!table.isIdle(slot, nowUs)) yield stateOf(subject, bucket, table, nowUs)
      }
    }
  }

  /**
   * Takes over the states of the process before, cut to what R-29 allows. Gives back those that this has changed, for
   * the ledger to be told before the first call is served.
   */
  restore(states: Iterable<LimitState>, nowUs: number, last: LastSeen): LimitState[] {
    const changed: LimitState[] = []
    for (const stored of states) {
      const state = settleOnLoad(stored, nowUs, last)
      const table = this.#tables[state.bucket]
      const slot = table.take(state.subject, nowUs)
      table.setTat(slot, state.tatUs)
      table.setWindow(slot, state.windowStartMs, state.used)
      table.setPenalty(slot, this.#settings.penalty.enabled ? state.penalty : undefined)
      if (differs(state, stored)) changed.push(state)
    }
    return changed
  }

  /** How many subjects are remembered, by bucket. */
  get remembered(): Readonly<Record<LimitedBucket, number>> {
    return { package: this.#tables.package.size, search: this.#tables.search.size }
  }

  #policiesFor(limits: EffectiveLimits, bucket: LimitedBucket): readonly BucketPolicy[] {
    let known = this.#policies.get(limits)
    if (!known) {
      const toward = this.#settings.searchCountsTowardPackage
      known = { package: policiesOf(limits, 'package', toward), search: policiesOf(limits, 'search', toward) }
      this.#policies.set(limits, known)
    }
    return known[bucket]
  }
}

function standing(subject: string, policy: BucketPolicy, table: BucketTable, nowUs: number): BucketStanding {
  const slot = table.find(subject)
  const { intervalUs, burst, quota } = policy
  const tatUs = cutToBurst(table.tatUs(slot), nowUs, intervalUs, burst)
  const promiseUs = promiseOf(table, slot)
  const open = isOpen(table.windowStartMs(slot), nowUs / 1000)
  return {
    policy,
    // While a promise stands, nothing is left to spend before it.
    rateLeft: promiseUs > nowUs ? 0 : leftOf(tatUs, nowUs, intervalUs, burst),
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
