import { expect, test } from 'vitest'
import { Budget, withinBudget } from './budget.ts'

test('a query that spends more steps than it may is abandoned', () => {
  const work = (steps: number) =>
    withinBudget(new Budget({ steps: 10, ms: 1000 }), budget => budget.spend(steps) ?? 'done')
  // One step is spent on every query.
  expect([work(9), work(10)]).toEqual(['done', undefined])
})

test('a query that takes more time than it may is abandoned, however few steps it spends', () => {
  let readings = 0
  let done = 0
  const time = { monotonicUs: () => ++readings * 1000, cpuUs: () => readings * 1000 }
  const result = withinBudget(new Budget({ steps: 1e9, ms: 5 }, time), budget => {
    for (;;) {
      budget.spend(100)
      done += 100
    }
  })
  expect(result).toBeUndefined()
  // The time is read at the beginning, and then whenever more than 500 steps were spent.
  expect([readings, done]).toEqual([7, 3400])
})

test('a query is not abandoned for the time in which its thread did not run', () => {
  let us = 0
  const time = { monotonicUs: () => (us += 1000), cpuUs: () => 0 }
  expect(withinBudget(new Budget({ steps: 1e6, ms: 5 }, time), budget => budget.spend(999_000) ?? 'done')).toBe('done')
})

test('work that is known to be too much is refused before it begins', () => {
  const work = (steps: number) =>
    withinBudget(new Budget({ steps: 11, ms: 1000 }), budget => budget.require(steps) ?? 'done')
  expect([work(10), work(11)]).toEqual(['done', undefined])
})

test('an unlimited budget never ends, and never reads the time', () => {
  expect(withinBudget(Budget.unlimited(), budget => budget.spend(1e300) ?? 'done')).toBe('done')
})

test('other exceptions pass', () => {
  const broken = () => {
    throw new Error('a bug')
  }
  expect(() => withinBudget(Budget.unlimited(), broken)).toThrow('a bug')
})
