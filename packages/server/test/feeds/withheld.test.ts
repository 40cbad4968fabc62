/** Builds that would delete many records of a feed. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { describeEngine } from '../../src/compose/engine.ts'
import { type FeedSchedulerEvent, startFeedScheduler } from '../../src/compose/feed-scheduler-thread.ts'
import { describeWithheld } from '../../src/compose/feed-status.ts'
import type { Config } from '../../src/config/load.ts'
import type { FeedName } from '../../src/domain/feed.ts'
import { createRandom } from '../../src/kit/random.ts'
import { Threads } from '../../src/kit/threads.ts'
import { periplus } from '../cli.ts'
import { settableClock } from '../clock.ts'
import { openModeration } from '../composed.ts'
import { send } from '../http-client.ts'
import { record } from '../record.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, makeKey, ndjson, scratch, startWorld } from '../world.ts'
import { buildFeeds, tryToBuild } from './builds.ts'
import { editions, feedsOf, isTombstone, pinnedKey, readSnapshot } from './snapshots.ts'

const folder = scratch()
afterAll(folder.remove)
let folders = 0
const hourMs = 3_600_000
let clock = settableClock(0)
beforeEach(() => {
  clock = settableClock(Date.UTC(2026, 10, 20, 12))
})

const newConfig = (): Config => configFor(join(folder.path, String(++folders)))
const ids = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i)
const place = (id: number) => ({ id, name: `Place ${id}`, lat: 1, lon: 1 })
const addPlaces = (config: Config, count: number, first = 1) =>
  importRows(config, 'location', ids(count, first).map(place))
const deletePlaces = (config: Config, count: number, first = 1) =>
  importRows(
    config,
    'location',
    ids(count, first).map(id => ({ id, deleted: true })),
  )
const places = { feeds: ['locations'] } as const
const summary = (config: Config, feed: FeedName, version = '1') =>
  (editions(config).find(({ edition }) => edition.feed === feed && edition.version === version)?.snapshots ?? []).map(
    ({ manifest: m }) => [m.sequence, m.kind, m.tombstones, m.records_of_result],
  )

/** A folder whose locations have a snapshot of `count` records; `deleted` of them are gone since. */
async function withDeletions(count: number, deleted: number): Promise<Config> {
  const config = newConfig()
  await addPlaces(config, count)
  await buildFeeds(config, clock, places)
  await deletePlaces(config, deleted)
  clock.ms += hourMs
  return config
}

describe('a build is published if it deletes at most 5 % of the records, or at most 20', () => {
  test.each([
    [10, 10, true],
    [100, 21, false],
    [400, 21, false],
    [1000, 50, true],
    [1000, 51, false],
    [60, 60, false],
  ])('of %i records, %i are deleted: %j', async (count, deleted, isPublished) => {
    const config = await withDeletions(count, deleted)
    const { built, withheld } = await tryToBuild(config, clock, { kind: 'delta', ...places })
    expect(built.map(({ manifest }) => [manifest.kind, manifest.tombstones])).toEqual(
      isPublished ? [['delta', deleted]] : [],
    )
    const atMs = clock.ms
    const found = { feed: 'locations', version: '1', reason: 'deletions', deletions: deleted, records: count }
    expect(withheld).toEqual(isPublished ? [] : [{ ...found, sinceMs: atMs, triedMs: atMs }])
  })

  test('for random changes', async () => {
    const config = newConfig()
    const next = createRandom(52)
    const upTo = (n: number) => Math.floor(next() * n)
    let first = 1
    let end = 501
    await addPlaces(config, end - first)
    await buildFeeds(config, clock, places)
    const outcomes = new Set<boolean>()
    for (let round = 0; round < 10; round++) {
      const before = end - first
      const deleted = Math.min(before, upTo(3) === 0 ? upTo(before) : upTo(45))
      await deletePlaces(config, deleted, first)
      first += deleted
      const added = upTo(40)
      await addPlaces(config, added, end)
      end += added
      const { built } = await tryToBuild(config, clock, { kind: upTo(4) === 0 ? 'full' : 'delta', ...places })
      const isAllowed = deleted <= Math.max(20, before / 20)
      expect([round, deleted, before, built.length > 0]).toEqual([round, deleted, before, isAllowed])
      outcomes.add(isAllowed)
      const forced = isAllowed ? built : (await tryToBuild(config, clock, { ...places, force: true })).built
      expect(forced[0]?.manifest).toMatchObject({ kind: 'delta', tombstones: deleted, records_of_result: end - first })
    }
    expect(outcomes.size).toBe(2)
  })

  test('erased records do not count, so that a new full follows an erasure of any size (R-45)', async () => {
    const config = newConfig()
    await addPlaces(config, 1)
    const review = (id: number) => ({ id, location_id: 1, text: `Text ${id}`, user_id: id <= 60 ? 'u1' : `u${id}` })
    await importRows(config, 'review', ids(100).map(review))
    const reviews = { feeds: ['reviews'] } as const
    await buildFeeds(config, clock, reviews)
    const moderation = openModeration(config)
    await moderation.reviews.eraseUser('import:u1', () => [], record())
    moderation.close()
    await importRows(
      config,
      'review',
      ids(20, 61).map(id => ({ id, deleted: true })),
    )
    const built = await buildFeeds(config, clock, { kind: 'due', ...reviews })
    expect(built.map(({ manifest: m }) => [m.kind, m.tombstones, m.records_of_result])).toEqual([
      ['delta', 80, 20],
      ['full', 0, 20],
    ])
  })

  test('hidden reviews count', async () => {
    const config = newConfig()
    await addPlaces(config, 1)
    await importRows(
      config,
      'review',
      ids(30).map(id => ({ id, location_id: 1, text: `Text ${id}` })),
    )
    await buildFeeds(config, clock, { feeds: ['reviews'] })
    const moderation = openModeration(config)
    for (const id of ids(21)) await moderation.reviews.hide(BigInt(id), record())
    moderation.close()
    const { built, withheld } = await tryToBuild(config, clock, { kind: 'delta', feeds: ['reviews'] })
    expect([built, withheld]).toMatchObject([[], [{ deletions: 21, records: 30 }]])
  })

  test('without the digests of the previous snapshot, the numbers of records are compared', async () => {
    const config = await withDeletions(100, 21)
    rmSync(join(editions(config)[0]!.snapshots[0]!.folder, 'digests.zst'))
    const withheld = await tryToBuild(config, clock, { kind: 'delta', ...places })
    expect(withheld).toMatchObject({ built: [], withheld: [{ deletions: 21, records: 100 }] })
    await addPlaces(config, 1)
    expect(
      (await buildFeeds(config, clock, { kind: 'delta', ...places })).map(({ manifest }) => manifest.kind),
    ).toEqual(['full'])
  })
})

test('a snapshot from another data store is not followed, whether it deletes records or not', async () => {
  const config = newConfig()
  await addPlaces(config, 50)
  await buildFeeds(config, clock, { kind: 'full' })
  for (const kept of [50, 40]) {
    for (const file of readdirSync(filesOf(config.data).generation)) rmSync(join(filesOf(config.data).generation, file))
    const again = ['import', '-', '--kind', 'locations', '--recreate', 'data', '--data', config.data]
    const { code } = await periplus(again, { stdin: ndjson(ids(kept).map(place)) })
    expect(code).toBe(0)
    const { built, withheld } = await tryToBuild(config, clock, { kind: kept === 50 ? 'delta' : 'full' })
    expect(built).toEqual([])
    expect(withheld.map(({ feed, reason, deletions }) => [feed, reason, deletions])).toEqual([
      ['locations', 'other_store', 50 - kept],
      ...['reviews', 'geos', 'enums'].map(feed => [feed, 'other_store', 0]),
    ])
    expect(describeWithheld(withheld[0]!)).toContain(
      `its last snapshot was built from another data store, and the next one would delete ${50 - kept} of 50 records. ` +
        "Restore a backup of that data store, then build again; or publish it with 'periplus feeds build --force'.",
    )
    const forced = await tryToBuild(config, clock, { kind: 'delta', force: true })
    expect(forced.built.map(({ manifest: m }) => [m.feed, m.tombstones, m.records_of_result])[0]).toEqual([
      ...['locations', 50 - kept, kept],
    ])
    expect((await tryToBuild(config, clock, { kind: 'delta' })).withheld).toEqual([])
  }
})

test('a restored backup is the same data store', async () => {
  const config = newConfig()
  await addPlaces(config, 100)
  await buildFeeds(config, clock, places)
  const [copy, restored] = [`${config.data}-copy`, configFor(`${config.data}-restored`)]
  expect((await periplus(['backup', copy, '--data', config.data])).code).toBe(0)
  expect((await periplus(['restore', copy, '--data', restored.data])).code).toBe(0)
  // The record of the newest snapshot could be newer than the copied snapshots.
  expect(existsSync(join(feedsOf(restored), 'locations/v1/last.json'))).toBe(false)
  expect((await periplus(['verify', '--data', restored.data])).code).toBe(0)
  await deletePlaces(restored, 10)
  const built = await buildFeeds(restored, clock, { kind: 'delta', ...places })
  expect(built.map(({ manifest: m }) => [m.sequence, m.tombstones])).toEqual([[2, 10]])
})

describe('while an edition is withheld', () => {
  test('nothing of it is published, also no full; other editions are, and --force publishes', async () => {
    const config = await withDeletions(100, 99)
    await importRows(config, 'location', [{ ...place(1000), category: 'geo:city' }])
    await pinnedKey(config, '2')
    for (const kind of ['full', 'delta', 'due'] as const) {
      const { built, withheld } = await tryToBuild(config, clock, { kind })
      expect(withheld.map(({ feed, version }) => [feed, version])).toEqual([['locations', '1']])
      expect(built.some(({ manifest: m }) => m.feed === 'locations' && m.version === '1')).toBe(false)
      expect(summary(config, 'locations')).toEqual([[1, 'full', 0, 100]])
      const files = readdirSync(join(feedsOf(config), 'locations', 'v1'))
      expect(files.filter(name => name.startsWith('draft-'))).toEqual([])
      clock.ms += 8 * 24 * hourMs
    }
    // Editions without a previous snapshot have nothing to delete.
    expect(summary(config, 'locations', '2')[0]).toEqual([1, 'full', 0, 2])
    expect(summary(config, 'geos')[0]).toEqual([1, 'full', 0, 1])
    const forced = await tryToBuild(config, clock, { kind: 'delta', force: true, ...places })
    expect(forced.withheld).toEqual([])
    expect(summary(config, 'locations')).toEqual([
      [1, 'full', 0, 100],
      [2, 'delta', 99, 2],
    ])
    const delta = editions(config)[0]!.snapshots[1]!
    expect([...readSnapshot(config, delta).values()].filter(isTombstone)).toHaveLength(99)
    expect((await tryToBuild(config, clock, { kind: 'delta', ...places })).withheld).toEqual([])
  })

  test('the schedule tries again every hour, and publishes when the records are back', async () => {
    const config = await withDeletions(100, 40)
    const due = () => tryToBuild(config, clock, { kind: 'due', ...places })
    expect(await due()).toEqual({ built: [], withheld: [] })
    clock.ms += 24 * hourMs
    const sinceMs = clock.ms
    expect(await due()).toMatchObject({ built: [], withheld: [{ sinceMs, triedMs: sinceMs }] })
    clock.ms += hourMs / 2
    expect(await due()).toEqual({ built: [], withheld: [] })
    clock.ms += hourMs / 2
    expect(await due()).toMatchObject({ built: [], withheld: [{ sinceMs, triedMs: sinceMs + hourMs }] })
    await addPlaces(config, 30)
    clock.ms += hourMs
    expect((await due()).built.map(({ manifest: m }) => [m.sequence, m.kind, m.tombstones])).toEqual([[2, 'delta', 10]])
    expect(await due()).toEqual({ built: [], withheld: [] })
  })

  test('an edition that is no longer built is no longer reported', async () => {
    const config = newConfig()
    await pinnedKey(config, '0')
    await addPlaces(config, 100)
    await buildFeeds(config, clock, places)
    await deletePlaces(config, 50)
    expect((await tryToBuild(config, clock, places)).withheld).toHaveLength(2)
    const ended = configFor(config.data, { 'feeds.endedVersions': ['0'] })
    expect((await tryToBuild(ended, clock, { feeds: [] })).withheld).toEqual([])
    const { withheld } = (await periplus(['feeds', 'list', '--data', config.data, '--json'])).json<{
      withheld: object[]
    }>()
    expect(withheld).toMatchObject([{ feed: 'locations', version: '1' }])
  })

  test('the thread of the scheduler reports it', async () => {
    const config = await withDeletions(100, 40)
    // The snapshot has the time of the test, so that a delta is due.
    await makeKey(config, { packageName: 'innovate' })
    const events: FeedSchedulerEvent[] = []
    const task = { engine: describeEngine(config), config, firstMs: 0, everyMs: 100 }
    const scheduler = startFeedScheduler(new Threads(), task, event => events.push(event))
    try {
      await expect
        .poll(() => events.filter(event => 'withheld' in event))
        .toMatchObject([{ withheld: [{ deletions: 40 }] }])
    } finally {
      await scheduler.stop()
    }
  })
})

test('commands, /readyz and metrics say what is withheld and how to continue', async () => {
  const world = await startWorld({ 'server.adminPort': 0 }, ids(100).map(place))
  const { data } = world.config
  const run = (...args: string[]) => periplus([...args, '--data', data])
  const locations = ['--feed', 'locations']
  const metric = async () =>
    /^periplus_feed_withheld\{feed="locations",version="1"\} (\d)$/m.exec(
      (await send(world.adminUrl!, '/metrics')).text,
    )?.[1]
  const notes = async () => (await send(world.adminUrl!, '/readyz')).text
  try {
    expect((await run('feeds', 'build', '--feed', 'locations', 'reviews')).code).toBe(0)
    expect([await metric(), await notes()]).toEqual(['0', expect.not.stringContaining('withheld')])

    const rest = ndjson(ids(60, 41).map(id => ({ source: 'import', source_id: String(id), ...place(id) })))
    const replaced = await periplus(
      ['import', '-', '--kind', 'locations', '--replace', '--source', 'import', '--force', '--data', data],
      {
        stdin: rest,
      },
    )
    expect([replaced.code, replaced.stderr + replaced.stdout]).toEqual([
      0,
      expect.stringContaining(
        "Feeds that lose more than 5 % of their records are published by 'periplus feeds build --force'.",
      ),
    ])

    const failed = await run('feeds', 'build', ...locations)
    const sentence =
      /^The feed locations in version 1 has been withheld since \S+Z: it would delete 40 of 100 records, more than 5 %\. Import the missing records or restore a backup, then build again; or publish it with 'periplus feeds build --force'\.\n$/
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) })
    const withheld = [
      { feed: 'locations', version: '1', reason: 'deletions', deletions: 40, records: 100, since: expect.any(String) },
    ]
    const mixed = await run('feeds', 'build', '--feed', 'locations', 'reviews', '--json')
    expect([mixed.code, mixed.json()]).toEqual([1, { built: [expect.objectContaining({ feed: 'reviews' })], withheld }])
    const list = await run('feeds', 'list')
    expect([list.code, list.stdout]).toEqual([0, expect.stringContaining('it would delete 40 of 100 records')])
    expect((await run('feeds', 'list', ...locations, '--json')).json()).toMatchObject({ withheld })
    expect([await metric(), await notes()]).toEqual(['1', expect.stringContaining('it would delete 40 of 100 records')])
    expect((await send(world.adminUrl!, '/readyz')).status).toBe(200)
    expect((await world.get('/feeds/locations/snapshots')).json()).toMatchObject({ data: [{ sequence: 1 }] })

    const forced = await run('feeds', 'build', ...locations, '--force')
    expect([forced.code, forced.stderr]).toEqual([0, ''])
    expect([await metric(), await notes()]).toEqual(['0', expect.not.stringContaining('withheld')])
    expect((await world.get('/feeds/locations/deltas?after=1')).json()).toMatchObject({ data: [{ tombstones: 40 }] })
  } finally {
    await world.close()
  }
})
