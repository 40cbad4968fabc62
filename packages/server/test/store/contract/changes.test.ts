import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/domain/change.ts'
import { settableClock } from '../../clock.ts'
import { describeEngines, openAgain, put, putReview, store, storeReviews, withWriter } from './engines.ts'

const all = Number.MAX_SAFE_INTEGER
const facts = ({ seq, kind, id, op, mergedInto }: Change) =>
  [seq, kind, id, op, mergedInto].filter(one => one !== undefined)

describeEngines('change log', ({ open }) => {
  test('is initially empty', async () => {
    const { changes } = await open()
    expect([await changes.lastSeq(), await changes.after(0, 10)]).toEqual([0, []])
    expect(await changes.prune({ beforeMs: all, keepFromSeq: all, limit: 10 })).toEqual({ removed: 0 })
  })

  test('has a line with a time for each change, in ascending order', async () => {
    const clock = settableClock(5000)
    const engine = await open(clock)
    await store(engine, put(1n), put(2n))
    clock.ms = 6000
    await store(engine, { op: 'merge', id: 2n, into: 1n }, { op: 'delete', id: 1n })
    const lines = (await engine.changes.after(0, 10))!
    expect(lines.map(facts)).toEqual([
      [1, 'location', 1n, 'upsert'],
      [2, 'location', 2n, 'upsert'],
      [3, 'location', 2n, 'merge', 1n],
      [4, 'location', 1n, 'delete'],
    ])
    expect(lines.map(({ atMs }) => atMs)).toEqual([5000, 5000, 6000, 6000])
    expect((await engine.changes.after(1, 2))!.map(({ seq }) => seq)).toEqual([2, 3])
    expect(await engine.changes.after(4, 10)).toEqual([])
    expect(await engine.changes.lastSeq()).toBe(4)
  })

  test('a reader sees each line once and in order while batches are written', async () => {
    const engine = await open()
    const reader = openAgain(engine).changes
    const seen: number[] = []
    let done = false
    const writing = withWriter(engine, async writer => {
      for (let batch = 0n; batch < 50n; batch++)
        await writer.writeLocations(Array.from({ length: 7 }, (_, i) => put(batch * 7n + BigInt(i) + 1n)))
      done = true
    })
    for (let last = false; !last; ) {
      last = done
      const lines = (await reader.after(seen.at(-1) ?? 0, 5))!
      seen.push(...lines.map(({ seq }) => seq))
      last &&= lines.length === 0
      await new Promise(setImmediate)
    }
    await writing
    expect(seen).toEqual(Array.from({ length: 350 }, (_, i) => i + 1))
  })

  describe('pruning', () => {
    async function threeDays() {
      const clock = settableClock(0)
      const engine = await open(clock)
      for (const day of [1, 2, 3]) {
        clock.ms = day * 1000
        await store(engine, put(1n, `Day ${day}`), put(2n, `Day ${day}`))
      }
      return engine
    }

    test('removes the lines before a time; readers that need them learn that they are missing', async () => {
      const { changes } = await threeDays()
      expect(await changes.prune({ beforeMs: 2000, keepFromSeq: all, limit: 100 })).toEqual({ removed: 2 })
      expect(await changes.after(0, 10)).toBeUndefined()
      expect(await changes.after(1, 10)).toBeUndefined()
      expect((await changes.after(2, 10))!.map(({ seq }) => seq)).toEqual([3, 4, 5, 6])
      expect((await changes.after(4, 10))!.map(({ seq }) => seq)).toEqual([5, 6])
      expect(await changes.lastSeq()).toBe(6)
    })

    test('never removes the newest line, so the newest number does not change', async () => {
      const engine = await threeDays()
      expect(await engine.changes.prune({ beforeMs: all, keepFromSeq: all, limit: 100 })).toEqual({ removed: 5 })
      expect(await engine.changes.prune({ beforeMs: all, keepFromSeq: all, limit: 100 })).toEqual({ removed: 0 })
      expect(await engine.changes.lastSeq()).toBe(6)
      expect(await engine.changes.after(5, 10)).toHaveLength(1)
      await store(engine, put(3n))
      expect((await engine.changes.after(6, 10))!.map(({ seq }) => seq)).toEqual([7])
    })

    test('keeps needed lines, and removes at most the requested number at once', async () => {
      const { changes } = await threeDays()
      expect(await changes.prune({ beforeMs: all, keepFromSeq: 4, limit: 2 })).toEqual({ removed: 2 })
      expect(await changes.prune({ beforeMs: all, keepFromSeq: 4, limit: 2 })).toEqual({ removed: 1 })
      expect(await changes.prune({ beforeMs: all, keepFromSeq: 4, limit: 2 })).toEqual({ removed: 0 })
      expect((await changes.after(3, 10))!.map(({ seq }) => seq)).toEqual([4, 5, 6])
    })

    test('keeps an old line after a younger one, as a clock that was set back leaves it', async () => {
      const clock = settableClock(5000)
      const engine = await open(clock)
      await store(engine, put(1n))
      clock.ms = 1000
      await store(engine, put(2n), put(3n))
      expect(await engine.changes.prune({ beforeMs: 2000, keepFromSeq: all, limit: 100 })).toEqual({ removed: 0 })
    })
  })

  test('a review also logs a change of its place, whose rating it changes', async () => {
    const engine = await open()
    await store(engine, put(1n))
    await storeReviews(engine, putReview(1n, 1n))
    expect((await engine.changes.after(1, 10))!.map(facts)).toEqual([
      [2, 'review', 1n, 'upsert'],
      [3, 'location', 1n, 'upsert'],
    ])
  })
})
