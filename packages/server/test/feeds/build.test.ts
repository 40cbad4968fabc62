/** Feed builds: the lines, snapshots, expiry and withdrawal of what they publish. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Config, Overrides } from '../../src/config/load.ts'
import type { FeedName, FeedSnapshot } from '../../src/domain/feed.ts'
import type { FeedBuildRequest } from '../../src/domain/feed-build.ts'
import { createRandom } from '../../src/kit/random.ts'
import { dataMigrations } from '../../src/store/sqlite/migrations/data.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { settableClock } from '../clock.ts'
import { openModeration } from '../composed.ts'
import { record } from '../record.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { deletions, locations, reviews } from '../world-rows.ts'
import { buildFeeds, withdrawErasedSnapshots } from './builds.ts'
import {
  checksumOf,
  editions,
  type FeedLine,
  feedsOf,
  hasAllParts,
  isTombstone,
  parse,
  pinnedKey,
  readSnapshot,
} from './snapshots.ts'

const folder = scratch()
afterAll(folder.remove)
let folders = 0
const dayMs = 86_400_000
let clock = settableClock(0)
beforeEach(() => {
  clock = settableClock(Date.UTC(2026, 10, 20, 12))
})

const newConfig = (flags: Overrides = {}): Config =>
  configFor(join(folder.path, String(++folders)), { 'server.publicUrl': 'https://places.example', ...flags })
const build = (config: Config, request: FeedBuildRequest = {}) => buildFeeds(config, clock, request)
const place = (id: number | bigint, more: object = {}) => ({ id, name: `Place ${id}`, lat: 1, lon: 1, ...more })
const snapshots = (config: Config, feed: FeedName, version = '1'): FeedSnapshot[] =>
  editions(config).find(({ edition }) => edition.feed === feed && edition.version === version)?.snapshots ?? []
const newest = (config: Config, feed: FeedName, version = '1') => snapshots(config, feed, version).at(-1)!
const lines = (config: Config, feed: FeedName, version = '1'): FeedLine[] =>
  [...readSnapshot(config, newest(config, feed, version)).values()].map(parse)
const summary = (list: readonly FeedSnapshot[]) =>
  list.map(({ manifest: m }) => [m.snapshot_id, m.sequence, m.kind, m.upserts, m.tombstones])
const goneFile = (config: Config, feed: FeedName, id: string) => {
  const file = join(feedsOf(config), feed, 'v1', id, 'gone.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

describe('version 0 and version 1 lines differ as each row of SPEC §9.5 says', () => {
  const config = newConfig()
  const v = (feed: FeedName) => {
    const of = (version: string) => new Map(lines(config, feed, version).map(line => [String(line.id), line]))
    return { v0: of('0'), v1: of('1') }
  }
  test('builds both versions', async () => {
    await pinnedKey(config, '0')
    await importRows(config, 'location', locations)
    await importRows(config, 'review', reviews)
    await importRows(config, 'location', deletions)
    await build(config)
    expect(v('locations').v0.size).toBe(v('locations').v1.size)
    expect(newest(config, 'locations', '0').manifest.deprecation).toEqual({
      deprecated_at: '2024-11-06T00:00:00Z',
      sunset_at: '2025-11-06T00:00:00Z',
      successor_version: '1',
    })
    expect(newest(config, 'locations').manifest).not.toHaveProperty('deprecation')
  })
  test('status.value is a string with the same values', () => {
    const { v0, v1 } = v('locations')
    expect([...v1.keys()].filter(id => v1.get(id).status).map(id => v0.get(id).status.value)).toEqual(
      [...v1.values()].filter(line => line.status).map(line => line.status.value),
    )
  })
  test('review ids are strings in version 0 and 64-bit numbers in version 1', () => {
    const { v0, v1 } = v('reviews')
    expect([...v0.values()].every(line => typeof line.id === 'string')).toBe(true)
    expect([...v1.values()].every(line => typeof line.id !== 'string')).toBe(true)
    expect([...v0.keys()]).toEqual([...v1.keys()])
  })
  test.each(['locations', 'reviews'] as const)('%s: subratings, breakdowns and language_counts have moved', feed => {
    const { v0, v1 } = v(feed)
    const rated = [...v1].filter(([, line]) => line.traveler_ratings?.breakdowns)
    expect(rated.length).toBeGreaterThan(0)
    for (const [id, line] of rated) {
      const { overall, ...rest } = v0.get(id).traveler_ratings
      expect(rest).toEqual({})
      expect(overall.breakdowns).toEqual(line.traveler_ratings.breakdowns)
      expect(line.traveler_ratings.overall).not.toHaveProperty('breakdowns')
    }
  })
  test('subratings have gained icon_url and type_name', () => {
    expect(v('locations').v0.get('1').traveler_ratings.overall.subratings).toEqual([
      { type: 'value', rating: 4.5, count: 800 },
    ])
    expect(v('locations').v1.get('1').traveler_ratings.subratings).toEqual([
      {
        type: 'value',
        rating: 4.5,
        count: 800,
        type_name: 'Value',
        icon_url: 'https://places.example/icons/subratings/value.svg',
      },
    ])
    expect(v('reviews').v0.get('101').subratings).toContainEqual({ type: 'value', rating: 5 })
    expect(v('reviews').v1.get('101').subratings[0]).toHaveProperty('icon_url.key', 'subrating_value')
  })
  test('rating_icon_url is present whenever a rating is', () => {
    const { v0, v1 } = v('reviews')
    for (const [id, line] of v1) {
      expect('rating_icon_url' in line).toBe('rating' in line)
      expect(v0.get(id)).toHaveProperty('rating_icon_url')
    }
  })
  test('absent data is null, [] or {} in version 0 and omitted in version 1', () => {
    const { v0, v1 } = v('locations')
    expect(v0.get('5')).toMatchObject({ geo: null, descriptions: [], accommodation: {}, traveler_ratings: {} })
    for (const name of ['geo', 'descriptions', 'accommodation', 'traveler_ratings'])
      expect(v1.get('5')).not.toHaveProperty(name)
  })
  test('tombstones use the same form of review id as lines', async () => {
    const moderation = openModeration(config)
    await moderation.reviews.hide(101n, record())
    moderation.close()
    await build(config, { kind: 'delta' })
    const tombstone = (version: string) => lines(config, 'reviews', version).find(line => line.op === 'delete')
    expect([tombstone('0').id, tombstone('1').id]).toEqual(['101', 101])
  })
})

describe('enums feed (R-45)', () => {
  test('contains known values and values in use, with the labels of each version', async () => {
    const config = newConfig()
    await pinnedKey(config, '0')
    await pinnedKey(config, '2')
    await importRows(config, 'location', [place(1, { category: 'Odd kind', subratings: { 'My own': 4 }, rating: 4 })])
    await importRows(config, 'location', [
      { ...place(2), categories: [{ id: 'Tea house', display_name: 'Tea', top_level_category: 'RESTAURANT' }] },
    ])
    await build(config)
    const word = (id: string, version: string) => lines(config, 'enums', version).find(line => line.id === id)
    expect(word('category:odd_kind', '1')).toMatchObject({ value: 'odd_kind', top_level_category: 'OTHER' })
    expect(word('category:Tea%20house', '1')).toMatchObject({ value: 'Tea house', display_name: 'Tea' })
    expect(word('category:hotel', '2')).toEqual({
      id: 'category:hotel',
      enum: 'category',
      value: { id: 'hotel', display_name: 'Hotel' },
      hierarchy: ['Hotels', 'Hotel'],
      top_level_category: { id: 'HOTEL', display_name: 'Hotels' },
    })
    expect(word('subrating_type:my_own', '1')).toMatchObject({ display_name: 'My own' })
    expect(word('trip_type:COUPLES', '0')).toMatchObject({ value: 'COUPLES', hierarchy: [], top_level_category: null })
    await importRows(config, 'location', [{ id: 1, deleted: true }])
    await build(config, { kind: 'delta' })
    expect(lines(config, 'enums')).toEqual([
      { op: 'delete', id: 'category:odd_kind', reason: 'removed', at: '2026-11-20T12:00:00Z' },
      { op: 'delete', id: 'subrating_type:my_own', reason: 'removed', at: '2026-11-20T12:00:00Z' },
    ])
  })
})

describe('snapshots (R-45)', () => {
  test('a full build first publishes the delta up to it unless nothing changed; a delta may be empty', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1), place(2)])
    const locationsOnly = { feeds: ['locations'] } as const
    await build(config, { kind: 'delta', ...locationsOnly })
    await build(config, { kind: 'delta', ...locationsOnly })
    await importRows(config, 'location', [place(3), { id: 1, deleted: true }])
    await build(config, { kind: 'full', ...locationsOnly })
    clock.ms += dayMs
    await build(config, { kind: 'full', ...locationsOnly })
    await build(config, { kind: 'delta', ...locationsOnly })
    expect(summary(snapshots(config, 'locations'))).toEqual([
      ['2026-11-20.0-v1', 1, 'full', 2, 0],
      ['2026-11-20.1-v1', 2, 'delta', 0, 0],
      ['2026-11-20.2-v1', 3, 'delta', 1, 1],
      ['2026-11-20.3-v1', 4, 'full', 2, 0],
      ['2026-11-21.0-v1', 5, 'full', 2, 0],
      ['2026-11-21.1-v1', 6, 'delta', 0, 0],
    ])
    const links = snapshots(config, 'locations').map(({ manifest: m }) => [
      m.base_snapshot_id,
      m.previous_delta,
      m.applies_to,
    ])
    expect(links).toEqual([
      [undefined, undefined, undefined],
      ['2026-11-20.0-v1', undefined, ['2026-11-20.0-v1']],
      ['2026-11-20.0-v1', '2026-11-20.1-v1', ['2026-11-20.0-v1', '2026-11-20.1-v1']],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
      ['2026-11-21.0-v1', '2026-11-20.2-v1', ['2026-11-20.2-v1', '2026-11-20.3-v1', '2026-11-21.0-v1']],
    ])
  })

  test('a removed or merged place gets a tombstone, with or without reviews', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1), place(2), place(3), place(4), place(5)])
    const reviewOf = (id: number) => ({ id, location_id: id, text: `Of ${id}`, rating: 4 })
    await importRows(config, 'review', [reviewOf(1), reviewOf(3), reviewOf(5)])
    await build(config)
    await importRows(config, 'location', [
      ...[1, 2].map(id => ({ id, deleted: true })),
      ...[3, 4].map(id => place(id, { merged_into: 5 })),
    ])
    clock.ms += dayMs
    await build(config, { kind: 'delta' })
    const tombstones = (feed: FeedName) => lines(config, feed).filter(line => line.op === 'delete')
    expect(tombstones('locations').map(({ op: _, at: __, ...rest }) => rest)).toEqual([
      { id: 1, reason: 'removed' },
      { id: 2, reason: 'removed' },
      { id: 3, reason: 'merged', merged_into: 5 },
      { id: 4, reason: 'merged', merged_into: 5 },
    ])
    const { created_at } = newest(config, 'locations').manifest
    for (const { at } of tombstones('locations'))
      expect(at, 'the time of the removal, not of the build').not.toBe(created_at)
    expect(tombstones('reviews')).toMatchObject([{ id: 1, reason: 'removed' }])
  })

  test('a change that is invisible in a version produces no line', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1, { population: 10 })])
    await build(config, { feeds: ['locations'] })
    const { report } = await importRows(config, 'location', [place(1, { population: 20 })])
    expect(report.changed).toBe(1)
    await build(config, { kind: 'delta', feeds: ['locations'] })
    expect(newest(config, 'locations').manifest).toMatchObject({ kind: 'delta', records: 0, files: [] })
  })

  test('builds a full where one is due and a delta otherwise, if no kind is requested', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1)])
    const kinds = async () => (await build(config, { feeds: ['geos'] })).map(({ manifest }) => manifest.kind)
    expect(await kinds()).toEqual(['full'])
    expect(await kinds()).toEqual(['delta'])
    clock.ms += 7 * dayMs
    expect(await kinds()).toEqual(['full'])
  })

  test('the schedule builds only the snapshots that are due', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1)])
    const kinds = async () =>
      (await build(config, { kind: 'due', feeds: ['locations'] })).map(({ manifest }) => manifest.kind)
    expect(await kinds()).toEqual(['full'])
    expect(await kinds()).toEqual([])
    clock.ms += dayMs
    expect(await kinds()).toEqual(['delta'])
    clock.ms += 6 * dayMs
    await importRows(config, 'location', [place(2)])
    expect(await kinds()).toEqual(['delta', 'full'])
  })

  test('any 64-bit id and any text; ids ascend across parts, which are filled up to the limit', async () => {
    const config = newConfig({ 'feeds.partMb': 1 })
    const next = createRandom(7)
    // Incompressible text, so that parts fill quickly.
    const noise = () =>
      Array.from({ length: 600 }, () => String.fromCodePoint(0x4e00 + Math.floor(next() * 20_000))).join('')
    const ids = [1n, 9n, 10n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 2n, 2n ** 63n - 1n]
    for (let i = 0n; i < 2500n; i++) ids.push(10n ** (2n + (i % 17n)) + 7n * i)
    const rows = ids.map(id => place(id, { description: noise(), name: `Ω ${id} \u2028 "\\ 😀` }))
    await importRows(config, 'location', rows)
    await build(config, { feeds: ['locations'] })
    const snapshot = newest(config, 'locations')
    const read = readSnapshot(config, snapshot)
    expect([...read.keys()]).toEqual([...new Set(ids)].sort((a, b) => (a < b ? -1 : 1)).map(String))
    expect(parse(read.get('9223372036854775807')!).names[0].value).toBe('Ω 9223372036854775807 \u2028 "\\ 😀')
    expect(checksumOf('locations', read)).toBe(snapshot.manifest.checksum_of_result)
    const sizes = snapshot.manifest.files.map(file => file.bytes)
    expect(sizes.length).toBeGreaterThan(3)
    // Only the last part may be small.
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThan(0.8 * 1024 * 1024)
  })

  test('compresses with gzip on request', async () => {
    const config = newConfig({ 'feeds.encoding': 'gzip', 'feeds.partMb': 1 })
    await importRows(
      config,
      'location',
      Array.from({ length: 3000 }, (_, i) => place(i + 1)),
    )
    await build(config, { feeds: ['locations'] })
    expect(newest(config, 'locations').manifest.files[0]).toMatchObject({
      name: 'part-00000.ndjson.gz',
      encoding: 'gzip',
    })
    expect(readSnapshot(config, newest(config, 'locations')).size).toBe(3000)
  })

  test('a changed public URL changes every line with an icon URL, and no other line', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1, { rating: 4, review_count: 1 }), place(2)])
    await build(config, { feeds: ['locations'] })
    const moved = configFor(config.data, { 'server.publicUrl': 'https://elsewhere.example' })
    await build(moved, { kind: 'delta', feeds: ['locations'] })
    expect(lines(moved, 'locations').map(line => line.id)).toEqual([1])
    expect(newest(moved, 'locations').manifest.schema_url).toBe(
      'https://elsewhere.example/feeds/schemas/locations-1.schema.json',
    )
  })

  test('uses the last public URL of the service if the configuration has none', async () => {
    const config = configFor(join(folder.path, String(++folders)))
    await importRows(config, 'location', [place(1)])
    writeFileSync(join(config.data, 'public-url'), 'http://127.0.0.1:4711/base\n')
    await build(config, { feeds: ['locations'] })
    expect(newest(config, 'locations').manifest.schema_url).toMatch(/^http:\/\/127\.0\.0\.1:4711\/base\/feeds\//)
  })

  test('compares all records after a store was restored and then changed differently', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1), place(2)])
    await build(config, { feeds: ['locations'] })
    const db = openSqlite(filesOf(config.data).data, dataMigrations, { synchronous: 'NORMAL' })
    // As after restoring an older backup: the same change numbers, different changes.
    db.exec(`DELETE FROM locations WHERE id = 2; UPDATE changes SET id = 3, at_ms = at_ms + 1 WHERE seq = 2`)
    db.close()
    await importRows(config, 'location', [place(4)])
    await build(config, { kind: 'delta', feeds: ['locations'] })
    expect(lines(config, 'locations').map(line => [line.op ?? 'upsert', line.id])).toEqual([
      ['delete', 2],
      ['upsert', 4],
    ])
  })

  test('builds the latest stable version and the versions that keys with feed access are pinned to', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1)])
    await pinnedKey(config, '0')
    const versions = async (of: Config) => [...new Set((await build(of)).map(({ manifest }) => manifest.version))]
    expect(await versions(config)).toEqual(['0', '1'])
    const ended = configFor(config.data, { 'feeds.endedVersions': ['0'] })
    expect(await versions(ended)).toEqual(['1'])
  })

  test('a build reads one consistent state while an import commits', async () => {
    const config = newConfig()
    const generation = (n: number) => Array.from({ length: 3000 }, (_, i) => place(i + 1, { name: `Generation ${n}` }))
    await importRows(config, 'location', generation(0))
    const building = build(config, { feeds: ['locations'] })
    // The build is already reading while the import commits batches of 1,000 rows.
    for (let n = 1; n <= 3; n++) await importRows(config, 'location', generation(n))
    await building
    const names = new Set(lines(config, 'locations').map(line => line.names[0].value))
    expect(names.size).toBe(1)
    await build(config, { kind: 'delta', feeds: ['locations'] })
    expect(new Set(lines(config, 'locations').map(line => line.names[0].value))).toEqual(new Set(['Generation 3']))
  })
})

describe('expiry and withdrawal (R-45)', () => {
  test('fulls expire after 28 days and deltas after 35, except the newest full and the deltas after it', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1)])
    const one = { feeds: ['locations'] } as const
    await build(config, { kind: 'full', ...one })
    clock.ms += dayMs
    await importRows(config, 'location', [place(2)])
    await build(config, { kind: 'delta', ...one })
    clock.ms += 60 * dayMs
    await build(config, { kind: 'delta', ...one })
    expect(snapshots(config, 'locations').map(s => s.manifest.sequence)).toEqual([1, 2, 3])
    await importRows(config, 'location', [place(3)])
    await build(config, { kind: 'full', ...one })
    expect(snapshots(config, 'locations').map(s => s.manifest.sequence)).toEqual([3, 4, 5])
    expect(goneFile(config, 'locations', '2026-11-20.0-v1')).toEqual({ reason: 'expired', at: '2027-01-20T12:00:00Z' })
    expect(existsSync(join(feedsOf(config), 'locations/v1/2026-11-20.0-v1/part-00000.ndjson.zst'))).toBe(false)
    expect(snapshots(config, 'locations').every(hasAllParts)).toBe(true)
    clock.ms += 30 * dayMs
    await build(config, { kind: 'delta', ...one })
    expect(snapshots(config, 'locations').map(s => s.manifest.sequence)).toEqual([3, 4, 5, 6])
    clock.ms += 6 * dayMs
    await build(config, { kind: 'full', ...one })
    expect(snapshots(config, 'locations').map(s => s.manifest.sequence)).toEqual([6, 7])
  })

  test('withdraws snapshots with an erased record at once, which makes a new full due', async () => {
    const config = newConfig()
    const one = { feeds: ['reviews'] } as const
    await importRows(config, 'location', [place(1)])
    const review = (id: number) => ({ id, location_id: 1, text: `Text ${id}`, user_id: `u${id}` })
    await importRows(config, 'review', [review(1), review(2)])
    await build(config, one)
    await importRows(config, 'review', [review(3)])
    await build(config, one)
    await importRows(config, 'review', [review(4)])
    await build(config, one)
    const before = newest(config, 'reviews').manifest
    const moderation = openModeration(config)
    await moderation.reviews.erase(3n, record())
    moderation.close()
    clock.ms += 60_000
    expect(await withdrawErasedSnapshots(config, clock)).toEqual([
      { feed: 'reviews', version: '1', snapshotId: '2026-11-20.1-v1' },
    ])
    expect(goneFile(config, 'reviews', '2026-11-20.1-v1')).toEqual({ reason: 'erased', at: '2026-11-20T12:01:00Z' })
    expect(await withdrawErasedSnapshots(config, clock)).toEqual([])
    // A client whose last snapshot precedes the withdrawn delta needs a full.
    const built = await build(config, { kind: 'due', ...one })
    expect(built.map(({ manifest }) => [manifest.kind, manifest.sequence])).toEqual([
      ['delta', 4],
      ['full', 5],
    ])
    expect(built[0]!.manifest.applies_to).toEqual([before.snapshot_id])
    const [delta, full] = snapshots(config, 'reviews').slice(-2)
    expect([...readSnapshot(config, delta!).values()].map(parse)).toContainEqual(
      expect.objectContaining({ op: 'delete', id: 3, reason: 'erased' }),
    )
    expect([...readSnapshot(config, full!).keys()]).toEqual(['1', '2', '4'])
    expect(await build(config, { kind: 'due', ...one })).toEqual([])
  })

  test('the next delta applies to the newest snapshot even if that was withdrawn', async () => {
    const config = newConfig()
    const one = { feeds: ['reviews'] } as const
    await importRows(config, 'location', [place(1)])
    await importRows(config, 'review', [{ id: 7, location_id: 1, text: 'Seven' }])
    await build(config, one)
    const moderation = openModeration(config)
    await moderation.reviews.erase(7n, record())
    moderation.close()
    await withdrawErasedSnapshots(config, clock)
    expect(snapshots(config, 'reviews')).toEqual([])
    await build(config, { kind: 'due', ...one })
    const [delta, full] = snapshots(config, 'reviews')
    expect([delta!.manifest.applies_to, delta!.manifest.tombstones]).toEqual([['2026-11-20.0-v1'], 1])
    expect(full!.manifest.records).toBe(0)
    const left = join(feedsOf(config), 'reviews/v1/2026-11-20.0-v1')
    expect([existsSync(join(left, 'digests.zst')), existsSync(join(left, 'part-00000.ndjson.zst'))]).toEqual([
      false,
      false,
    ])
  })

  test('a requested delta also builds a full if the only full was withdrawn', async () => {
    const config = newConfig()
    const one = { feeds: ['reviews'] } as const
    await importRows(config, 'location', [place(1)])
    await importRows(config, 'review', [{ id: 7, location_id: 1, text: 'Seven' }])
    await build(config, one)
    const moderation = openModeration(config)
    await moderation.reviews.erase(7n, record())
    moderation.close()
    const kinds = (await build(config, { kind: 'delta', ...one })).map(({ manifest }) => manifest.kind)
    expect(kinds).toEqual(['delta', 'full'])
    expect(await build(config, { kind: 'delta', ...one })).toMatchObject([{ manifest: { kind: 'delta' } }])
  })

  test('withdraws the result of a build during which a record in it was erased', async () => {
    const config = newConfig()
    await importRows(config, 'location', [place(1)])
    const many = Array.from({ length: 4000 }, (_, i) => ({ id: i + 1, location_id: 1, text: `Text ${i}` }))
    await importRows(config, 'review', many)
    const building = build(config, { feeds: ['reviews'] })
    const moderation = openModeration(config)
    await moderation.reviews.erase(4000n, record())
    moderation.close()
    await withdrawErasedSnapshots(config, clock)
    await building
    const held = snapshots(config, 'reviews').filter(one => readSnapshot(config, one).has('4000'))
    expect(held).toEqual([])
  })

  test('builds a full if the digests of the previous snapshot are missing, then deltas again', async () => {
    const config = newConfig()
    const one = { feeds: ['locations'] } as const
    await importRows(config, 'location', [place(1)])
    await build(config, one)
    rmSync(join(newest(config, 'locations').folder, 'digests.zst'))
    expect((await build(config, { kind: 'delta', ...one })).map(({ manifest }) => manifest.kind)).toEqual(['full'])
    expect((await build(config, { kind: 'delta', ...one })).map(({ manifest }) => manifest.kind)).toEqual(['delta'])
    expect([...readSnapshot(config, newest(config, 'locations')).values()].some(isTombstone)).toBe(false)
  })
})
