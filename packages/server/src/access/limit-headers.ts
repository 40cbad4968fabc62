import type { BucketPolicy, PolicyName } from './limit-policy.ts'

/** The rest of the two policies of one bucket. */
export interface BucketStatus {
  readonly policy: BucketPolicy
  /** Calls that would conform at once, and microseconds until the whole burst is available again (0: now). */
  readonly rateLeft: number
  readonly rateResetUs: number
  /** Units left, and microseconds until the window ends (0: no window is open). */
  readonly quotaLeft: number
  readonly quotaResetUs: number
}

/**
 * Formats `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, R-11): `q` units in `w` seconds, `r`
 * left, `t` seconds until all are available again. Omits `t` when nothing was used, and unlimited policies.
 */
export function limitHeaders(statuses: readonly BucketStatus[], billedUnits: number): Record<string, string> {
  let policies = ''
  let states = ''
  for (const { policy, rateLeft, rateResetUs, quotaLeft, quotaResetUs } of statuses) {
    const comma = policies === '' ? '' : ', '
    policies += comma + policy.header
    states += comma + state(policy.rateName, rateLeft, rateResetUs)
    if (policy.quota !== Number.POSITIVE_INFINITY) states += `, ${state(policy.dailyName, quotaLeft, quotaResetUs)}`
  }
  return { 'RateLimit-Policy': policies, RateLimit: states, 'X-Billed-Units': String(billedUnits) }
}

const state = (name: PolicyName, left: number, resetUs: number): string =>
  resetUs > 0 ? `"${name}";r=${left};t=${ceilSeconds(resetUs)}` : `"${name}";r=${left}`

/** Converts to seconds, rounded up, so that a client that waits as long is not refused again. */
export const ceilSeconds = (us: number): number => Math.ceil(us / 1_000_000)
