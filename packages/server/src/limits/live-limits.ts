import { computeGrant } from '../access/grant.ts'
import type { BucketState, Limits } from '../access/limits.ts'
import type { Timeline } from '../access/timeline.ts'
import { forEachBucket } from '../domain/limit-bucket.ts'
import type { BucketLimitStatus, LiveLimits } from '../domain/limit-status.ts'
import type { PackageTable } from '../domain/package.ts'
import { windowMs } from '../domain/quota-window.ts'
import type { Clock } from '../kit/clock.ts'

/** Creates the view of the limits that this process keeps. */
export function createLiveLimits(
  limits: Limits,
  { timeline, clock, packageTable }: { timeline: Timeline; clock: Clock; packageTable: PackageTable },
): LiveLimits {
  return {
    statusOf: key => {
      const { limits: effective } = computeGrant(key, packageTable)
      const nowUs = timeline.at(clock.monotonicUs())
      const nowMs = clock.nowMs()
      return forEachBucket(bucket => toBucketStatus(limits.stateOf(key, effective, bucket, nowUs), nowUs, nowMs))
    },
    forgive: key => limits.forgive(key),
  }
}

/** Converts a state on the timeline of limits to wall-clock times. */
export function toBucketStatus(
  { policy, rateLeft, rateResetUs, quotaLeft, quotaResetUs, penalty }: BucketState,
  nowUs: number,
  nowMs: number,
): BucketLimitStatus {
  const endOf = (us: number) => nowMs + Math.ceil(us / 1000)
  const endsMs = endOf(quotaResetUs)
  return {
    callsLeft: rateLeft,
    ...(rateResetUs > 0 && { burstFullMs: endOf(rateResetUs) }),
    unitsLeft: policy.quota === Number.POSITIVE_INFINITY ? 'unlimited' : quotaLeft,
    ...(quotaResetUs > 0 && { window: { openedMs: endsMs - windowMs, endsMs } }),
    ...(penalty &&
      penalty.strikes > 0 && {
        penalty: {
          strikes: penalty.strikes,
          ...(penalty.promiseUs > nowUs && { untilMs: endOf(penalty.promiseUs - nowUs) }),
        },
      }),
  }
}
