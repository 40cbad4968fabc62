import type { BucketPolicy, PolicyName } from './limit-policy.ts'

/** Remaining rate and quota of one bucket. */
export interface BucketStatus {
  readonly policy: BucketPolicy
  /** Calls that would conform now. */
  readonly rateLeft: number
  /** Microseconds until the entire burst is available again; 0 if it is available now. */
  readonly rateResetUs: number
  /** Units left in the window. */
  readonly quotaLeft: number
  /** Microseconds until the window ends; 0 if no window is open. */
  readonly quotaResetUs: number
}

/**
 * Formats `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, R-11): `q` units in `w` seconds,
 * `r` units left, `t` seconds until all are available again. Omits `t` if nothing was used, and omits unlimited
 * policies.
 */
export function formatLimitHeaders(statuses: readonly BucketStatus[], billedUnits: number): Record<string, string> {
  let policies = ''
  let states = ''
  for (const { policy, rateLeft, rateResetUs, quotaLeft, quotaResetUs } of statuses) {
    policies = join(policies, policy.header)
    if (policy.spendsRate) states = join(states, formatState(policy.rateName, rateLeft, rateResetUs))
    if (policy.quota !== Number.POSITIVE_INFINITY)
      states = join(states, formatState(policy.dailyName, quotaLeft, quotaResetUs))
  }
  return { 'RateLimit-Policy': policies, RateLimit: states, 'X-Billed-Units': String(billedUnits) }
}

const join = (list: string, item: string): string => (list === '' || item === '' ? list + item : `${list}, ${item}`)

const formatState = (name: PolicyName, left: number, resetUs: number): string =>
  resetUs > 0 ? `"${name}";r=${left};t=${ceilSeconds(resetUs)}` : `"${name}";r=${left}`

/** Converts microseconds to seconds, rounded up, so that a client that waits this long is not refused again. */
export const ceilSeconds = (us: number): number => Math.ceil(us / 1_000_000)
