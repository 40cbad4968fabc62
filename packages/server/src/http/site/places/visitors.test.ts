import { expect, test } from 'vitest'
import { createVisitorLimits } from './visitors.ts'

test('a visitor opens twenty pages at once, then five a second; others are not affected', () => {
  let nowUs = 0
  const limits = createVisitorLimits({ monotonicUs: () => nowUs })
  const admitted = () => {
    let count = 0
    while (limits.admit('a', false) === undefined) count++
    return count
  }
  expect(admitted()).toBe(20)
  expect(limits.admit('a', false)).toBe(1)
  expect(limits.admit('b', false)).toBeUndefined()
  nowUs += 1_000_000
  expect(admitted()).toBe(5)
})

test('the addresses of one IPv6 network are one visitor', () => {
  const limits = createVisitorLimits({ monotonicUs: () => 0 })
  const admitted = (network: string) =>
    Array.from({ length: 30 }, (_, i) => limits.admit(`${network}::${i + 1}`, false) === undefined).filter(Boolean)
  expect(admitted('2001:db8:0:1')).toHaveLength(20)
  expect(admitted('2001:db8:0:2')).toHaveLength(20)
})

test('all visitors together search fifty times a second', () => {
  const limits = createVisitorLimits({ monotonicUs: () => 0 })
  const admitted = Array.from({ length: 60 }, (_, i) => limits.admit(`visitor ${i}`, true) === undefined)
  expect(admitted.filter(Boolean)).toHaveLength(50)
  expect(limits.admit('another', false)).toBeUndefined()
})
