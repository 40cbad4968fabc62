import { expect, test } from 'vitest'
import { createTimeline } from '../access/timeline.ts'
import { createAccountLimits } from './account-limits.ts'

test('a key has ten requests at once and one per second, independent of other keys (R-64)', () => {
  const clock = { us: 1_000_000, nowMs: () => 1_800_000_000_000, monotonicUs: () => clock.us }
  const refusals: string[] = []
  const timeline = createTimeline({ wallMs: clock.nowMs(), monotonicUs: clock.us })
  const limits = createAccountLimits(timeline, clock, { countRefusal: policies => refusals.push(...policies) })
  const admitted = (key: string, times: number) =>
    Array.from({ length: times }, () => limits.admit(key)).filter(fault => fault === undefined).length
  expect([admitted('key_1', 12), admitted('key_2', 1)]).toEqual([10, 1])
  expect(refusals).toEqual(['account', 'account'])
  clock.us += 999_999
  expect(limits.admit('key_1')).toMatchObject({ fault: 'rate_limited', headers: { 'Retry-After': '1' } })
  clock.us += 1
  expect(admitted('key_1', 2)).toBe(1)
  clock.us += 60_000_000
  expect(admitted('key_1', 12)).toBe(10)
})
