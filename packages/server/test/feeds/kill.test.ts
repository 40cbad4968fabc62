/** Builds as processes of their own: killed at any moment, two at once, on a full disk (R-45; issue E). */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdLock } from '../../src/store/folder/lock.ts'
import { collect, periplus, start } from '../cli.ts'
import { random } from '../random.ts'
import { smallDisk } from '../small-disk.ts'
import { configFor, importRows, scratch } from '../world.ts'
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

/** Every file below a folder that is or proves a snapshot, with its size and time. */
const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(zst|json)$/.test(name))
    .map(name => `${name} ${statSync(join(root, name)).size} ${statSync(join(root, name)).mtimeMs}`)
    .sort()

describe('kill -9 of a build', () => {
  const data = join(folder.path, 'killed')
  const config = configFor(data)
  let wholeMs: number
  beforeAll(async () => {
    await importRows(config, 'location', places(1, 8000))
    await periplus(buildArgs(data, '--full'))
    const begin = performance.now()
    await periplus(buildArgs(data, '--full'))
    wholeMs = performance.now() - begin
  })

  test('at 20 moments: no manifest of it, what was there is untouched, the next build goes on', {
    timeout: 240_000,
  }, async () => {
    const next = random(20_261_122)
    let drafts = 0
    for (let i = 0; i < 20; i++) {
      await importRows(config, 'location', places(8001 + 10 * i, 10))
      const before = filesIn(feedsOf(config))
      const known = editions(config)[0]!.snapshots.map(one => one.manifest.snapshot_id)
      const child = start(buildArgs(data, i % 3 === 0 ? '--delta' : '--full'))
      const ended = once(child, 'exit')
      // The first part of the time is the start of the process.
      await Promise.race([ended, wait(wholeMs * (0.4 + 0.6 * next()))])
      child.kill('SIGKILL')
      await ended
      const after = filesIn(feedsOf(config))
      const now = editions(config)[0]!.snapshots
      const made = now.filter(one => !known.includes(one.manifest.snapshot_id))
      if (after.some(name => name.includes('draft-'))) drafts++
      // What has a manifest is whole: it was completed before the end came.
      for (const one of made) readSnapshot(config, one)
      if (made.length === 0) expect(after.filter(name => name.includes('manifest.json')).length).toBe(known.length)
      // What a later snapshot makes superfluous apart, not a byte of what was there has changed.
      const kept = before.filter(name => known.some(id => name.includes(`/${id}/`)) && !name.includes('result.zst'))
      for (const name of kept) expect(after).toContain(name)
    }
    expect(drafts).toBeGreaterThan(3)
    const last = await periplus(buildArgs(data, '--full'))
    expect([last.code, last.stderr]).toEqual([0, expect.not.stringContaining('unexpected')])
    expect(filesIn(feedsOf(config)).filter(name => name.includes('draft-'))).toEqual([])
    const { manifest } = editions(config)[0]!.snapshots.at(-1)!
    const read = readSnapshot(config, editions(config)[0]!.snapshots.at(-1)!)
    expect([manifest.kind, read.size, checksumOf('locations', read)]).toEqual([
      'full',
      8200,
      manifest.checksum_of_result,
    ])
    const sequences = editions(config)[0]!.snapshots.map(one => one.manifest.sequence)
    expect(sequences).toEqual(sequences.map((_, i) => i + 1))
  })
})

describe('two builds at once', () => {
  const data = join(folder.path, 'two')
  const config = configFor(data)
  beforeAll(() => importRows(config, 'location', places(1, 5000)))

  test('the second says that it waits, and goes on; with --no-wait it says that it does not', async () => {
    mkdirSync(feedsOf(config), { recursive: true })
    const other = holdLock(join(feedsOf(config), 'build-lock.sqlite'), 'held')
    const refused = await periplus(buildArgs(data, '--no-wait'))
    expect(refused).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: 'Another build of feeds is running on this folder; try again when it has ended.\n',
    })
    const waiting = start(buildArgs(data))
    const out = collect(waiting)
    const ended = once(waiting, 'close')
    await out.line(/Another build of feeds is running; this one goes on when it has ended\./)
    await wait(1000)
    expect(waiting.exitCode).toBe(null)
    other.release()
    await ended
    expect([waiting.exitCode, JSON.parse(out.stdout()).built.length]).toEqual([0, 1])
    expect(out.stderr().match(/Another build/g)).toHaveLength(1)
  })

  test('both end well, one after the other', async () => {
    const both = await Promise.all([periplus(buildArgs(data, '--full')), periplus(buildArgs(data, '--full'))])
    expect(both.map(ran => ran.code)).toEqual([0, 0])
    const { snapshots } = editions(config)[0]!
    expect(snapshots.map(one => [one.manifest.sequence, one.manifest.kind])).toEqual([
      [1, 'full'],
      [2, 'full'],
      [3, 'full'],
    ])
    for (const one of snapshots) expect(readSnapshot(config, one).size).toBe(5000)
  })
})

const { path: disk, mounted } = smallDisk(24)

describe.skipIf(!mounted)('a full disk', () => {
  const data = join(disk, 'data')
  const config = configFor(data)
  const ballast = join(disk, 'ballast')
  const next = random(5)
  /** Nothing that compresses. */
  const noisy = (id: number) => ({
    ...{ id, name: `Place ${id}`, lat: 1, lon: 1 },
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

  test('before it begins: a sentence, and what was there stays', async () => {
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
      /The feed locations in version 1 needs about [\d.]+ MB in \S+, where [\d.]+ MB are free\. Nothing has changed/,
    )
    expect(editions(config)[0]!.snapshots).toEqual(before)
    expect(readSnapshot(config, before[0]!).size).toBe(2000)
    rmSync(ballast)
  })

  test('in the midst: the same, and nothing is left behind', async () => {
    // Records that are much larger than those of before: the estimate is wrong.
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
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('Make room and build again.')])
    expect(readdirSync(join(feedsOf(config), 'locations/v1'))).toEqual([manifest.snapshot_id])
    rmSync(ballast)
    expect((await periplus(buildArgs(data, '--full'))).code).toBe(0)
    expect(editions(config)[0]!.snapshots.map(one => one.manifest.kind)).toEqual(['full', 'delta', 'full'])
  })
})
