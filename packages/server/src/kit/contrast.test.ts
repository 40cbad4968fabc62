import { expect, test } from 'vitest'
import { contrastOf, lightenFor } from './contrast.ts'

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
])('contrast of %s and %s', (a, b, contrast) => {
  expect(contrastOf(a, b)).toBeCloseTo(contrast, 2)
  expect(contrastOf(b, a)).toBeCloseTo(contrast, 2)
})

test('a colour is lightened as far as its ground requires', () => {
  for (const color of ['#000000', '#0b6477', '#7a0044', '#333399']) {
    const light = lightenFor(color, '#141f26', 7)
    expect(contrastOf(light, '#141f26')).toBeGreaterThanOrEqual(7)
  }
  expect(lightenFor('#ffff00', '#141f26', 7)).toBe('#ffff00')
})
