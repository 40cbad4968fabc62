import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStaleness } from './staleness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a service forgets keys and places once when it does not follow one of them for too long, and is ready again afterwards', () => {
  const forget = vi.fn()
  const staleness = createStaleness(60, forget)
  const [keys, places] = [staleness.followed('keys'), staleness.followed('places')]
  vi.advanceTimersByTime(50_000)
  keys()
  places()
  vi.advanceTimersByTime(55_000)
  keys()
  expect([staleness.reason(), forget.mock.calls]).toEqual([undefined, []])
  vi.advanceTimersByTime(10_000)
  expect(staleness.reason()).toMatch(/could not be read for 60 s, so calls are refused\.$/)
  vi.advanceTimersByTime(100_000)
  expect(forget).toHaveBeenCalledOnce()
  keys()
  expect(staleness.reason()).toBeDefined()
  places()
  expect(staleness.reason()).toBeUndefined()
  staleness.close()
})
