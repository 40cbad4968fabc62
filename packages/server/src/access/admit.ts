import { type Admission, AdmittedCall } from './admission.ts'
import { type BucketTable, promiseOf, type Tables } from './bucket-table.ts'
import { cutToBurst, spend, waitOf } from './gcra.ts'
import { wholeSeconds } from './limit-headers.ts'
import type { BucketPolicy, PolicyName } from './limit-policy.ts'
import { begin, noEpisode, type PenaltySettings, settle, standingOf, strike } from './penalty.ts'
import { type Refusal, refusal } from './refusal.ts'
import { isOpen, windowLeftUs } from './window.ts'

/** A call that asks to be let in. */
export interface Asking {
  readonly subject: string
  /** All have to let it in. */
  readonly policies: readonly BucketPolicy[]
  readonly nowUs: number
  /** Units that it will cost at least, and that have to be left. */
  readonly least: number
}

/** How one bucket sees a call. */
interface Look {
  readonly policy: BucketPolicy
  readonly table: BucketTable
  readonly slot: number
  /** It comes before the promised moment. */
  readonly held: boolean
  readonly rateWaitUs: number
  readonly fits: boolean
}

/** Looks at all policies, then takes a rate token of all or of none. One step, without an await. */
export function admit(call: Asking, tables: Tables, penalties: PenaltySettings): Admission | Refusal {
  const looks = call.policies.map(policy => look(call, policy, tables[policy.bucket], penalties))
  if (looks.some(({ held, rateWaitUs, fits }) => held || rateWaitUs > 0 || !fits)) return refuse(call, looks, penalties)
  const { subject, nowUs } = call
  for (const { policy, table } of looks) {
    const slot = table.take(subject, nowUs)
    table.setTat(slot, spend(table.tatUs(slot), nowUs, policy.intervalUs))
    // SPEC §8.2: the first admitted call opens the window, whatever it will be charged.
    if (!isOpen(table.windowStartMs(slot), nowUs / 1000)) table.setWindow(slot, Math.floor(nowUs / 1000), 0)
  }
  return new AdmittedCall(subject, call.policies, tables)
}

/** Ends an episode whose promise is kept, and cuts what a changed limit left too far ahead. */
function look(call: Asking, policy: BucketPolicy, table: BucketTable, penalties: PenaltySettings): Look {
  const { subject, nowUs, least } = call
  const slot = table.find(subject)
  if (slot < 0) return { policy, table, slot, held: false, rateWaitUs: 0, fits: least <= policy.quota }
  const { intervalUs, burst, quota } = policy
  const tatUs = cutToBurst(table.tatUs(slot), nowUs, intervalUs, burst)
  table.setTat(slot, tatUs)
  const penalty = table.penalty(slot)
  const standing = standingOf(penalty, nowUs, penalties.graceUs)
  if (standing === 'due') table.setPenalty(slot, settle(penalty!))
  const used = isOpen(table.windowStartMs(slot), nowUs / 1000) ? table.used(slot) : 0
  return {
    policy,
    table,
    slot,
    held: standing === 'held',
    rateWaitUs: waitOf(tatUs, nowUs, intervalUs, burst),
    fits: used + least <= quota,
  }
}

/** Names every policy that refuses, and the wait that satisfies them all. */
function refuse({ nowUs, least }: Asking, looks: readonly Look[], penalties: PenaltySettings): Refusal {
  const refused = new Set<PolicyName>()
  let waitUs = 1
  for (const { policy, table, slot, held, rateWaitUs, fits } of looks) {
    if (held) {
      table.setPenalty(slot, strike(table.penalty(slot)!, nowUs, penalties))
      refused.add('penalty')
    } else if (rateWaitUs > 0) refused.add(policy.rateName)
    if (!fits) {
      refused.add(policy.dailyName)
      waitUs = Math.max(waitUs, windowLeftUs(table.windowStartMs(slot), nowUs))
    }
    // Whatever refuses, the next call is to come neither before the bucket nor before a promise.
    waitUs = Math.max(waitUs, rateWaitUs, promiseOf(table, slot) - nowUs)
  }
  const retryAfterS = wholeSeconds(waitUs)
  // What the day's quota refuses is no tight loop.
  if (penalties.enabled && looks.every(({ fits }) => fits)) promise(looks, nowUs, retryAfterS)
  const never = looks.some(({ policy }) => least > policy.quota)
  return refusal([...refused], never ? undefined : retryAfterS)
}

/** Every bucket that refused by its rate remembers the moment that Retry-After leads to. */
function promise(looks: readonly Look[], nowUs: number, retryAfterS: number): void {
  const promiseUs = nowUs + retryAfterS * 1_000_000
  for (const { table, slot, rateWaitUs } of looks) {
    if (rateWaitUs === 0) continue
    const penalty = table.penalty(slot)
    if (!penalty || penalty.promiseUs === noEpisode) table.setPenalty(slot, begin(penalty, nowUs, promiseUs))
    // A promise that stands is kept, unless the bucket itself needs longer.
    else if (nowUs + rateWaitUs > penalty.promiseUs) table.setPenalty(slot, { ...penalty, promiseUs })
  }
}
