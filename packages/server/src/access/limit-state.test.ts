import { describe, expect, it } from 'vitest'
import type { LimitState } from './limit-state.ts'
import { caller, createEffectiveLimits, dayUs, secondUs, someTimeUs } from './limits.fixture.ts'
import { Limits } from './limits.ts'
import { createTimeline } from './timeline.ts'

const key = caller('k1')
const bound = createEffectiveLimits({ quota: 100 })
const hourUs = 3600 * secondUs

/** Creates the limits of a process in which the key used 40 units, emptied the search bucket and called in a loop. */
function previousLimits(): Limits {
  const limits = new Limits()
  const outcome = limits.admit(key, bound, 'package', someTimeUs)
  if (!outcome.refused) outcome.charge(40, someTimeUs)
  for (let i = 0; i < 6; i++) limits.admit(key, bound, 'search', someTimeUs)
  for (let i = 0; i < 7; i++) limits.admit(key, bound, 'search', someTimeUs + 600_000 + i * 500_000)
  return limits
}

const stoppedUs = someTimeUs + 4 * secondUs

function restart(nowUs: number, shiftMs = 0): { limits: Limits; changed: LimitState[] } {
  const stored = JSON.parse(JSON.stringify([...previousLimits().states(stoppedUs)])) as LimitState[]
  const limits = new Limits()
  return { limits, changed: limits.restore(stored, nowUs, { timeMs: Math.floor(stoppedUs / 1000) + shiftMs, shiftMs }) }
}

const leftToday = (limits: Limits, nowUs: number) =>
  limits.headers(key, bound, 'package', nowUs).RateLimit!.split(', ')[1]

describe('a restart', () => {
  it('changes nothing', () => {
    const { limits, changed } = restart(stoppedUs)
    expect(changed).toEqual([])
    expect([...limits.states(stoppedUs)]).toEqual([...previousLimits().states(stoppedUs)])
    expect(limits.admit(key, bound, 'search', stoppedUs).refused).toEqual(['penalty'])
  })

  it('refills buckets according to the elapsed time', () => {
    const { limits } = restart(stoppedUs + hourUs)
    expect(limits.headers(key, bound, 'search', stoppedUs + hourUs).RateLimit).toBe(
      '"search";r=5, "search-daily";r=86400;t=82796',
    )
  })

  it.each([
    ['the clock stepped back an hour before the start', -hourUs, 0],
    ['a data folder from next year', -365 * dayUs, 0],
  ])('%s: windows start now, penalties end within 60 s, buckets are at most empty', (_, byUs, shiftMs) => {
    const nowUs = stoppedUs + byUs
    const { limits, changed } = restart(nowUs, shiftMs)
    expect(changed.map(state => state.windowStartMs)).toEqual([Math.floor(nowUs / 1000), Math.floor(nowUs / 1000)])
    expect(leftToday(limits, nowUs)).toBe('"daily";r=60;t=86400')
    expect(limits.admit(key, bound, 'package', nowUs).refused).toBeUndefined()
    expect(limits.admit(key, bound, 'search', nowUs + 60 * secondUs).refused).toBeUndefined()
  })

  it('never shortens a window if the clock was stepped forward while the previous process ran', () => {
    const { limits, changed } = restart(stoppedUs + hourUs, 3_600_000)
    expect(changed).toHaveLength(2)
    expect(leftToday(limits, stoppedUs + hourUs)).toBe('"daily";r=60;t=86396')
    expect(limits.admit(key, bound, 'search', stoppedUs + hourUs).refused).toEqual(['penalty'])
  })

  it('admits at most one burst if the clock was stepped forward before the start', () => {
    const { limits } = restart(stoppedUs + hourUs)
    const served = Array.from({ length: 50 }, () => limits.admit(key, bound, 'search', stoppedUs + hourUs))
    expect(served.filter(outcome => !outcome.refused)).toHaveLength(5)
  })
})

describe('the timeline', () => {
  it('ignores steps of the wall clock and reports their size', () => {
    const line = createTimeline({ wallMs: 1_767_225_600_000, monotonicUs: 5_000_000 })
    const nowUs = line.at(8_000_000)
    expect(nowUs).toBe(1_767_225_603_000_000)
    expect(line.shiftMs(1_767_225_603_400, nowUs)).toBe(0)
    expect(line.shiftMs(1_767_229_203_000, nowUs)).toBe(3_600_000)
    expect(line.shiftMs(1_767_222_003_000, nowUs)).toBe(-3_600_000)
  })
})
