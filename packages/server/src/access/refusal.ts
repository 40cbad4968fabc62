import type { BucketPolicy, PolicyName } from './limit-policy.ts'
import { formatAmount, formatCount, units } from './limit-words.ts'

/** The refusal of a call by a limit (429). Nothing was charged. */
export interface Refusal {
  readonly refused: readonly PolicyName[]
  /** Seconds after which the same call is admitted; undefined if it can never be admitted. */
  readonly retryAfterS?: number
  readonly detail: string
}

/** A policy that refuses a call, and its reason. */
export interface RefusingPolicy {
  readonly policy: BucketPolicy
  /** `rate`: too fast. `penalty`: before the promised time. Otherwise the units that are left of the quota. */
  readonly reason: 'rate' | 'penalty' | { readonly unitsLeft: number }
}

/**
 * Creates a refusal whose message states each limit in words. `retryAfterS` is undefined if the call costs more than an entire
 * quota. `cost` is the cost of the call in units, or the minimum cost if it is not known yet.
 */
export function createRefusal(
  refusing: readonly RefusingPolicy[],
  cost: number,
  retryAfterS: number | undefined,
): Refusal {
  const refused = [...new Set(refusing.map(getName))]
  if (retryAfterS === undefined) {
    const { policy } = refusing.find(one => cost > one.policy.quota)!
    const excess = `The call costs ${formatAmount(cost, units)}, more than the entire ${nameQuota(policy)} of ${formatCount(policy.quota)}.`
    return { refused, detail: `${excess} Split it into smaller calls.` }
  }
  const reasons = new Set(refusing.map(one => describe(one, cost)))
  return { refused, retryAfterS, detail: `${[...reasons].join(' ')} Wait ${retryAfterS} s.` }
}

function getName({ policy, reason }: RefusingPolicy): PolicyName {
  if (reason === 'penalty') return 'penalty'
  return reason === 'rate' ? policy.rateName : policy.dailyName
}

function describe({ policy, reason }: RefusingPolicy, cost: number): string {
  if (reason === 'rate') return `The limit is ${policy.rateText}.`
  if (reason === 'penalty')
    return `Calls before the time given in Retry-After extend the wait. The limit is ${policy.rateText}.`
  const quota = `The ${nameQuota(policy)} of ${formatAmount(policy.quota, units)}`
  return reason.unitsLeft === 0
    ? `${quota} is used up.`
    : `${quota} has ${formatCount(reason.unitsLeft)} left, and the call needs ${formatCount(cost)}.`
}

const nameQuota = ({ bucket }: BucketPolicy): string => (bucket === 'search' ? 'daily search quota' : 'daily quota')
