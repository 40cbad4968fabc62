import { expect, test } from 'vitest'
import type { Change } from '../domain/change.ts'
import type { ChangeLog } from '../domain/data-stores.ts'
import { IndexNeed } from './index-need.ts'

/** Creates a decision over a log of changes of places, and an import that may hold its lock. */
function createNeed() {
  const state = { last: 0, places: 1_000_000, isPruned: false, isImporting: false, nowMs: 0 }
  const changeAt = (seq: number): Change => ({
    ...{ seq, kind: 'location', op: 'upsert', atMs: 0 },
    id: BigInt(seq % state.places),
  })
  const changes: Pick<ChangeLog, 'after' | 'lastSeq'> = {
    lastSeq: async () => state.last,
    after: async (seq, limit) => {
      if (state.isPruned) return undefined
      return Array.from({ length: Math.min(limit, state.last - seq) }, (_, i) => changeAt(seq + i + 1))
    },
  }
  const need = new IndexNeed({
    changes: changes as ChangeLog,
    locks: { isHeld: async () => state.isImporting },
    nowMs: () => state.nowMs,
  })
  return { state, need }
}

test('the shared index is built again after more than 5,000 changed places, or 20,000 changes', async () => {
  const { state, need } = createNeed()
  state.last = 5000
  expect(await need.isOutdated(0)).toBe(false)
  state.last = 5001
  expect(await need.isOutdated(0)).toBe(true)
  // The next index has these changes.
  expect(await need.isOutdated(5001)).toBe(false)
  state.places = 10
  state.last = 25_000
  expect(await need.isOutdated(5001)).toBe(false)
  state.last = 25_001
  expect(await need.isOutdated(5001)).toBe(true)
})

test('a build waits for the end of an import, or until it has changed nothing for a minute', async () => {
  const { state, need } = createNeed()
  state.isImporting = true
  state.last = 6000
  expect(await need.isOutdated(0)).toBe(false)
  state.nowMs = 59_000
  state.last = 7000
  expect(await need.isOutdated(0)).toBe(false)
  state.nowMs = 118_999
  expect(await need.isOutdated(0)).toBe(false)
  state.nowMs = 119_000
  expect(await need.isOutdated(0)).toBe(true)
  state.last = 8000
  expect(await need.isOutdated(0)).toBe(false)
  state.isImporting = false
  expect(await need.isOutdated(0)).toBe(true)
})

test('an index whose next changes have been pruned is built again', async () => {
  const { state, need } = createNeed()
  state.isPruned = true
  expect(await need.isOutdated(0)).toBe(true)
})
