import { type Admission, AdmittedCall } from './admission.ts'
import { type BucketStates, getPromiseUs, type Tables } from './bucket-table.ts'
import { computeWaitUs, limitToBurst, spend } from './gcra.ts'
import { ceilSeconds } from './limit-headers.ts'
import type { BucketPolicy } from './limit-policy.ts'
import { addStrike, endEpisode, getEpisodePhase, noEpisode, type PenaltySettings, startEpisode } from './penalty.ts'
import { createRefusal, type Refusal, type RefusingPolicy } from './refusal.ts'
import { isWindowOpen, windowLeftUs } from './window.ts'

/** A call to be admitted or refused. */
export interface LimitRequest {
  readonly subject: string
  /** The policies that must all admit the call. */
  readonly policies: readonly BucketPolicy[]
  readonly nowUs: number
  /** Minimum cost of the call in units; the call is refused if fewer are left. */
  readonly minUnits: number
}

/** The state of one bucket for a call. */
interface BucketView {
  readonly policy: BucketPolicy
  readonly table: BucketStates
  readonly slot: number
  /** True if the call arrives before the promised time. */
  readonly held: boolean
  readonly rateWaitUs: number
  /** Units left in the window. */
  readonly unitsLeft: number
  /** True if the quota is sufficient. */
  readonly fits: boolean
}

/**
 * Checks all policies. If all admit the call, spends a rate token of each; otherwise spends none. One synchronous step.
 */
export function admit(call: LimitRequest, tables: Tables, penalties: PenaltySettings): Admission | Refusal {
  const { subject, nowUs } = call
  const views: BucketView[] = []
  let isAdmitted = true
  for (const policy of call.policies) {
    const view = getView(call, policy, tables[policy.bucket], penalties)
    views.push(view)
    if (view.held || view.rateWaitUs > 0 || !view.fits) isAdmitted = false
  }
  if (!isAdmitted) return refuse(call, views, penalties)
  const tatsUs: number[] = []
  for (const { policy, table } of views) {
    const slot = table.findOrAdd(subject, nowUs)
    const tatUs = policy.spendsRate ? spend(table.tatUs(slot), nowUs, policy.intervalUs) : table.tatUs(slot)
    if (policy.spendsRate) table.setTat(slot, tatUs)
    // SPEC §8.2: the first admitted call opens the window, also if it is not charged.
    if (!isWindowOpen(table.windowStartMs(slot), nowUs / 1000)) table.setWindow(slot, Math.floor(nowUs / 1000), 0)
    tatsUs.push(tatUs)
  }
  return new AdmittedCall(subject, call.policies, tables, tatsUs)
}

/**
 * Reads a bucket for a call. Ends an episode after its promised time, and reduces a state that exceeds changed limits.
 */
function getView(
  call: LimitRequest,
  policy: BucketPolicy,
  table: BucketStates,
  penalties: PenaltySettings,
): BucketView {
  const { subject, nowUs, minUnits } = call
  const slot = table.find(subject)
  if (slot < 0) {
    const { quota } = policy
    return { policy, table, slot, held: false, rateWaitUs: 0, unitsLeft: quota, fits: minUnits <= quota }
  }
  const { intervalUs, burst, quota } = policy
  const used = isWindowOpen(table.windowStartMs(slot), nowUs / 1000) ? table.used(slot) : 0
  const unitsLeft = Math.max(0, quota - used)
  const fits = used + minUnits <= quota
  if (!policy.spendsRate) return { policy, table, slot, held: false, rateWaitUs: 0, unitsLeft, fits }
  const tatUs = limitToBurst(table.tatUs(slot), nowUs, intervalUs, burst)
  table.setTat(slot, tatUs)
  const penalty = table.penalty(slot)
  const phase = getEpisodePhase(penalty, nowUs, penalties.graceUs)
  if (phase === 'due') table.setPenalty(slot, endEpisode(penalty!))
  const held = phase === 'held'
  return { policy, table, slot, held, rateWaitUs: computeWaitUs(tatUs, nowUs, intervalUs, burst), unitsLeft, fits }
}

/** Creates a refusal that lists every policy that refuses, with a wait that satisfies all of them. */
function refuse({ nowUs, minUnits }: LimitRequest, views: readonly BucketView[], penalties: PenaltySettings): Refusal {
  const refusing: RefusingPolicy[] = []
  let waitUs = 1
  for (const { policy, table, slot, held, rateWaitUs, unitsLeft, fits } of views) {
    if (held) {
      table.setPenalty(slot, addStrike(table.penalty(slot)!, nowUs, penalties))
      refusing.push({ policy, reason: 'penalty' })
    } else if (rateWaitUs > 0) refusing.push({ policy, reason: 'rate' })
    if (!fits) {
      refusing.push({ policy, reason: { unitsLeft } })
      waitUs = Math.max(waitUs, windowLeftUs(table.windowStartMs(slot), nowUs))
    }
    // Regardless of the policy that refuses, the next call must wait for the bucket and for a promise.
    if (policy.spendsRate) waitUs = Math.max(waitUs, rateWaitUs, getPromiseUs(table, slot) - nowUs)
  }
  const retryAfterS = ceilSeconds(waitUs)
  // A refusal by the daily quota does not start an episode.
  if (penalties.enabled && views.every(({ fits }) => fits)) storePromise(views, nowUs, retryAfterS)
  const never = views.some(({ policy }) => minUnits > policy.quota)
  return createRefusal(refusing, minUnits, never ? undefined : retryAfterS)
}

/** Stores the time promised by Retry-After in every bucket that refused by its rate. */
function storePromise(views: readonly BucketView[], nowUs: number, retryAfterS: number): void {
  const promiseUs = nowUs + retryAfterS * 1_000_000
  for (const { table, slot, rateWaitUs } of views) {
    if (rateWaitUs === 0) continue
    const penalty = table.penalty(slot)
    if (!penalty || penalty.promiseUs === noEpisode) table.setPenalty(slot, startEpisode(penalty, nowUs, promiseUs))
    // Keep an existing promise, unless the bucket itself needs longer.
    else if (nowUs + rateWaitUs > penalty.promiseUs) table.setPenalty(slot, { ...penalty, promiseUs })
  }
}
