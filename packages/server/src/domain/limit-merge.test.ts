import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergePenalties, mergeWindows } from './limit-merge.ts'
import { windowMs } from './quota-window.ts'

const baseMs = 1_795_000_000_000
/** Windows that are all less than 24 hours apart. */
const window = fc
  .record({ windowStartMs: fc.integer({ min: 0, max: 5 }), used: fc.nat(50), carried: fc.nat(50) })
  .map(({ windowStartMs, used, carried }) => ({ windowStartMs: baseMs + windowStartMs, used: used + carried, carried }))

it('merges near windows in any order and keeps every unit', () => {
  fc.assert(
    fc.property(window, window, window, (a, b, c) => {
      expect(mergeWindows(a, b)).toEqual(mergeWindows(b, a))
      const merged = mergeWindows(mergeWindows(a, b), c)
      expect(merged).toEqual(mergeWindows(a, mergeWindows(b, c)))
      expect(merged.used).toBe(a.used + b.used + c.used)
      const own = [a, b, c].filter(({ windowStartMs }) => windowStartMs === merged.windowStartMs)
      expect(merged.used - merged.carried).toBe(own.reduce((sum, { used, carried }) => sum + used - carried, 0))
    }),
  )
})

it('replaces a window that is over', () => {
  const over = { windowStartMs: baseMs, used: 7, carried: 0 }
  const next = { windowStartMs: baseMs + windowMs, used: 3, carried: 1 }
  expect([mergeWindows(over, next), mergeWindows(next, over)]).toEqual([next, next])
})

it('merges penalties to the later promise, in any order', () => {
  const penalty = fc.option(
    fc.record({
      firstRefusalUs: fc.nat(3),
      promiseUs: fc.nat(3),
      strikes: fc.nat(7),
      struckUs: fc.nat(3),
    }),
    { nil: undefined },
  )
  fc.assert(
    fc.property(penalty, penalty, penalty, (a, b, c) => {
      expect(mergePenalties(a, b)).toEqual(mergePenalties(b, a))
      const merged = mergePenalties(mergePenalties(a, b), c)
      expect(merged).toEqual(mergePenalties(a, mergePenalties(b, c)))
      expect(merged?.promiseUs ?? -1).toBe(Math.max(...[a, b, c].map(one => one?.promiseUs ?? -1)))
    }),
  )
})
