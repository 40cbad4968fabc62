import { expect, test } from 'vitest'
import { ProgressRate } from './progress-rate.ts'

test('estimates the remaining time late, from the rate of the last half minute (R-165)', () => {
  const rate = new ProgressRate()
  expect(rate.rate).toBeUndefined()
  const lefts: (string | undefined)[] = []
  for (let seconds = 1; seconds <= 60; seconds++) {
    rate.add({ seconds, done: seconds * 10 })
    lefts.push(rate.left(3000))
  }
  expect(lefts.slice(0, 9).every(left => left === undefined)).toBe(true)
  expect([lefts[9], lefts[59]]).toEqual(['about 5 min left', 'about 4 min left'])
  // One slow batch of five seconds changes the text little.
  rate.add({ seconds: 65, done: 600 })
  expect(rate.left(3000)).toBe('about 5 min left')
  rate.add({ seconds: 66, done: 2990 })
  expect(rate.left(3000)).toBe('about 10 s left')
  rate.add({ seconds: 67, done: 3000 })
  expect(rate.left(3000)).toBeUndefined()
})

test('shows no time before a hundredth of the work is done', () => {
  const rate = new ProgressRate()
  rate.add({ seconds: 20, done: 9 })
  expect(rate.left(1000)).toBeUndefined()
  rate.add({ seconds: 30, done: 20 })
  expect(rate.left(1000)).toMatch(/ min left$/)
})
