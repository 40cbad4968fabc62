import { expect, test } from 'vitest'
import { createKeptValues } from './kept-values.ts'

const dayMs = 86_400_000

test('a value is made again when a version changes its status, the samples change, or an hour has passed', () => {
  const sunsetMs = 10 * dayMs + 1000
  const kept = createKeptValues<number>({ versions: [], endpoints: { search: { sunsetMs } } })
  let made = 0
  const read = (nowMs: number, placeIds: readonly string[] = ['1']) => kept('docs', { nowMs, placeIds }, () => ++made)
  expect([read(10 * dayMs), read(sunsetMs - 1)]).toEqual([1, 1])
  expect([read(sunsetMs), read(sunsetMs + 1)]).toEqual([2, 2])
  expect([read(sunsetMs, ['2']), read(sunsetMs + 3_600_000, ['2'])]).toEqual([3, 4])
})
