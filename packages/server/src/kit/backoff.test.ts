import { expect, it } from 'vitest'
import { Backoff, computeBackoffMs } from './backoff.ts'

it('doubles the delay with each failure, up to the maximum', () => {
  const policy = { firstMs: 1000, maxMs: 5000 }
  expect([1, 2, 3, 4, 5000].map(failures => computeBackoffMs(failures, policy))).toEqual([1000, 2000, 4000, 5000, 5000])
})

it('delays attempts after failures and resets after a success', () => {
  let nowMs = 0
  const backoff = new Backoff({ firstMs: 1000, maxMs: 60_000 }, () => nowMs)
  expect([backoff.isDue, backoff.failures]).toEqual([true, 0])
  expect([backoff.failed(), backoff.isDue, backoff.failures]).toEqual([1000, false, 1])
  nowMs = 1000
  expect([backoff.isDue, backoff.failed()]).toEqual([true, 2000])
  nowMs = 2999
  expect(backoff.isDue).toBe(false)
  nowMs = 3000
  expect(backoff.isDue).toBe(true)
  backoff.succeeded()
  expect([backoff.failures, backoff.failed()]).toEqual([0, 1000])
})
