import { expect, test } from 'vitest'
import { popularity, weightedRating } from './popularity.ts'

test('a single five-star review does not rank above thousands', () => {
  expect(weightedRating(5, 1)).toBeLessThan(weightedRating(4.6, 3000))
  expect(weightedRating(undefined, 0)).toBe(0)
  expect(weightedRating(1, 0)).toBeGreaterThan(1)
})

test.each([
  ['more ratings', popularity(4, 10, 0), popularity(4, 100, 0)],
  ['better ratings', popularity(3, 100, 0), popularity(4.5, 100, 0)],
  ['more people', popularity(undefined, 0, 1000), popularity(undefined, 0, 2000)],
  ['any rating', popularity(undefined, 0, 0), popularity(4, 0, 0)],
])('%s increase popularity', (_, less, more) => expect(less).toBeLessThan(more))

test('popularity is between 0 and 1', () => {
  expect(popularity(undefined, 0, 0)).toBe(0)
  expect(popularity(5, 1e9, 1e10)).toBeLessThanOrEqual(1)
})
