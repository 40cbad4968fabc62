import { expect, test } from 'vitest'
import { createThrottle, waitAfter } from './throttle.ts'

test('five failures are free; then the wait doubles from 2 s to 15 min', () => {
  expect([1, 4, 5, 6, 7, 30, 5000].map(waitAfter)).toEqual([0, 0, 2000, 4000, 8000, 900_000, 900_000])
})

test('slows down one account from one address, in any case of letters, and nobody else', () => {
  let nowMs = 1_000_000
  const throttle = createThrottle(() => nowMs)
  for (let i = 0; i < 5; i++) expect(throttle.start('Ann@example.org', '192.0.2.1')).toBe(0)
  expect(throttle.start('ann@EXAMPLE.org', '192.0.2.1')).toBe(2000)
  expect(throttle.start('ann@example.org', '192.0.2.2')).toBe(0)
  expect(throttle.start('bea@example.org', '192.0.2.1')).toBe(0)
  nowMs += 1999
  expect(throttle.start('ann@example.org', '192.0.2.1')).toBe(1)
  nowMs += 1
  expect(throttle.start('ann@example.org', '192.0.2.1')).toBe(0)
  expect(throttle.start('ann@example.org', '192.0.2.1')).toBe(4000)
  throttle.succeeded('ann@example.org', '192.0.2.1')
  expect(throttle.start('ann@example.org', '192.0.2.1')).toBe(0)
})

test('forgets failures after a day', () => {
  let nowMs = 1_000_000
  const throttle = createThrottle(() => nowMs)
  for (let i = 0; i < 5; i++) throttle.start('a', 'b')
  nowMs += 25 * 3_600_000
  for (let i = 0; i < 5; i++) expect(throttle.start('a', 'b')).toBe(0)
})

test('the addresses of one IPv6 network slow down together', () => {
  const throttle = createThrottle(() => 1_000_000)
  for (let i = 0; i < 5; i++) expect(throttle.start('a', `2001:db8:0:1::${i}`)).toBe(0)
  expect(throttle.start('a', '2001:db8:0:1::5')).toBe(2000)
  expect(throttle.start('a', '2001:db8:0:2::5')).toBe(0)
})
