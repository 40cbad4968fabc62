import { sessionBounds } from '../domain/autocomplete-session.ts'
import {
  neverFitsSentence,
  penaltySentence,
  quotaNames,
  rateSentence,
  splitCall,
  units,
} from '../domain/limit-words.ts'
import { formatCount, formatNumber } from '../kit/format-number.ts'
import type { BucketPolicy, PolicyName } from './limit-policy.ts'

/** The refusal of a call by a limit (429). Nothing was charged. */
export interface Refusal {
  readonly refused: readonly PolicyName[]
  /** Seconds after which the same call is admitted; undefined if it can never be admitted. */
  readonly retryAfterS?: number
  readonly detail: string
}

/** Wait of a call that cannot open a session, in seconds: sessions end after some minutes. */
const sessionRetryS = 60

/** Creates the refusal of a call that would open one session too many. */
export const refuseSession = (): Refusal => ({
  refused: ['sessions'],
  retryAfterS: sessionRetryS,
  detail:
    `The service has ${formatNumber(sessionBounds.open)} open sessions of autocomplete, as many as it keeps. ` +
    `Wait ${sessionRetryS} s, or send the call without a session, at one unit a call.`,
})

/** A policy that refuses a call, and its reason. */
export interface RefusingPolicy {
  readonly policy: BucketPolicy
  /** `rate`: too fast. `penalty`: before the promised time. Otherwise the units that are left of the quota. */
  readonly reason: 'rate' | 'penalty' | { readonly unitsLeft: number }
}

/**
 * Creates a refusal whose message states each limit in words. `retryAfterS` is undefined if the call costs more than an
 * entire quota. `cost` is the cost of the call in units, or the minimum cost if it is not known yet.
 */
export function createRefusal(
  refusing: readonly RefusingPolicy[],
  cost: number,
  retryAfterS: number | undefined,
): Refusal {
  const refused = [...new Set(refusing.map(getName))]
  if (retryAfterS === undefined) {
    const { policy } = refusing.find(one => cost > one.policy.quota)!
    return { refused, detail: `${neverFitsSentence(cost, quotaNames[policy.bucket], policy.quota)} ${splitCall}` }
  }
  const reasons = new Set(refusing.map(one => describe(one, cost)))
  return { refused, retryAfterS, detail: `${[...reasons].join(' ')} Wait ${retryAfterS} s.` }
}

function getName({ policy, reason }: RefusingPolicy): PolicyName {
  if (reason === 'penalty') return 'penalty'
  return reason === 'rate' ? policy.rateName : policy.dailyName
}

function describe({ policy, reason }: RefusingPolicy, cost: number): string {
  if (reason === 'rate') return rateSentence(policy.rateText)
  if (reason === 'penalty') return penaltySentence(policy.rateText)
  const quota = `The ${quotaNames[policy.bucket]} of ${formatCount(policy.quota, ...units)}`
  return reason.unitsLeft === 0
    ? `${quota} is used up.`
    : `${quota} has ${formatNumber(reason.unitsLeft)} left, and the call needs ${formatNumber(cost)}.`
}
