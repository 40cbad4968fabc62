import type { Key } from '../domain/key.ts'
import { BucketTable } from './bucket-table.ts'
import { cutToBurst, leftOf, spend, waitOf } from './gcra.ts'
import type { EffectiveLimits } from './grant.ts'
import { type BucketStanding, limitHeaders, wholeSeconds } from './limit-headers.ts'
import { type BucketPolicy, type LimitedBucket, type PolicyName, policiesOf } from './limit-policy.ts'
import { type LimitState, settleOnLoad, subjectOf } from './limit-state.ts'
import { begin, noEpisode, type PenaltySettings, penaltyDefaults, settle, standingOf, strike } from './penalty.ts'
import { isOpen, windowLeftUs } from './window.ts'

export interface LimitSettings {
  /** */
  readonly searchCountsTowardPackage: boolean
  readonly penalty: PenaltySettings
}

export const limitDefaults: LimitSettings = { searchCountsTowardPackage: false, penalty: penaltyDefaults }

/** A call that a limit refuses (429). Nothing was charged. */
export interface Refusal {
  readonly refused: readonly PolicyName[]
  /** Whole seconds after which the same call is served; absent when it never fits. */
  readonly retryAfterS?: number
  readonly detail: string
}

/** The part of a bucket's state that a call leaves behind in its usage record; the units are in the record itself. */
export type LimitMark = Omit<LimitState, 'subject' | 'used'>

export type Caller = Pick<Key, 'id' | 'partnerId' | 'agreement'>

/** A call that was let in and has spent its rate token; its units follow when they are known. */
export interface Admission {
  readonly refused?: never
  /** Takes the units from every quota, or from none and says why. A second charge answers as the first did. */
  charge(units: number, nowUs: number): Refusal | undefined
  /** Gives the units back when their record could not be written: what is not in the journal was not used. */
  release(): void
}

/**
 * The limits of all keys (SPEC §8). `admit` and `charge` each look at all policies and then charge all or none, with
 * no await inside. Limits come with every call, so that a changed agreement counts from the next one. `nowUs` is on a
 * Timeline.
 */
export class Limits {
  readonly #settings: LimitSettings
  readonly #tables: Readonly<Record<LimitedBucket, BucketTable>> = { package: new BucketTable(), search: new BucketTable() }
  readonly #policies = new WeakMap<EffectiveLimits, Record<LimitedBucket, readonly BucketPolicy[]>>()

  constructor(settings: LimitSettings = limitDefaults) {
    this.#settings = settings
  }

  /** Lets a call in or refuses it. `least`: units that it will cost at least, which have to be left. */
  admit(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number, least = 1): Admission | Refusal {
    const subject = subjectOf(caller)
    const policies = this.#policiesFor(limits, bucket)
    const looks = policies.map(policy => this.#look(subject, policy, nowUs, least))
    if (looks.some(look => look.held || look.rateWaitUs > 0 || !look.fits)) return this.#refuse(subject, looks, nowUs, least)
    for (const { policy } of looks) {
      const table = this.#tables[policy.bucket]
      const slot = table.take(subject, nowUs)
      table.setTat(slot, spend(table.tatUs(slot), nowUs, policy.intervalUs))
      // SPEC §8.2: the first admitted call opens the window, whatever it will be charged.
      if (!isOpen(table.windowStartMs(slot), nowUs / 1000)) table.setWindow(slot, Math.floor(nowUs / 1000), 0)
    }
    return new AdmittedCall(subject, policies, this.#tables)
  }

  /** The limit headers that tell the state after a call; also for calls that never came to `admit`. */
  headers(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number, billedUnits = 0): Record<string, string> {
    const subject = subjectOf(caller)
    return limitHeaders(
      this.#policiesFor(limits, bucket).map(policy => this.#standing(subject, policy, nowUs)),
      billedUnits,
    )
  }

  /** What a usage record carries, so that a restart knows it again. */
  marks(caller: Caller, limits: EffectiveLimits, bucket: LimitedBucket, nowUs: number): LimitMark[] {
    const subject = subjectOf(caller)
    return this.#policiesFor(limits, bucket).map(policy => {
      const { subject: _, used: __, ...mark } = this.#state(subject, policy.bucket, nowUs)
      return mark
    })
  }

  /** Every state that is not idle. */
  *states(nowUs: number): Generator<LimitState> {
    for (const bucket of ['package', 'search'] as const) {
      const table = this.#tables[bucket]
      for (const [subject, slot] of table.entries()) {
        if (!table.isIdle(slot, nowUs)) yield this.#state(subject, bucket, nowUs)
      }
    }
  }

  /**
   * Takes over the states of the process before, cut to what R-29 allows. Gives back those that changed by that, for
   * the ledger to be told before anything is served.
   */
  restore(states: Iterable<LimitState>, nowUs: number, shiftMs: number): LimitState[] {
    const changed: LimitState[] = []
    for (const stored of states) {
      const state = settleOnLoad(stored, nowUs, shiftMs)
      const table = this.#tables[state.bucket]
      const slot = table.take(state.subject, nowUs)
      table.setTat(slot, state.tatUs)
      table.setWindow(slot, state.windowStartMs, state.used)
      table.setPenalty(slot, state.penalty)
      if (shiftMs !== 0 || state.windowStartMs !== stored.windowStartMs) changed.push(state)
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

  /** One bucket's view of a call; ends an episode whose promise is kept, and cuts what a changed limit left too far. */
  #look(subject: string, policy: BucketPolicy, nowUs: number, least: number): Look {
    const table = this.#tables[policy.bucket]
    const slot = table.find(subject)
    const { intervalUs, burst, quota } = policy
    if (slot < 0) return { policy, held: false, rateWaitUs: 0, fits: least <= quota }
    const tatUs = cutToBurst(table.tatUs(slot), nowUs, intervalUs, burst)
    table.setTat(slot, tatUs)
    const penalty = table.penalty(slot)
    const standing = standingOf(penalty, nowUs, this.#settings.penalty)
    if (standing === 'due') table.setPenalty(slot, settle(penalty!))
    const used = isOpen(table.windowStartMs(slot), nowUs / 1000) ? table.used(slot) : 0
    return {
      policy,
      held: standing === 'held',
      rateWaitUs: waitOf(tatUs, nowUs, intervalUs, burst),
      fits: used + least <= quota,
    }
  }

  #refuse(subject: string, looks: readonly Look[], nowUs: number, least: number): Refusal {
    const refused = new Set<PolicyName>()
    let waitUs = 1
    let never = false
    for (const { policy, held, rateWaitUs, fits } of looks) {
      const table = this.#tables[policy.bucket]
      const slot = table.find(subject)
      if (held) {
        const struck = strike(table.penalty(slot)!, nowUs, this.#settings.penalty)
        table.setPenalty(slot, struck)
        refused.add('penalty')
        waitUs = Math.max(waitUs, struck.promiseUs - nowUs, rateWaitUs)
      } else if (rateWaitUs > 0) {
        refused.add(policy.rateName)
        const promiseUs = table.penalty(slot)?.promiseUs ?? noEpisode
        waitUs = Math.max(waitUs, rateWaitUs, promiseUs - nowUs)
      }
      if (!fits) {
        refused.add(policy.dailyName)
        waitUs = Math.max(waitUs, windowLeftUs(table.windowStartMs(slot), nowUs))
        never ||= least > policy.quota
      }
    }
    const retryAfterS = wholeSeconds(waitUs)
    // what the day's quota refuses is no tight loop.
    if (looks.every(look => look.fits)) this.#promise(subject, looks, nowUs, retryAfterS)
    return refusal([...refused], never ? undefined : retryAfterS)
  }

  /** Every bucket that refused by its rate remembers what was promised, the moment that Retry-After leads to. */
  #promise(subject: string, looks: readonly Look[], nowUs: number, retryAfterS: number): void {
    if (!this.#settings.penalty.enabled) return
    for (const { policy, rateWaitUs } of looks) {
      if (rateWaitUs === 0) continue
      const table = this.#tables[policy.bucket]
      const slot = table.find(subject)
      const penalty = table.penalty(slot)
      const sentUs = nowUs + retryAfterS * 1_000_000
      if (!penalty || penalty.promiseUs === noEpisode) table.setPenalty(slot, begin(penalty, nowUs, sentUs))
      // A promise that stands is kept, unless the bucket itself needs longer.
      else if (nowUs + rateWaitUs > penalty.promiseUs) table.setPenalty(slot, { ...penalty, promiseUs: sentUs })
    }
  }

  #standing(subject: string, policy: BucketPolicy, nowUs: number): BucketStanding {
    const table = this.#tables[policy.bucket]
    const slot = table.find(subject)
    const { intervalUs, burst, quota } = policy
    const tatUs = cutToBurst(table.tatUs(slot), nowUs, intervalUs, burst)
    // While a promise stands, nothing is left to spend before it.
    const promiseUs = (this.#settings.penalty.enabled && table.penalty(slot)?.promiseUs) || noEpisode
    const open = isOpen(table.windowStartMs(slot), nowUs / 1000)
    return {
      policy,
      rateLeft: promiseUs > nowUs ? 0 : leftOf(tatUs, nowUs, intervalUs, burst),
      rateResetUs: Math.max(0, tatUs - nowUs, promiseUs - nowUs),
      quotaLeft: open ? Math.max(0, quota - table.used(slot)) : quota,
      quotaResetUs: open ? windowLeftUs(table.windowStartMs(slot), nowUs) : 0,
    }
  }

  #state(subject: string, bucket: LimitedBucket, nowUs: number): LimitState {
    const table = this.#tables[bucket]
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
}

interface Look {
  readonly policy: BucketPolicy
  /** Called before the promised moment. */
  readonly held: boolean
  readonly rateWaitUs: number
  readonly fits: boolean
}

class AdmittedCall implements Admission {
  readonly #subject: string
  readonly #policies: readonly BucketPolicy[]
  readonly #tables: Readonly<Record<LimitedBucket, BucketTable>>
  /** What was charged to which window. */
  #charged: { readonly table: BucketTable; readonly windowStartMs: number }[] = []
  #units = 0
  #outcome: Refusal | undefined | 'not charged' = 'not charged'

  constructor(subject: string, policies: readonly BucketPolicy[], tables: Readonly<Record<LimitedBucket, BucketTable>>) {
    this.#subject = subject
    this.#policies = policies
    this.#tables = tables
  }

  charge(units: number, nowUs: number): Refusal | undefined {
    if (this.#outcome !== 'not charged') return this.#outcome
    const full = this.#policies.filter(policy => !this.#fits(policy, units))
    this.#outcome = full.length === 0 ? undefined : this.#tooMany(full, units, nowUs)
    if (full.length === 0) this.#add(units)
    return this.#outcome
  }

  release(): void {
    for (const { table, windowStartMs } of this.#charged) {
      const slot = table.find(this.#subject)
      if (table.windowStartMs(slot) === windowStartMs) table.setWindow(slot, windowStartMs, table.used(slot) - this.#units)
    }
    this.#charged = []
  }

  /** The window is the one of the admission, or a newer one that another call has opened since. */
  #fits(policy: BucketPolicy, units: number): boolean {
    const table = this.#tables[policy.bucket]
    return units === 0 || table.used(table.find(this.#subject)) + units <= policy.quota
  }

  #add(units: number): void {
    this.#units = units
    for (const { bucket } of this.#policies) {
      const table = this.#tables[bucket]
      const slot = table.find(this.#subject)
      if (slot < 0 || units === 0) continue
      const windowStartMs = table.windowStartMs(slot)
      table.setWindow(slot, windowStartMs, table.used(slot) + units)
      this.#charged.push({ table, windowStartMs })
    }
  }

  #tooMany(full: readonly BucketPolicy[], units: number, nowUs: number): Refusal {
    const never = full.some(policy => units > policy.quota)
    const waits = full.map(({ bucket }) => {
      const table = this.#tables[bucket]
      return windowLeftUs(table.windowStartMs(table.find(this.#subject)), nowUs)
    })
    const names = full.map(policy => policy.dailyName)
    return refusal(names, never ? undefined : Math.max(1, wholeSeconds(Math.max(...waits))))
  }
}

function refusal(refused: readonly PolicyName[], retryAfterS: number | undefined): Refusal {
  if (retryAfterS === undefined) {
    return { refused, detail: 'The call costs more units than the whole daily quota. Split it into smaller calls.' }
  }
  const why = refused.includes('penalty')
    ? 'Calls came before the time that Retry-After had named, which extends the wait.'
    : refused.some(name => name === 'daily' || name === 'search-daily')
      ? 'The daily quota does not suffice for this call.'
      : 'Calls come faster than the limit allows.'
  return { refused, retryAfterS, detail: `${why} Wait ${retryAfterS} s.` }
}

