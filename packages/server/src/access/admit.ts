import { type Admission, AdmittedCall } from './admission.ts'
import { type BucketTable, getPromiseUs, type Tables } from './bucket-table.ts'
import { computeWaitUs, limitToBurst, spend } from './gcra.ts'
import { ceilSeconds } from './limit-headers.ts'
import type { BucketPolicy, PolicyName } from './limit-policy.ts'
import { endEpisode, episodePhase, noEpisode, type PenaltySettings, startEpisode, strike } from './penalty.ts'
import { createRefusal, type Refusal } from './refusal.ts'
import { isOpen, windowLeftUs } from './window.ts'

/** A call that asks the limits for admission. */
export interface LimitRequest {
  readonly subject: string
  /** Every policy has to admit the call. */
  readonly policies: readonly BucketPolicy[]
  readonly nowUs: number
  /** The least number of units that the call will cost; they have to be left. */
  readonly least: number
}

/** The view of one bucket on a call. */
interface BucketView {
  readonly policy: BucketPolicy
  readonly table: BucketTable
  readonly slot: number
  /** The call arrives before the promised moment. */
  readonly held: boolean
  readonly rateWaitUs: number
  readonly fits: boolean
}

/** Checks all policies, then spends a rate token of each, or of no policy. One synchronous step. */
export function admit(call: LimitRequest, tables: Tables, penalties: PenaltySettings): Admission | Refusal {
  const views = call.policies.map(policy => viewOf(call, policy, tables[policy.bucket], penalties))
  if (views.some(({ held, rateWaitUs, fits }) => held || rateWaitUs > 0 || !fits)) return refuse(call, views, penalties)
  const { subject, nowUs } = call
  for (const { policy, table } of views) {
    const slot = table.take(subject, nowUs)
    table.setTat(slot, spend(table.tatUs(slot), nowUs, policy.intervalUs))
    // SPEC §8.2: the first admitted call opens the window, whatever it is charged.
    if (!isOpen(table.windowStartMs(slot), nowUs / 1000)) table.setWindow(slot, Math.floor(nowUs / 1000), 0)
  }
  return new AdmittedCall(subject, call.policies, tables)
}

/** Reads a bucket for a call. Ends an episode whose promise was kept, and cuts a state that exceeds changed limits. */
function viewOf(call: LimitRequest, policy: BucketPolicy, table: BucketTable, penalties: PenaltySettings): BucketView {
  const { subject, nowUs, least } = call
  const slot = table.find(subject)
  if (slot < 0) return { policy, table, slot, held: false, rateWaitUs: 0, fits: least <= policy.quota }
  const { intervalUs, burst, quota } = policy
  const tatUs = limitToBurst(table.tatUs(slot), nowUs, intervalUs, burst)
  table.setTat(slot, tatUs)
  const penalty = table.penalty(slot)
  const phase = episodePhase(penalty, nowUs, penalties.graceUs)
  if (phase === 'due') table.setPenalty(slot, endEpisode(penalty!))
  const used = isOpen(table.windowStartMs(slot), nowUs / 1000) ? table.used(slot) : 0
  return {
    policy,
    table,
    slot,
    held: phase === 'held',
    rateWaitUs: computeWaitUs(tatUs, nowUs, intervalUs, burst),
    fits: used + least <= quota,
  }
}

/** Names every policy that refuses, and the wait that satisfies all of them. */
function refuse({ nowUs, least }: LimitRequest, views: readonly BucketView[], penalties: PenaltySettings): Refusal {
  const refused = new Set<PolicyName>()
  let waitUs = 1
  for (const { policy, table, slot, held, rateWaitUs, fits } of views) {
    if (held) {
      table.setPenalty(slot, strike(table.penalty(slot)!, nowUs, penalties))
      refused.add('penalty')
    } else if (rateWaitUs > 0) refused.add(policy.rateName)
    if (!fits) {
      refused.add(policy.dailyName)
      waitUs = Math.max(waitUs, windowLeftUs(table.windowStartMs(slot), nowUs))
    }
    // Whichever policy refuses, the next call must wait for the bucket and for a promise.
    waitUs = Math.max(waitUs, rateWaitUs, getPromiseUs(table, slot) - nowUs)
  }
  const retryAfterS = ceilSeconds(waitUs)
  // A refusal by the daily quota is not a tight loop.
  if (penalties.enabled && views.every(({ fits }) => fits)) promise(views, nowUs, retryAfterS)
  const never = views.some(({ policy }) => least > policy.quota)
  return createRefusal([...refused], never ? undefined : retryAfterS)
}

/** Stores the moment of Retry-After in every bucket that refused by its rate. */
function promise(views: readonly BucketView[], nowUs: number, retryAfterS: number): void {
  const promiseUs = nowUs + retryAfterS * 1_000_000
  for (const { table, slot, rateWaitUs } of views) {
    if (rateWaitUs === 0) continue
    const penalty = table.penalty(slot)
    if (!penalty || penalty.promiseUs === noEpisode) table.setPenalty(slot, startEpisode(penalty, nowUs, promiseUs))
    // An existing promise is kept, unless the bucket itself needs longer.
    else if (nowUs + rateWaitUs > penalty.promiseUs) table.setPenalty(slot, { ...penalty, promiseUs })
  }
}
