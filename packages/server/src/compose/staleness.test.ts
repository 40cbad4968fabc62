import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStaleness } from './staleness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a service forgets keys and places once when it follows nothing for too long, and is ready again afterwards', () => {
  const forget = vi.fn()
  const staleness = createStaleness(60, forget)
  vi.advanceTimersByTime(50_000)
  staleness.followed()
  vi.advanceTimersByTime(55_000)
  expect([staleness.reason(), forget.mock.calls]).toEqual([undefined, []])
  vi.advanceTimersByTime(100_000)
  expect(staleness.reason()).toMatch(/could not be read for 60 s, so calls are refused\.$/)
  expect(forget).toHaveBeenCalledOnce()
  staleness.followed()
  expect(staleness.reason()).toBeUndefined()
  staleness.close()
})
