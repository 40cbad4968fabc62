import {
  caller,
  createEffectiveLimits,
  type Numbers,
  secondUs,
  someTimeUs,
} from '../../packages/server/src/access/limits.fixture.ts'
import { Limits } from '../../packages/server/src/access/limits.ts'

/**
 * Measures under-admission: one caller per key calls evenly at three times its rate, and honours Retry-After after a
 * refusal. Returns the share of burst + rate x time that was not served.
 */
export function underAdmission(keys: number, seconds: number, numbers: Numbers, bucket: 'package' | 'search') {
  const limits = new Limits()
  const bound = createEffectiveLimits({ quota: 'unlimited', searchQuota: 'unlimited', ...numbers })
  const [rate, burst] =
    bucket === 'search' ? [bound.searchRate.value, bound.searchBurst.value] : [bound.rate.value, bound.burst.value]
  const gapUs = secondUs / (3 * rate)
  let served = 0
  for (let i = 0; i < keys; i++) {
    const who = caller(`k${i}`)
    const jitter = Math.random() * gapUs
    for (let us = jitter; us < seconds * secondUs; ) {
      const outcome = limits.admit(who, bound, bucket, someTimeUs + Math.round(us))
      if (outcome.refused) us += outcome.retryAfterS! * secondUs
      else {
        served++
        us += gapUs
      }
    }
  }
  const allowed = keys * (burst + rate * seconds)
  return { served, allowed, underPercent: Number((100 * (1 - served / allowed)).toFixed(2)) }
}
