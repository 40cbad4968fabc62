/** Pruning of the change log, and its effects on the readers of the log (ARCHITECTURE.md). */
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/compose/build-index.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { pruneChanges } from '../../src/compose/prune-changes.ts'
import { composeServer } from '../../src/compose/server.ts'
import type { Config } from '../../src/config/load.ts'
import type { Engine } from '../../src/domain/stores.ts'
import { settableClock } from '../clock.ts'
import { openModeration, verifyFolder } from '../composed.ts'
import { buildFeeds, withdrawErasedSnapshots } from '../feeds/builds.ts'
import { editions, readSnapshot } from '../feeds/snapshots.ts'
import { send } from '../http-client.ts'
import { record } from '../record.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, makeKey, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)
let folders = 0
const fresh = () => configFor(join(folder.path, String(++folders)))

const dayMs = 86_400_000
const everything = Number.MAX_SAFE_INTEGER
const place = (id: number, name = `Place ${id}`) => ({ id, name, lat: 1, lon: 1 })
const review = (id: number) => ({ id, location_id: 1, text: `Text ${id}` })

async function withEngine<T>(config: Config, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = openConfiguredEngine(config, { create: false })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Removes every line except the newest, even if a reader needs it. */
const pruneAll = (config: Config) =>
  withEngine(config, ({ changes }) => changes.prune({ beforeMs: everything, keepFromSeq: everything, limit: 1000 }))

const prune = (config: Config, nowMs: number) =>
  withEngine(config, async ({ changes }) => {
    const { index, feeds } = filesOf(config.data)
    return pruneChanges({ changes, index, feeds, keepDays: 35, keepDeltaDays: 35, nowMs })
  })

const oldestKept = (config: Config) =>
  withEngine(config, async ({ changes }) => {
    for (let seq = 0; ; seq++) if (await changes.after(seq, 1)) return seq + 1
  })

describe('a round of pruning', () => {
  test('removes only lines older than the configured age', async () => {
    const config = fresh()
    await importRows(config, 'location', [place(1), place(2), place(3)])
    const now = Date.now()
    expect(await prune(config, now + 34 * dayMs)).toBe(0)
    expect(await prune(config, now + 36 * dayMs)).toBe(2)
    expect(await prune(config, now + 36 * dayMs)).toBe(0)
    expect(await oldestKept(config)).toBe(3)
  })

  test('keeps the lines after the revision of the index file', async () => {
    const config = fresh()
    await importRows(config, 'location', [place(1), place(2)])
    await withEngine(config, engine => buildIndex(engine, filesOf(config.data).index, { nowMs: 0 }))
    await importRows(config, 'location', [place(3), place(4)])
    expect(await prune(config, Date.now() + 100 * dayMs)).toBe(1)
    expect(await oldestKept(config)).toBe(2)
  })

  test('keeps the lines after the newest feed snapshots until those are old, too', async () => {
    const config = fresh()
    const clock = settableClock(Date.now() + 100 * dayMs)
    await importRows(config, 'location', [place(1), place(2)])
    await buildFeeds(config, clock, {})
    await importRows(config, 'location', [place(3), place(4)])
    expect(await prune(config, clock.ms + 34 * dayMs)).toBe(1)
    expect(await oldestKept(config)).toBe(2)
    expect(await prune(config, clock.ms + 36 * dayMs)).toBe(2)
  })
})

describe('after needed lines were pruned', () => {
  test('a delta of a feed compares all records', async () => {
    const config = fresh()
    const clock = settableClock(Date.UTC(2026, 10, 20))
    const request = { feeds: ['locations'] } as const
    await importRows(config, 'location', [place(1), place(2), place(3)])
    await buildFeeds(config, clock, request)
    await importRows(config, 'location', [{ id: 1, deleted: true }, place(2, 'Renamed'), place(4)])
    await pruneAll(config)
    await buildFeeds(config, clock, { ...request, kind: 'delta' })
    const delta = editions(config)
      .flatMap(({ snapshots }) => snapshots)
      .at(-1)!
    expect(delta.manifest).toMatchObject({ kind: 'delta', upserts: 2, tombstones: 1, records_of_result: 3 })
    expect([...readSnapshot(config, delta).keys()]).toEqual(['1', '2', '4'])
  })

  test('a snapshot that contains an erased record is still withdrawn', async () => {
    const config = fresh()
    const clock = settableClock(Date.UTC(2026, 10, 20))
    await importRows(config, 'location', [place(1)])
    await importRows(config, 'review', [review(1), review(2)])
    await buildFeeds(config, clock, { feeds: ['reviews'] })
    const moderation = openModeration(config)
    await moderation.reviews.erase(2n, record())
    await moderation.close()
    await importRows(config, 'location', [place(2)])
    await pruneAll(config)
    expect(await withdrawErasedSnapshots(config, clock)).toMatchObject([{ feed: 'reviews' }])
  })

  test('the service rebuilds the index at its start, and verify reports the outdated index before', async () => {
    const config = fresh()
    await importRows(config, 'location', [place(1, 'Alpha')])
    await withEngine(config, engine => buildIndex(engine, filesOf(config.data).index, { nowMs: 0 }))
    await importRows(config, 'location', [place(2, 'Omega'), place(3, 'Zeta')])
    await pruneAll(config)
    const { secret } = await makeKey(config)
    const problems: string[] = []
    problems.push(...(await verifyFolder(config)))
    expect(problems).toEqual([expect.stringContaining('the change log starts later')])
    const running = await composeServer(config, { demo: false })
    const url = await running.listen()
    const found = async (query: string) =>
      (await send(url, `/locations/search?query=${query}`, { headers: { 'X-API-Key': secret } })).text
    await expect.poll(() => found('omega')).toContain('Omega')
    await running.drain()
  })

  test('a running service that missed the changes serves the stored records', async () => {
    const config = fresh()
    await importRows(config, 'location', [place(1, 'Old')])
    const { secret } = await makeKey(config)
    const running = await composeServer(config, { demo: false })
    const url = await running.listen()
    const name = async () => (await send(url, '/locations/1', { headers: { 'X-API-Key': secret } })).text
    for (let i = 0; i < 3; i++) expect(await name()).toContain('Old')
    await importRows(config, 'location', [place(1, 'New'), place(2)])
    await pruneAll(config)
    await expect.poll(name).toContain('New')
    await running.drain()
  })
})
