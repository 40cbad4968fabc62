import type { BucketPolicy, PolicyName } from './limit-policy.ts'

/** What is left of the two policies of one bucket. */
export interface BucketStanding {
  readonly policy: BucketPolicy
  /** Calls that conform at once, and microseconds until the burst is whole again (0: it is). */
  readonly rateLeft: number
  readonly rateResetUs: number
  /** Units left, and microseconds until the window is over (0: no window is open). */
  readonly quotaLeft: number
  readonly quotaResetUs: number
}

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, R-11): `q` units in `w` seconds, `r` left,
 * `t` seconds until all are back. `t` is left out when nothing has been used; an unlimited policy is left out.
 */
export function limitHeaders(standings: readonly BucketStanding[], billedUnits: number): Record<string, string> {
  let policies = ''
  let states = ''
  for (const { policy, rateLeft, rateResetUs, quotaLeft, quotaResetUs } of standings) {
    const comma = policies === '' ? '' : ', '
    policies += comma + policy.told
    states += comma + state(policy.rateName, rateLeft, rateResetUs)
    if (policy.quota !== Number.POSITIVE_INFINITY) states += `, ${state(policy.dailyName, quotaLeft, quotaResetUs)}`
  }
  return { 'RateLimit-Policy': policies, RateLimit: states, 'X-Billed-Units': String(billedUnits) }
}

const state = (name: PolicyName, left: number, resetUs: number): string =>
  resetUs > 0 ? `"${name}";r=${left};t=${wholeSeconds(resetUs)}` : `"${name}";r=${left}`

/** Rounded up, so that waiting as long as was said is always enough. */
export const wholeSeconds = (us: number): number => Math.ceil(us / 1_000_000)
