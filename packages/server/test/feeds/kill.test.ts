/** Build processes: killed at each step, two at the same time, on a full disk. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeFeedAdmin } from '../../src/compose/feed-admin.ts'
import { composeFeedBuild } from '../../src/compose/feeds.ts'
import type { Config } from '../../src/config/load.ts'
import { createRandom } from '../../src/kit/random.ts'
import { holdLock } from '../../src/store/folder/lock.ts'
import { buildFeeds } from '../../src/usecases/admin/build-feeds.ts'
import { collect, periplus, periplusProcess, start } from '../cli.ts'
import { killedAt } from '../kills.ts'
import { smallDisk } from '../small-disk.ts'
import { filesOf } from '../store-files.ts'
import { actor, configFor, importRows, scratch } from '../world.ts'
import { checksumOf, editions, feedsOf, readSnapshot } from './snapshots.ts'

const folder = scratch()
afterAll(folder.remove)

const places = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: from + i,
    name: `Place ${from + i}`,
    lat: 1,
    lon: 1,
    description: 'x'.repeat(i % 200),
  }))

const buildArgs = (data: string, ...more: string[]) => [
  'feeds',
  'build',
  '--data',
  data,
  '--feed',
  'locations',
  '--json',
  ...more,
]

/** Lists the snapshot files below a folder, with size and modification time. */
const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(zst|json)$/.test(name))
    .map(name => `${name} ${statSync(join(root, name)).size} ${statSync(join(root, name)).mtimeMs}`)
    .sort()

/** Steps before which a build is killed, with the kinds of the snapshots that are published by then. */
const steps: [kind: '--full' | '--delta', step: string, published: string[]][] = [
  ['--full', 'mkdir draft-full', []],
  ['--full', 'write part-00000.ndjson.zst', []],
  ['--full', 'sync digests.zst', []],
  ['--full', 'link result.zst', []],
  ['--full', 'rename source.json', []],
  ['--full', 'rename snapshot-v1', []],
  ['--full', 'write manifest.json.tmp', []],
  ['--full', 'rename manifest.json', []],
  ['--full', 'sync snapshot-v1', ['delta']],
  ['--full', 'rename manifest.json#2', ['delta']],
  ['--full', 'sync snapshot-v1#2', ['delta', 'full']],
  ['--delta', 'write result.zst', []],
  ['--delta', 'rename manifest.json', []],
  ['--delta', 'sync snapshot-v1', ['delta']],
]

describe('kill -9 of a build', () => {
  const data = join(folder.path, 'killed')
  const config = configFor(data)
  const snapshots = () => editions(config)[0]!.snapshots
  let count = 500
  beforeAll(async () => {
    await importRows(config, 'location', places(1, count))
    await composeFeedBuild(config, { feeds: ['locations'] })
  })

  test.each(steps)(
    '%s, before the step %s: %j is published and complete, and nothing else has changed',
    async (...row) => {
      const [kind, step, published] = row
      await importRows(config, 'location', places(count + 1, 10))
      count += 10
      const before = filesIn(feedsOf(config))
      const known = snapshots().map(one => one.manifest.snapshot_id)
      // The command builds in a worker thread.
      await killedAt(step.replace(/(#\d+)?$/, ' in a thread$1'), buildArgs(data, kind))
      const after = filesIn(feedsOf(config))
      const made = snapshots().filter(one => !known.includes(one.manifest.snapshot_id))
      expect(made.map(one => one.manifest.kind)).toEqual(published)
      for (const one of made) readSnapshot(config, one)
      expect(after.filter(name => name.includes('manifest.json ')).length).toBe(known.length + made.length)
      // Only the result files of superseded snapshots may be removed.
      const kept = before.filter(name => known.some(id => name.includes(`/${id}/`)) && !name.includes('result.zst'))
      for (const name of kept) expect(after).toContain(name)
    },
  )

  test('the next build removes leftover drafts and continues from the last snapshot', async () => {
    const last = await periplus(buildArgs(data, '--full'))
    expect([last.code, last.stderr]).toEqual([0, ''])
    expect(readdirSync(join(feedsOf(config), 'locations/v1')).filter(name => name.startsWith('draft-'))).toEqual([])
    const newest = snapshots().at(-1)!
    const read = readSnapshot(config, newest)
    expect(newest.manifest).toMatchObject({ kind: 'full', checksum_of_result: checksumOf('locations', read) })
    expect(read.size).toBe(count)
    const sequences = snapshots().map(one => one.manifest.sequence)
    expect(sequences).toEqual(sequences.map((_, i) => i + 1))
  })
})

/** Builds feeds through the use case, without waiting for another build. */
const buildNow = (config: Config) => buildFeeds(composeFeedAdmin(config), actor, { mayWait: false, onEvent: () => {} })

describe('two builds at the same time', () => {
  const data = join(folder.path, 'two')
  const config = configFor(data)
  beforeAll(() => importRows(config, 'location', places(1, 1000)))

  test('the second build reports that it waits and then runs; with --no-wait it fails with a message', async () => {
    mkdirSync(feedsOf(config), { recursive: true })
    const other = holdLock(join(feedsOf(config), 'build-lock.sqlite'), 'held')
    const refused = await periplus(buildArgs(data, '--no-wait'))
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Another feed build is running on this data folder. Try again when it has ended.\n',
    })
    expect(await buildNow(config)).toEqual({ fault: 'feed_build_running', fields: [] })
    const waiting = start(buildArgs(data))
    const out = collect(waiting)
    const ended = once(waiting, 'close')
    await out.line(/Waiting for another build of feeds to finish\./)
    expect(waiting.exitCode).toBe(null)
    expect(editions(config)).toEqual([])
    other.release()
    await ended
    expect([waiting.exitCode, JSON.parse(out.stdout()).built.length]).toEqual([0, 1])
    expect(out.stderr().match(/another build/g)).toHaveLength(1)
  })

  test('a build on stores of a newer release returns a fault with facts', async () => {
    const store = new Database(filesOf(data).data)
    const known = Number(store.pragma('user_version', { simple: true }))
    store.pragma('user_version = 9999')
    const facts = { store: expect.stringContaining('data.sqlite'), found: 9999, known }
    expect(await buildNow(config)).toEqual({ fault: 'schema_newer', fields: [], ...facts })
    const ran = await periplus(buildArgs(data))
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('has schema version 9999') })
    store.pragma(`user_version = ${known}`)
    store.close()
  })

  test('both succeed, the second after the first', async () => {
    const both = await Promise.all([1, 2].map(() => periplusProcess(buildArgs(data, '--full'))))
    expect(both.map(ran => ran.code)).toEqual([0, 0])
    const { snapshots } = editions(config)[0]!
    expect(snapshots.map(one => [one.manifest.sequence, one.manifest.kind])).toEqual([
      [1, 'full'],
      [2, 'full'],
      [3, 'full'],
    ])
    for (const one of snapshots) expect(readSnapshot(config, one).size).toBe(1000)
  })
})

const { path: disk, mounted } = smallDisk(24)

describe.skipIf(!mounted)('a full disk', () => {
  const data = join(disk, 'data')
  const config = configFor(data)
  const ballast = join(disk, 'ballast')
  const next = createRandom(5)
  /** Returns a location with incompressible text. */
  const noisy = (id: number) => ({
    id,
    name: `Place ${id}`,
    lat: 1,
    lon: 1,
    description: Array.from({ length: 400 }, () => String.fromCodePoint(0x4e00 + Math.floor(next() * 20_000))).join(''),
  })
  const fill = (leave: number) => {
    const { bavail, bsize } = JSON.parse(
      execFileSync(process.execPath, ['-p', `JSON.stringify(fs.statfsSync(${JSON.stringify(disk)}))`], {
        encoding: 'utf8',
      }),
    )
    appendFileSync(ballast, Buffer.alloc(bavail * bsize - leave))
  }

  test('full before the build starts: reports an error and keeps the published snapshots', async () => {
    await importRows(
      config,
      'location',
      Array.from({ length: 2000 }, (_, i) => noisy(i + 1)),
    )
    expect((await periplus(buildArgs(data, '--full'))).code).toBe(0)
    const before = editions(config)[0]!.snapshots
    fill(1_000_000)
    const ran = await periplus(buildArgs(data, '--full'))
    expect([ran.code, ran.stdout]).toEqual([1, ''])
    expect(ran.stderr).toMatch(
      /The feed locations in version 1 needs about [\d.]+ MB in \S+, but only [\d.]+ MB are free\. Existing snapshots are unchanged/,
    )
    expect(
      await buildFeeds(composeFeedAdmin(config), actor, { kind: 'full', mayWait: true, onEvent: () => {} }),
    ).toEqual({
      fault: 'feed_space_missing',
      fields: [],
      feed: 'locations',
      version: '1',
      folder: expect.any(String),
      neededBytes: expect.any(Number),
      freeBytes: expect.any(Number),
    })
    expect(editions(config)[0]!.snapshots).toEqual(before)
    expect(readSnapshot(config, before[0]!).size).toBe(2000)
    rmSync(ballast)
  })

  test('full during the build: reports an error, keeps the published snapshots, and leaves no draft', async () => {
    // Records much larger than the previous ones make the size estimate wrong.
    const larger = (id: number) => ({
      ...noisy(id),
      price_level: 2,
      website: `https://places.example/${noisy(id).description}`,
    })
    await importRows(
      config,
      'location',
      Array.from({ length: 1500 }, (_, i) => larger(i + 1)),
    )
    const { manifest } = editions(config)[0]!.snapshots[0]!
    const took = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
    fill(Math.round(took * 1.25))
    const ran = await periplus(buildArgs(data, '--full'))
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('Free some space and build again.')])
    expect(readdirSync(join(feedsOf(config), 'locations/v1'))).toEqual([manifest.snapshot_id, 'last.json'])
    rmSync(ballast)
    expect((await periplus(buildArgs(data, '--full'))).code).toBe(0)
    expect(editions(config)[0]!.snapshots.map(one => one.manifest.kind)).toEqual(['full', 'delta', 'full'])
  })
})
