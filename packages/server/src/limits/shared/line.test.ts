import { describe, expect, it } from 'vitest'
import { Line } from './line.ts'
import { MemoryStates } from './memory-states.fixture.ts'
import { systemScheduler } from './scheduler.ts'

const hourUs = 3_600_000_000
const startUs = 1_800_000_000_000_000

/** Nodes, a cache and a store with clocks that run together and can be set. */
function createClocks() {
  const clock = { us: 0, cacheUs: startUs, storeUs: startUs }
  const states = new MemoryStates(() => clock.us + clock.cacheUs)
  const createLine = (nodeUs = startUs) => {
    // The monotonic clocks of machines have different origins.
    const stopped = { us: 0 }
    const off: Record<string, number>[] = []
    const line = new Line({
      states,
      scheduler: { ...systemScheduler, monotonicUs: () => clock.us + nodeUs / 7 - stopped.us },
      nowMs: () => (clock.us + nodeUs) / 1000,
      storeClockUs: async () => clock.us + clock.storeUs,
      onStart: distances => off.push(distances),
    })
    return { line, stopped, off }
  }
  return { clock, states, createLine }
}

describe('the line of a cluster', () => {
  it('starts at the median of the clocks, which all nodes share', async () => {
    const { clock, createLine } = createClocks()
    clock.cacheUs += 26 * hourUs
    const [a, b] = [createLine(startUs + 5_000_000), createLine(startUs - hourUs)]
    await a.line.follow('life 1')
    await b.line.follow('life 1')
    expect(a.line.nowUs()).toBe(startUs + 5_000_000)
    expect(b.line.nowUs()).toBe(a.line.nowUs())
    expect(a.off).toEqual([{ node: 0, cache: 26 * hourUs - 5_000_000, store: -5_000_000 }])
    expect(b.off).toEqual([])
    clock.us += hourUs
    expect(a.line.nowUs()).toBe(startUs + 5_000_000 + hourUs)
  })

  it('continues when the cache has a new life with another clock', async () => {
    const { clock, createLine } = createClocks()
    const [a, b] = [createLine(), createLine()]
    for (const { line } of [a, b]) await line.follow('life 1')
    clock.us += hourUs
    clock.cacheUs -= 26 * hourUs
    for (const { line } of [b, a]) await line.follow('life 2')
    expect([a.line.nowUs(), b.line.nowUs()]).toEqual([startUs + hourUs, startUs + hourUs])
  })

  it('takes up a step of the clock of the cache that all nodes see', async () => {
    const { clock, createLine } = createClocks()
    const [a, b] = [createLine(), createLine()]
    for (const { line } of [a, b]) await line.follow('life 1')
    clock.cacheUs += hourUs
    for (let trip = 0; trip < 5; trip++) {
      clock.us += 1_000_000
      expect(await a.line.correct([b.line.confirmedStepUs])).toBe(true)
      expect(await b.line.correct([a.line.confirmedStepUs])).toBe(true)
    }
    expect([a.line.confirmedStepUs, b.line.confirmedStepUs]).toEqual([0, 0])
    expect([a.line.nowUs(), b.line.nowUs()]).toEqual([startUs + 5_000_000, startUs + 5_000_000])
  })

  it('is followed again by a node that alone sees a step, and never goes back', async () => {
    const { clock, createLine } = createClocks()
    const [a, b] = [createLine(), createLine()]
    for (const { line } of [a, b]) await line.follow('life 1')
    b.stopped.us = 10_000_000
    const results: boolean[] = []
    for (let trip = 0; trip < 6; trip++) results.push(await b.line.correct([a.line.confirmedStepUs]))
    expect(results).toEqual([true, true, true, true, true, false])
    const before = b.line.nowUs()
    await b.line.follow('life 1')
    expect(b.line.nowUs()).toBe(a.line.nowUs())
    expect(b.line.nowUs()).toBeGreaterThanOrEqual(before)
    clock.us += 1000
    expect(await b.line.correct([0])).toBe(true)
    expect(b.line.nowUs()).toBe(a.line.nowUs())
  })

  it('corrects small differences slowly', async () => {
    const { clock, createLine } = createClocks()
    const { line } = createLine()
    await line.follow('life 1')
    clock.cacheUs -= 50_000
    await line.correct([])
    clock.us += 1_000_000
    expect(line.nowUs()).toBe(startUs + 1_000_000 - 500)
    expect(line.offsetUs).toBe(-49_500)
  })
})
