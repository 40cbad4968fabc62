import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partition, selectPage } from './select-page.ts'

/** Values with many duplicates, or in an order that is bad for sorting. */
const values = fc.oneof(
  fc.array(fc.nat(5), { maxLength: 300 }),
  fc.array(fc.nat(), { maxLength: 300 }),
  fc.nat(300).map(size => Array.from({ length: size }, (_, i) => i)),
  fc.nat(300).map(size => Array.from({ length: size }, (_, i) => -i)),
)
const orderOf = (of: readonly number[]) => (a: number, b: number) => (of[a] === of[b] ? a < b : of[a]! < of[b]!)
const sorted = (of: readonly number[]) => of.map((_, i) => i).sort((a, b) => (orderOf(of)(a, b) ? -1 : 1))

test('a page equals the same part of all items in order', () => {
  fc.assert(
    fc.property(values, fc.nat(320), fc.nat(50), (of, offset, limit) => {
      expect(selectPage(of.length, { offset, limit }, orderOf(of))).toEqual(sorted(of).slice(offset, offset + limit))
    }),
    { numRuns: 500 },
  )
})

test('the items before a position come before all others', () => {
  fc.assert(
    fc.property(values, fc.nat(300), (of, at) => {
      const items = Uint32Array.from(of.keys())
      partition(items, 0, items.length, at, orderOf(of))
      expect(new Set(items.subarray(0, at))).toEqual(new Set(sorted(of).slice(0, at)))
      expect(new Set(items)).toEqual(new Set(of.keys()))
    }),
    { numRuns: 500 },
  )
})
