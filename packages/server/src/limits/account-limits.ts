import type { Timeline } from '../access/timeline.ts'
import { type Buckets, TokenBuckets } from '../access/token-buckets.ts'
import { type Fault, fault } from '../domain/fault.ts'
import type { Clock } from '../kit/clock.ts'
import type { LimitCounters } from './call-recorder.ts'

/** Limits requests of a key about itself, separately from every other limit. */
export interface AccountLimits {
  /** Counts a request; returns 429 if the key has sent too many. */
  admit(keyId: string): Fault | undefined
}

/** Requests per second and at once. */
export const accountBounds = { rate: 1, burst: 10, maxHolders: 50_000 }

/** Creates the account limits; `buckets` are by default those of the calling thread. */
export function createAccountLimits(
  timeline: Timeline,
  clock: Clock,
  counters: Pick<LimitCounters, 'countRefusal'>,
  buckets: Buckets = new TokenBuckets(accountBounds),
): AccountLimits {
  return {
    admit: keyId => {
      const retryAfterS = buckets.spend(keyId, timeline.at(clock.monotonicUs()))
      if (retryAfterS === undefined) return undefined
      counters.countRefusal(['account'])
      return fault('rate_limited', {
        detail: `A key may send 1 request per second about its account, and 10 at once after a pause. Wait ${retryAfterS} s.`,
        violatedPolicies: ['account'],
        headers: { 'Retry-After': String(retryAfterS) },
      })
    },
  }
}
