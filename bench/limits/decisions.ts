import type { Admission } from '../../packages/server/src/access/admission.ts'
import { caller, createEffectiveLimits, someTimeUs } from '../../packages/server/src/access/limits.fixture.ts'
import { Limits, limitDefaults } from '../../packages/server/src/access/limits.ts'
import type { Refusal } from '../../packages/server/src/access/refusal.ts'

/**
 * Measures decisions of the limiter: admission, and the charge of admitted calls. `load` is the rate of the calls, as a
 * multiple of the agreed rate.
 */
export function decisionsPerSecond(keys: number, load: number, decisions: number) {
  const limits = new Limits(limitDefaults)
  const callers = Array.from({ length: keys }, (_, i) => caller(`key_${String(i).padStart(20, '0')}`))
  const bound = createEffectiveLimits({ rate: 10, quota: 'unlimited' })
  const stepUs = 100_000 / keys / load
  let nowUs = someTimeUs
  let calls = 0
  let served = 0
  const run = (count: number) => {
    for (let i = 0; i < count; i++) {
      nowUs = someTimeUs + Math.round(++calls * stepUs)
      const outcome: Admission | Refusal = limits.admit(callers[i % keys]!, bound, 'package', nowUs)
      if (outcome.refused) continue
      outcome.charge(1, nowUs)
      served++
    }
  }
  run(200_000)
  served = 0
  const start = performance.now()
  run(decisions)
  const seconds = (performance.now() - start) / 1000
  return { perSecond: Math.round(decisions / seconds), nsEach: Math.round((seconds * 1e9) / decisions), served }
}

/**
 * Counts over-admission in `decisions` random calls: calls beyond the burst plus the rate, and units beyond the quota.
 * An independent token bucket checks the limiter.
 */
export function overAdmission(decisions: number): { served: number; over: number } {
  const limits = new Limits({ ...limitDefaults, penalty: { ...limitDefaults.penalty, enabled: false } })
  const keys = 100
  const agreements = [3, 7, 10, 25, 100].map(rate => ({ rate, bound: createEffectiveLimits({ rate, quota: 50_000 }) }))
  const callers = Array.from({ length: keys }, (_, i) => ({
    who: caller(`k${i}`),
    ...agreements[i % agreements.length]!,
    tokens: agreements[i % agreements.length]!.rate,
    filledUs: someTimeUs,
    windowMs: 0,
    used: 0,
  }))
  let [nowUs, served, over] = [someTimeUs, 0, 0]
  for (let i = 0; i < decisions; i++) {
    nowUs += Math.floor(Math.random() * 600)
    const key = callers[Math.floor(Math.random() * keys)]!
    const outcome = limits.admit(key.who, key.bound, 'package', nowUs)
    if (outcome.refused) continue
    served++
    key.tokens = Math.min(key.rate, key.tokens + ((nowUs - key.filledUs) * key.rate) / 1e6) - 1
    key.filledUs = nowUs
    if (key.tokens < -1e-6) over++
    const units = 1 + (i % 40)
    if (outcome.charge(units, nowUs)) continue
    const nowMs = Math.floor(nowUs / 1000)
    if (nowMs >= key.windowMs + 86_400_000) [key.windowMs, key.used] = [nowMs, 0]
    key.used += units
    if (key.used > 50_000) over++
  }
  return { served, over }
}
