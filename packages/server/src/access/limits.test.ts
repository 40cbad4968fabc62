import { describe, expect, it } from 'vitest'
import { createProgress } from '../../test/progress.ts'
import { type LimitedBucket, limitBuckets } from '../domain/limit-bucket.ts'
import type { Admission } from './admission.ts'
import { caller, createEffectiveLimits, dayUs, type Numbers, secondUs, someTimeUs } from './limits.fixture.ts'
import { Limits, limitDefaults } from './limits.ts'
import { generator, walk } from './limits-walk.fixture.ts'
import type { Refusal } from './refusal.ts'

const key = caller('k1')
const admitted = (outcome: Admission | Refusal): outcome is Admission => outcome.refused === undefined

function admit(limits: Limits, numbers: Numbers, nowUs: number, bucket: LimitedBucket = 'package'): Admission {
  const outcome = limits.admit(key, createEffectiveLimits(numbers), bucket, nowUs)
  if (!admitted(outcome)) throw new Error(`refused by ${outcome.refused}`)
  return outcome
}

function refusal(outcome: Admission | Refusal | undefined): Refusal {
  if (outcome === undefined || admitted(outcome)) throw new Error('not refused')
  return outcome
}

describe('the rate', () => {
  it.each([3, 7, 10, 25])('admits a burst of exactly %i, then one call per interval', rate => {
    const limits = new Limits({ ...limitDefaults, penalty: { ...limitDefaults.penalty, enabled: false } })
    const bound = createEffectiveLimits({ rate })
    const interval = Math.ceil(1_000_000 / rate)
    for (let i = 0; i < rate; i++) expect(admitted(limits.admit(key, bound, 'package', someTimeUs))).toBe(true)
    expect(refusal(limits.admit(key, bound, 'package', someTimeUs)).refused).toEqual(['rate'])
    for (let i = 1; i < 40; i++) {
      expect(admitted(limits.admit(key, bound, 'package', someTimeUs + i * interval - 1))).toBe(false)
      expect(admitted(limits.admit(key, bound, 'package', someTimeUs + i * interval))).toBe(true)
      expect(admitted(limits.admit(key, bound, 'package', someTimeUs + i * interval))).toBe(false)
    }
  })

  it('keeps 10,000 keys apart at the same time', () => {
    const limits = new Limits()
    const bound = createEffectiveLimits()
    const keys = Array.from({ length: 10_000 }, (_, i) => caller(`k${i}`))
    const served = new Map<string, number>()
    for (let round = 0; round < 12; round++) {
      for (const who of keys) {
        if (admitted(limits.admit(who, bound, 'package', someTimeUs))) served.set(who.id, (served.get(who.id) ?? 0) + 1)
      }
    }
    expect(new Set(served.values())).toEqual(new Set([10]))
    expect(served.size).toBe(10_000)
  })

  it('admits five searches of an idle key and refuses the sixth (R-07)', () => {
    const limits = new Limits()
    for (let i = 0; i < 5; i++) admit(limits, {}, someTimeUs, 'search')
    expect(refusal(limits.admit(key, createEffectiveLimits(), 'search', someTimeUs))).toMatchObject({
      refused: ['search'],
      retryAfterS: 1,
    })
    admit(limits, {}, someTimeUs)
  })

  it('does not make a caller wait for a limit that no longer applies', () => {
    const limits = new Limits()
    for (let i = 0; i < 5; i++) admit(limits, { rate: 0.01, burst: 5 }, someTimeUs)
    const refused = refusal(limits.admit(key, createEffectiveLimits({ rate: 100 }), 'package', someTimeUs))
    expect(refused.retryAfterS).toBe(1)
    admit(limits, { rate: 100 }, someTimeUs + secondUs)
  })
})

describe('the daily window', () => {
  const oneADay = { quota: 1 }
  const openedUs = Math.floor(someTimeUs / 1000) * 1000

  it.each([
    ['1 ms before its end', -1, false],
    ['at its end', 0, true],
    ['1 ms after its end', 1, true],
  ])('%s', (_, ms, served) => {
    const limits = new Limits()
    admit(limits, oneADay, openedUs).charge(1, openedUs)
    expect(admitted(limits.admit(key, createEffectiveLimits(oneADay), 'package', openedUs + dayUs + ms * 1000))).toBe(
      served,
    )
  })

  it('opens with the first admitted call, charged or not, and only a call opens the next (SPEC §8.2)', () => {
    const limits = new Limits()
    admit(limits, {}, openedUs).charge(0, openedUs)
    const third = openedUs + 3 * dayUs
    expect(limits.headers(key, createEffectiveLimits(), 'package', third).RateLimit).toBe(
      '"rate";r=10, "daily";r=10000',
    )
    admit(limits, {}, third)
    expect(limits.headers(key, createEffectiveLimits(), 'package', third).RateLimit).toBe(
      '"rate";r=9;t=1, "daily";r=10000;t=86400',
    )
  })

  it('charges all units of a multi-GET or none', () => {
    const limits = new Limits()
    const hundred = { quota: 100 }
    expect(admit(limits, hundred, someTimeUs).charge(60, someTimeUs)).toBeUndefined()
    const refused = refusal(admit(limits, hundred, someTimeUs).charge(41, someTimeUs))
    expect(refused.refused).toEqual(['daily'])
    expect(refused.retryAfterS).toBe(86_400)
    expect(admit(limits, hundred, someTimeUs).charge(40, someTimeUs)).toBeUndefined()
    expect(refusal(limits.admit(key, createEffectiveLimits(hundred), 'package', someTimeUs)).refused).toEqual(['daily'])
  })

  it('returns no Retry-After for a call that costs more than the entire quota', () => {
    const limits = new Limits()
    const refused = refusal(admit(limits, { quota: 50 }, someTimeUs).charge(51, someTimeUs))
    expect(refused.retryAfterS).toBeUndefined()
    expect(refused.detail).toMatch(/[Ss]plit/)
  })

  it('states each limit that refuses in words', () => {
    const limits = new Limits({ ...limitDefaults, searchCountsTowardPackage: true })
    const tight = { quota: 1, searchQuota: 12_000, searchBurst: 1 }
    admit(limits, tight, someTimeUs, 'search').charge(1, someTimeUs)
    expect(refusal(limits.admit(key, createEffectiveLimits(tight), 'search', someTimeUs)).detail).toBe(
      'The limit is 1 search per second. The daily quota of 1 unit is used up. Wait 86400 s.',
    )
    const search = { quota: 'unlimited', searchQuota: 12_000 } as const
    admit(limits, search, someTimeUs + secondUs, 'search').charge(11_998, someTimeUs + secondUs)
    expect(refusal(limits.admit(key, createEffectiveLimits(search), 'search', someTimeUs + secondUs, 7)).detail).toBe(
      'The daily search quota of 12,000 units has 1 left, and the call needs 7. Wait 86399 s.',
    )
    expect(
      refusal(limits.admit(caller('k2'), createEffectiveLimits(search), 'search', someTimeUs, 12_345)).detail,
    ).toBe(
      'The call costs 12,345 units, more than the entire daily search quota of 12,000. Split it into smaller calls.',
    )
  })

  it('charges a call once and refunds its units once', () => {
    const limits = new Limits()
    const call = admit(limits, {}, someTimeUs)
    call.charge(7, someTimeUs)
    call.charge(7, someTimeUs)
    expect([...limits.states(someTimeUs)][0]?.used).toBe(7)
    call.release()
    call.release()
    expect([...limits.states(someTimeUs)][0]?.used).toBe(0)
  })

  it('applies a quota that changes within a window', () => {
    const limits = new Limits()
    admit(limits, { quota: 100 }, someTimeUs).charge(100, someTimeUs)
    expect(admitted(limits.admit(key, createEffectiveLimits({ quota: 100 }), 'package', someTimeUs))).toBe(false)
    expect(admit(limits, { quota: 150 }, someTimeUs).charge(50, someTimeUs)).toBeUndefined()
    expect(refusal(limits.admit(key, createEffectiveLimits({ quota: 20 }), 'package', someTimeUs)).refused).toEqual([
      'daily',
    ])
    expect(admit(limits, { quota: 'unlimited' }, someTimeUs).charge(5000, someTimeUs)).toBeUndefined()
    expect(refusal(limits.admit(key, createEffectiveLimits({ quota: 5000 }), 'package', someTimeUs)).refused).toEqual([
      'daily',
    ])
  })
})

describe('subjects', () => {
  it('counts the keys of a partner together if the agreement requires it', () => {
    const limits = new Limits()
    const bound = createEffectiveLimits({ quota: 2 })
    for (const id of ['a', 'b']) {
      const outcome = limits.admit(caller(id, 'acme'), bound, 'package', someTimeUs)
      if (admitted(outcome)) outcome.charge(1, someTimeUs)
    }
    expect(admitted(limits.admit(caller('a', 'acme'), bound, 'package', someTimeUs))).toBe(false)
    expect(admitted(limits.admit(caller('a'), bound, 'package', someTimeUs))).toBe(true)
  })

  it('charges searches to both buckets if they count toward the package (R-06)', () => {
    const limits = new Limits({ ...limitDefaults, searchCountsTowardPackage: true })
    admit(limits, { quota: 1 }, someTimeUs, 'search').charge(1, someTimeUs)
    expect(refusal(limits.admit(key, createEffectiveLimits({ quota: 1 }), 'search', someTimeUs)).refused).toEqual([
      'daily',
    ])
    expect(limits.headers(key, createEffectiveLimits({ quota: 1 }), 'search', someTimeUs)).toEqual({
      'RateLimit-Policy': '"search";q=5;w=5, "search-daily";q=86400;w=86400, "rate";q=10;w=1, "daily";q=1;w=86400',
      RateLimit: '"search";r=4;t=1, "search-daily";r=86399;t=86400, "rate";r=9;t=1, "daily";r=0;t=86400',
      'X-Billed-Units': '0',
    })
  })

  it('changes no other policy when a call is refused', () => {
    const limits = new Limits({ ...limitDefaults, searchCountsTowardPackage: true })
    for (let i = 0; i < 5; i++) admit(limits, {}, someTimeUs, 'search').charge(1, someTimeUs)
    const before = limits.headers(key, createEffectiveLimits(), 'package', someTimeUs)
    for (let i = 0; i < 50; i++)
      expect(admitted(limits.admit(key, createEffectiveLimits(), 'search', someTimeUs))).toBe(false)
    expect(limits.headers(key, createEffectiveLimits(), 'package', someTimeUs)).toEqual(before)
  })

  it('removes only idle subjects', () => {
    const limits = new Limits()
    for (let day = 0; day < 10; day++) {
      const nowUs = someTimeUs + day * dayUs
      for (let i = 0; i < 5000; i++) limits.admit(caller(`${day}/${i}`), createEffectiveLimits(), 'package', nowUs)
      expect(limits.subjectCounts.package).toBeLessThanOrEqual(12_500)
      expect([...limits.states(nowUs)]).toHaveLength(5000)
    }
  })
})

describe('compared with the model', () => {
  const steps = Number(process.env.PERIPLUS_LIMITER_STEPS ?? 500_000)
  it(`decides, charges and reports the same in ${steps} random steps`, () => {
    const progress = createProgress('limiter steps', steps)
    const { refusals } = walk(steps, Number(process.env.PERIPLUS_SEED ?? 20_260_101), { progress })
    expect(refusals).toBeGreaterThan(steps / 10)
    expect(refusals).toBeLessThan(steps / 2)
  })
})

describe('Retry-After', () => {
  it('is exact: a caller that waits this long is admitted, 100,000 times', () => {
    let kept = 0
    const random = generator(20_260_101)
    while (kept < 100_000) {
      const limits = new Limits({ ...limitDefaults, searchCountsTowardPackage: random(2) === 0 })
      const bound = createEffectiveLimits({
        rate: [0.3, 1, 3, 7, 10, 25][random(6)]!,
        burst: 1 + random(12),
        quota: 1 + random(60),
        searchRate: [0.5, 1, 3][random(3)]!,
        searchQuota: 1 + random(40),
      })
      let nowUs = someTimeUs + random(10_000_000)
      for (let i = 0; i < 60; i++) {
        nowUs += [0, 1, 5_000, 90_000, 600_000, random(2_000_000)][random(6)]!
        const bucket = limitBuckets[random(3)]!
        const units = random(4) === 0 ? random(30) : 1
        const outcome = limits.admit(key, bound, bucket, nowUs)
        const refused = outcome.refused ? outcome : outcome.charge(units, nowUs)
        if (refused?.retryAfterS === undefined) continue
        nowUs += refused.retryAfterS * secondUs
        const again = limits.admit(key, bound, bucket, nowUs)
        if (again.refused) throw new Error(`refused by ${again.refused} after the promised ${refused.retryAfterS} s`)
        if (!outcome.refused && again.charge(units, nowUs))
          throw new Error('the units do not fit after the promised wait')
        kept++
      }
    }
    expect(kept).toBeGreaterThanOrEqual(100_000)
  }, 30_000)
})
