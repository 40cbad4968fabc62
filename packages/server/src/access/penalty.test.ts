import { describe, expect, it } from 'vitest'
import { caller, createEffectiveLimits, dayUs, secondUs, someTimeUs } from './limits.fixture.ts'
import { Limits, limitDefaults } from './limits.ts'

const key = caller('k1')
const bound = createEffectiveLimits()

/**
 * Creates limits whose search bucket was emptied at `someTimeUs` and that refused the next call, with Retry-After of 1
 * s.
 */
function refusedOnce(settings = limitDefaults): Limits {
  const limits = new Limits(settings)
  for (let i = 0; i < 6; i++) limits.admit(key, bound, 'search', someTimeUs)
  return limits
}

const search = (limits: Limits, afterUs: number) => {
  const { refused, retryAfterS } = limits.admit(key, bound, 'search', someTimeUs + afterUs) as {
    refused?: readonly string[]
    retryAfterS?: number
  }
  return { refused: refused?.join() ?? 'served', retryAfterS }
}

describe('tight loops (R-10)', () => {
  it.each([
    ['in flight, 500 ms after', 500_000, 'search', 1],
    ['one microsecond later', 500_001, 'penalty', 1],
    ['a microsecond too early', 999_999, 'penalty', 1],
    ['at the promised time', 1_000_000, 'served', undefined],
  ])('%s: %s', (_, afterUs, refused, retryAfterS) => {
    expect(search(refusedOnce(), afterUs)).toEqual({ refused, retryAfterS })
  })

  it('doubles the wait from 1 s to the cap of 60 s, at most once per second', () => {
    const limits = refusedOnce()
    const waits = Array.from({ length: 18 }, (_, i) => search(limits, 600_000 + i * 500_000).retryAfterS)
    expect(waits).toEqual([1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 60, 60, 60, 60, 60, 60])
  })

  it('counts a loop within one second as one strike', () => {
    const limits = refusedOnce()
    for (let us = 600_000; us < 1_600_000; us += 5000)
      expect(search(limits, us)).toEqual({ refused: 'penalty', retryAfterS: 1 })
    expect(search(limits, 1_600_000).retryAfterS).toBe(2)
  })

  it('removes one strike if the caller waits', () => {
    const limits = refusedOnce()
    for (let i = 0; i < 7; i++) search(limits, 600_000 + i * 500_000)
    const kept = 600_000 + 3 * secondUs + 8 * secondUs
    expect(search(limits, kept).refused).toBe('served')
    const later = kept + 20 * secondUs
    for (let i = 0; i < 6; i++) search(limits, later)
    // Four strikes, one removed: the next is the fourth again.
    expect(search(limits, later + 600_000)).toEqual({ refused: 'penalty', retryAfterS: 8 })
  })

  it('does not start for the daily quota or for a multi-GET that exceeds it', () => {
    const limits = new Limits()
    const small = createEffectiveLimits({ quota: 5 })
    const outcome = limits.admit(key, small, 'package', someTimeUs)
    if (outcome.refused) throw new Error('refused')
    expect(outcome.charge(6, someTimeUs)?.refused).toEqual(['daily'])
    const next = limits.admit(key, small, 'package', someTimeUs)
    if (!next.refused) next.charge(5, someTimeUs)
    for (let i = 1; i < 100; i++) {
      expect(limits.admit(key, small, 'package', someTimeUs + i * 600_000).refused).toEqual(['daily'])
    }
    expect(limits.admit(key, small, 'package', someTimeUs + dayUs).refused).toBeUndefined()
  })

  it('can be switched off', () => {
    const limits = refusedOnce({ ...limitDefaults, penalty: { ...limitDefaults.penalty, enabled: false } })
    expect(search(limits, 600_000)).toEqual({ refused: 'search', retryAfterS: 1 })
    expect(search(limits, 1_000_000).refused).toBe('served')
  })

  it('keeps buckets apart', () => {
    const limits = refusedOnce()
    expect(search(limits, 600_000).refused).toBe('penalty')
    expect(limits.admit(key, bound, 'package', someTimeUs + 600_000).refused).toBeUndefined()
  })

  it('admits at most 10 calls of a loop every 5 ms for 10 minutes, and recovers within 60 s', () => {
    const limits = new Limits()
    let served = 0
    let longest = 0
    let us = 0
    for (; us < 600 * secondUs; us += 5000) {
      const { refused, retryAfterS } = search(limits, us)
      if (refused === 'served') served++
      longest = Math.max(longest, retryAfterS ?? 0)
    }
    expect(served).toBeLessThanOrEqual(10)
    expect(longest).toBe(60)
    expect(search(limits, us - 5000 + 60 * secondUs).refused).toBe('served')
  })
})
