import { expect, it } from 'vitest'
import type { DownloadLease, DownloadLeases } from '../../domain/download-leases.ts'
import { StoreFailure } from '../../domain/store-errors.ts'
import { LeasedDownloads } from './leased-downloads.ts'
import type { Scheduler } from './scheduler.ts'

const settings = { parallelDownloads: 2, snapshotsPerDay: 9 }
const nextTurn = () => new Promise(resolve => setImmediate(resolve))

/** Creates a scheduler whose time a test advances. */
function manualScheduler() {
  let nowMs = 0
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  const scheduler: Scheduler = {
    monotonicUs: () => nowMs * 1000,
    after: (ms, run) => {
      const timer = { atMs: nowMs + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    endOfTurn: setImmediate,
    random: () => 0,
  }
  const advance = async (ms: number) => {
    const untilMs = nowMs + ms
    for (;;) {
      await nextTurn()
      const [next] = [...timers].sort((a, b) => a.atMs - b.atMs)
      if (!next || next.atMs > untilMs) break
      nowMs = next.atMs
      timers.delete(next)
      next.run()
    }
    nowMs = untilMs
  }
  return { scheduler, advance, timers }
}

/** Creates leases in memory that a test can take away, and the downloads of one node over them. */
function node() {
  const time = manualScheduler()
  const rows = new Map<string, DownloadLease>()
  const state = { isAway: false, renewals: 0, beforeRenewal: async () => {} }
  const check = () => {
    if (state.isAway) throw new StoreFailure('unavailable', 'Database test')
  }
  const openOf = (keyId: string) => [...rows.values()].filter(row => row.keyId === keyId).length
  const leases: DownloadLeases = {
    open: async (lease, _since, decide) => {
      check()
      if (decide({ open: openOf(lease.keyId), started: [] })) rows.set(lease.id, lease)
    },
    renew: async held => {
      await state.beforeRenewal()
      check()
      state.renewals++
      for (const lease of held) rows.set(lease.id, lease)
    },
    end: async ids => {
      check()
      for (const id of ids) rows.delete(id)
    },
    downloadsOf: async keyId => ({ open: openOf(keyId), started: [] }),
    close: async () => {},
  }
  const downloads = new LeasedDownloads(settings, leases, time.scheduler)
  const start = async () => {
    const started = await downloads.start('k', 's', 0)
    if ('refused' in started) throw new Error(started.detail)
    return started
  }
  return { ...time, rows, state, downloads, start }
}

it('renews open leases every 20 s, two seconds after a failure, and opens again what has ended', async () => {
  const { advance, rows, state, start, timers } = node()
  const slot = await start()
  await advance(20_000)
  expect(state.renewals).toBe(1)
  state.isAway = true
  await advance(61_000)
  rows.clear()
  state.isAway = false
  await advance(2000)
  expect([state.renewals, rows.size]).toEqual([2, 1])
  slot.release()
  await advance(20_000)
  expect([state.renewals, rows.size, timers.size]).toEqual([2, 0, 0])
})

it('stores the end of a download after an outage', async () => {
  const { advance, rows, state, downloads, start } = node()
  const slot = await start()
  state.isAway = true
  slot.release()
  slot.release()
  await expect(start()).rejects.toThrow(StoreFailure)
  await advance(10_000)
  expect([rows.size, downloads.open]).toEqual([1, 0])
  state.isAway = false
  await advance(2000)
  expect(rows.size).toBe(0)
  await start()
})

it('does not open a lease again that ends during its renewal', async () => {
  const { advance, rows, state, start } = node()
  const slot = await start()
  const { promise, resolve } = Promise.withResolvers<void>()
  state.beforeRenewal = () => promise
  await advance(20_000)
  slot.release()
  await nextTurn()
  resolve()
  await advance(0)
  expect([state.renewals, rows.size]).toEqual([1, 0])
})

it('decides again after 250 ms while other nodes have all downloads open', async () => {
  const { advance, rows, start } = node()
  for (const id of ['a', 'b']) rows.set(id, { id, keyId: 'k' })
  const waiting = start()
  await advance(249)
  rows.delete('a')
  await advance(1)
  const slot = await waiting
  const refused = expect(start()).rejects.toThrow('2 are open')
  await advance(250)
  await refused
  slot.release()
})

it('ends all leases when it closes, and needs no database for that', async () => {
  const { rows, state, downloads, start, timers } = node()
  await start()
  await downloads.close()
  expect([rows.size, timers.size]).toEqual([0, 0])
  const other = node()
  await other.start()
  other.state.isAway = true
  await other.downloads.close()
  expect([other.timers.size, state.renewals]).toEqual([0, 0])
})
