import { expect, it } from 'vitest'
import { formatNumber } from '../kit/format-number.ts'
import { formatRate } from './limit-words.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
  [1234.5, '1,234.5'],
  [0.333333, '0.33'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
])('%f is %s', (value, text) => expect(formatNumber(value)).toBe(text))

it.each([
  [10, 10, '10 requests per second'],
  [1, 1, '1 request per second'],
  [2.5, 3, '2.5 requests per second'],
  [0.5, 1, '1 request every 2 s'],
  [0.000001, 1, '1 request every 1,000,000 s'],
  [1, 5, '1 request per second, and 5 at once after a pause'],
  [1_000_000, 1_000_000, '1,000,000 requests per second'],
])('%f per second, %i at once', (rate, burst, text) =>
  expect(formatRate(rate, burst, ['request', 'requests'])).toBe(text),
)
