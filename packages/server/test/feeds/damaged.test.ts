/**
 * Damaged files of snapshots: the next build continues, partners reach its result, and verify names the file.
 */
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFeedLibrary } from '../../src/compose/feed-library.ts'
import type { Config } from '../../src/config/load.ts'
import { isFault } from '../../src/domain/fault.ts'
import type { FeedSnapshot } from '../../src/domain/feed.ts'
import type { FeedLibrary } from '../../src/domain/feed-stores.ts'
import { checkFeeds } from '../../src/feeds/check-feeds.ts'
import { openLayout } from '../../src/store/folder/layout.ts'
import { latestFeedSnapshot } from '../../src/usecases/partner/find-feed-snapshot.ts'
import { listFeedDeltas } from '../../src/usecases/partner/list-feed-deltas.ts'
import { periplus } from '../cli.ts'
import { settableClock } from '../clock.ts'
import { openModeration } from '../composed.ts'
import { record } from '../record.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { buildFeeds, tryToBuild, withdrawErasedSnapshots } from './builds.ts'
import { applied, checksumOf, editions, feedsOf, readSnapshot } from './snapshots.ts'

const folder = scratch()
afterAll(folder.remove)
let folders = 0
const dayMs = 86_400_000
const startMs = Date.UTC(2026, 10, 20, 12)
const places = { feeds: ['locations'] } as const
const locations = { feed: 'locations', version: '1' } as const
const home = (config: Config) => join(feedsOf(config), 'locations', 'v1')
const place = (id: number, name = `Place ${id}`) => ({ id, name, lat: 1, lon: 1 })
const snapshots = (config: Config) => editions(config)[0]?.snapshots ?? []

/**
 * Three snapshots of one day: a full, and two deltas with additions, changes and a removal; another full on request.
 */
let original: Config
const original4 = () => configFor(join(folder.path, 'with-second-full'))
beforeAll(async () => {
  original = configFor(join(folder.path, 'original'))
  const clock = settableClock(startMs)
  await importRows(
    original,
    'location',
    [1, 2, 3, 4].map(id => place(id)),
  )
  await buildFeeds(original, clock, places)
  await importRows(original, 'location', [place(5), place(1, 'New name')])
  await buildFeeds(original, clock, { kind: 'delta', ...places })
  await importRows(original, 'location', [place(6), { id: 2, deleted: true }])
  await buildFeeds(original, clock, { kind: 'delta', ...places })
  cpSync(original.data, original4().data, { recursive: true })
  await buildFeeds(original4(), clock, { kind: 'full', ...places })
})

/** A copy of the snapshots, with the records that a partner has after each of them. */
function copyOf(from: Config): { config: Config; partners: Map<number, Records> } {
  const config = configFor(join(folder.path, String(++folders)))
  cpSync(from.data, config.data, { recursive: true })
  const partners = new Map<number, Records>()
  let records: Records = new Map()
  for (const snapshot of snapshots(config)) {
    records = applied(records, snapshot.manifest, readSnapshot(config, snapshot))
    partners.set(snapshot.manifest.sequence, records)
  }
  return { config, partners }
}

/** The snapshots as a service that starts now delivers them. */
const openLibrary = (config: Config): FeedLibrary => createFeedLibrary(config, openLayout(config.data))

type Records = ReadonlyMap<string, string>

/** Follows the feed as the guide says: deltas after the partner's snapshot, or else the latest full and its deltas. */
async function follow(config: Config, records: Records = new Map(), sequence = Number.MAX_SAFE_INTEGER) {
  const library = openLibrary(config)
  const deltas = await listFeedDeltas(library, locations, sequence)
  const apply = (before: Records, list: readonly FeedSnapshot[]) =>
    list.reduce<Records>((result, one) => applied(result, one.manifest, readSnapshot(config, one)), before)
  if (!isFault(deltas)) return apply(records, deltas)
  const full = (await latestFeedSnapshot(library, locations, 'full')) as FeedSnapshot
  const later = (await listFeedDeltas(library, locations, full.manifest.sequence)) as readonly FeedSnapshot[]
  return apply(new Map(), [full, ...later])
}

/** Checks that a partner at any of the earlier snapshots, and a new one, reaches the newest result. */
async function expectAllReachNewest(config: Config, partners: ReadonlyMap<number, Records>) {
  const newest = snapshots(config).at(-1)!.manifest.checksum_of_result
  expect(checksumOf('locations', await follow(config))).toBe(newest)
  for (const [sequence, records] of partners)
    expect([sequence, checksumOf('locations', await follow(config, records, sequence))]).toEqual([sequence, newest])
}

const damages = {
  empty: (file: string) => writeFileSync(file, ''),
  torn: (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -40)),
  garbage: (file: string) => writeFileSync(file, Buffer.alloc(3000, '\x07{]')),
  json: (file: string) => writeFileSync(file, '{"snapshot_id":"../../x","files":{}}'),
  foreign: (file: string) => {
    const other = file.replace(/[^/]+(?=\/[^/]+$)/, '2026-11-20.0-v1')
    writeFileSync(file, other === file || !existsSync(other) ? 'null' : readFileSync(other))
  },
  flipped: (file: string) => {
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(file, bytes)
  },
  folder: (file: string) => {
    rmSync(file)
    mkdirSync(file)
  },
}

/** Damages of files in the folder of snapshot 0 (full), 1 (delta), 2 (the newest delta) and 3 (the newest full). */
const files: [file: string, from: () => Config, damages: (keyof typeof damages)[]][] = [
  ['2026-11-20.0-v1/manifest.json', () => original, ['empty', 'flipped']],
  ['2026-11-20.1-v1/manifest.json', () => original, ['folder']],
  ['2026-11-20.2-v1/manifest.json', () => original, ['empty', 'torn', 'json', 'foreign', 'flipped']],
  ['2026-11-20.3-v1/manifest.json', original4, ['empty']],
  ['2026-11-20.2-v1/source.json', () => original, ['empty']],
  ['2026-11-20.2-v1/result.zst', () => original, ['empty', 'torn', 'garbage', 'foreign', 'folder']],
  ['2026-11-20.3-v1/digests.zst', original4, ['flipped']],
  ['last.json', () => original, ['json']],
]

describe('the next build continues without a damaged file, and every partner reaches its result', () => {
  test.each(files.flatMap(([file, from, kinds]) => kinds.map(damage => [file, damage, from] as const)))(
    '%s: %s',
    async (name, damage, from) => {
      const { config, partners } = copyOf(from())
      const file = join(home(config), name)
      damages[damage](file)
      expect(await problemFiles(config)).toContain(file)
      const reported = await expectContinuation(config, partners)
      if (/manifest|zst/.test(name)) expect(reported).toEqual(damage === 'folder' && name.endsWith('zst') ? [] : [file])
    },
  )

  test.each([
    ['the manifest of the newest snapshot', ['2026-11-20.2-v1/manifest.json']],
    ['the newest snapshot', ['2026-11-20.2-v1']],
    ['the newest snapshot and a delta', ['2026-11-20.2-v1', '2026-11-20.1-v1/manifest.json']],
    ['all snapshots', ['2026-11-20.2-v1', '2026-11-20.1-v1', '2026-11-20.0-v1']],
  ])('missing: %s', async (_, names) => {
    const { config, partners } = copyOf(original)
    for (const name of names) rmSync(join(home(config), name), { recursive: true })
    expect(await problemFiles(config)).toContain(home(config))
    expect(await expectContinuation(config, partners)).toEqual([])
  })
})

/** Imports and builds on this day and the next, checks what is built, and returns the files reported as damaged. */
async function expectContinuation(config: Config, partners: Map<number, Records>): Promise<string[]> {
  const clock = settableClock(startMs + 3_600_000)
  const used = [0, 1, 2, 3].map(number => `2026-11-20.${number}-v1`).slice(0, partners.size)
  await importRows(config, 'location', [place(7), { id: 3, deleted: true }, place(1, 'Newer name')])
  const reported: string[] = []
  const onDamaged = (file: string) => reported.push(file)
  const { built } = await tryToBuild(config, clock, { kind: 'delta', ...places }, { onDamaged })
  const assigned = built.map(({ manifest: m }) => ({ id: m.snapshot_id, sequence: m.sequence }))
  expect(assigned.map(({ sequence }) => sequence)).toEqual(assigned.map((_, i) => partners.size + 1 + i))
  for (const { id } of assigned) expect(used).not.toContain(id)
  await expectAllReachNewest(config, partners)
  expect(await problemFiles(config)).toEqual([])

  partners.set(assigned.at(-1)!.sequence, await follow(config))
  await importRows(config, 'location', [place(8)])
  clock.ms += dayMs
  const next = await buildFeeds(config, clock, { kind: 'due', ...places })
  expect(next.map(({ manifest }) => manifest.kind)).toEqual(['delta'])
  await expectAllReachNewest(config, partners)
  return reported
}

const problemFiles = async (config: Config) => (await checkFeeds(feedsOf(config))).map(({ file }) => file)

describe('an erasure', () => {
  /** A folder whose reviews have two snapshots, with review 3 in the second alone, which is erased then. */
  async function withErasure() {
    const config = configFor(join(folder.path, String(++folders)))
    const clock = settableClock(startMs)
    const reviews = { feeds: ['reviews'] } as const
    await importRows(config, 'location', [place(1)])
    for (const id of [1, 3]) {
      await importRows(config, 'review', [{ id, location_id: 1, text: `Text ${id}` }])
      await buildFeeds(config, clock, { ...reviews, ...(id > 1 && { kind: 'delta' }) })
    }
    const moderation = openModeration(config)
    await moderation.reviews.erase(3n, record())
    moderation.close()
    return { config, clock, reviews, home: join(feedsOf(config), 'reviews', 'v1') }
  }

  test.each([
    ['2026-11-20.1-v1/digests.zst', 'empty'],
    ['2026-11-20.1-v1/digests.zst', 'garbage'],
    ['2026-11-20.1-v1/manifest.json', 'torn'],
    ['../../erasures.json', 'torn'],
  ] as const)('withdraws a snapshot that may contain the record: %s, %s', async (name, damage) => {
    const { config, clock, home, reviews } = await withErasure()
    damages[damage](join(home, name))
    const found = await withdrawErasedSnapshots(config, clock)
    expect(found).toEqual([{ feed: 'reviews', version: '1', snapshotId: '2026-11-20.1-v1' }])
    const left = readdirSync(join(home, '2026-11-20.1-v1'))
    expect(left.filter(file => /part|digests/.test(file))).toEqual([])
    const built = await buildFeeds(config, clock, { kind: 'due', ...reviews })
    expect(built.at(-1)!.manifest).toMatchObject({ kind: 'full', records_of_result: 1 })
    expect(await problemFiles(config)).toEqual([])
  })

  test('a snapshot whose end is recorded in a damaged file remains withdrawn', async () => {
    const { config, clock, home, reviews } = await withErasure()
    await withdrawErasedSnapshots(config, clock)
    const file = join(home, '2026-11-20.1-v1', 'gone.json')
    writeFileSync(file, '{"reas')
    expect(await problemFiles(config)).toContain(file)
    expect(await openLibrary(config).find({ feed: 'reviews', version: '1' }, '2026-11-20.1-v1')).toEqual({
      reason: 'damaged',
      at: expect.stringMatching(/Z$/),
    })
    const built = await buildFeeds(config, clock, { kind: 'due', ...reviews })
    expect(built.at(-1)!.manifest).toMatchObject({ kind: 'full', sequence: 3, records_of_result: 1 })
  })
})

test('periplus verify names every damaged file of the feeds', async () => {
  const { config } = copyOf(original)
  const verify = async () => {
    const ran = await periplus(['verify', '--data', config.data, '--json'])
    return { code: ran.code, ...ran.json<{ ok: boolean; problems: { file: string; problem: string }[] }>() }
  }
  expect(await verify()).toEqual({ code: 0, ok: true, problems: [] })
  const at = (name: string) => join(home(config), name)
  damages.flipped(at('2026-11-20.0-v1/part-00000.ndjson.zst'))
  damages.torn(at('2026-11-20.1-v1/part-00000.ndjson.zst'))
  rmSync(at('2026-11-20.2-v1/part-00000.ndjson.zst'))
  writeFileSync(
    at('2026-11-20.1-v1/manifest.json'),
    readFileSync(at('2026-11-20.1-v1/manifest.json'), 'utf8').replace('"upserts":2', '"upserts":1'),
  )
  damages.garbage(at('2026-11-20.0-v1/digests.zst'))
  damages.empty(at('2026-11-20.2-v1/source.json'))
  damages.empty(at('last.json'))
  damages.empty(join(feedsOf(config), 'erasures.json'))
  const { code, ok, problems } = await verify()
  expect([code, ok]).toEqual([1, false])
  const home1 = 'feeds/locations/v1'
  expect(problems.map(({ file, problem }) => [file, problem]).toSorted()).toEqual([
    ['feeds/erasures.json', expect.stringContaining('damaged')],
    [`${home1}/2026-11-20.0-v1/digests.zst`, expect.stringContaining('not those of the snapshot')],
    [`${home1}/2026-11-20.0-v1/part-00000.ndjson.zst`, expect.stringContaining('The SHA-256 of the part differs')],
    [`${home1}/2026-11-20.1-v1/manifest.json`, expect.stringContaining('no valid signature')],
    [`${home1}/2026-11-20.1-v1/part-00000.ndjson.zst`, expect.stringMatching(/has \d+ bytes, but its manifest says/)],
    [`${home1}/2026-11-20.2-v1/part-00000.ndjson.zst`, expect.stringContaining('is missing')],
    [`${home1}/2026-11-20.2-v1/source.json`, expect.stringContaining('missing or damaged')],
    [`${home1}/last.json`, expect.stringContaining('damaged')],
  ])
  rmSync(join(feedsOf(config), 'signing-key.pem'))
  expect((await verify()).problems.map(({ file }) => file)).toContain('feeds/signing-key.pem')
})

describe('a signing key that is', () => {
  const otherKey = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const damageKey = {
    missing: (file: string) => rmSync(file),
    damaged: (file: string) => writeFileSync(file, ''),
    other: (file: string) => writeFileSync(file, otherKey()),
  }
  test.each(['missing', 'damaged', 'other'] as const)('%s: builds are refused until one is forced', async problem => {
    const { config } = copyOf(original)
    const clock = settableClock(startMs + dayMs)
    damageKey[problem](join(feedsOf(config), 'signing-key.pem'))
    await expect(tryToBuild(config, clock, { kind: 'delta', ...places })).rejects.toMatchObject({ problem })
    expect(snapshots(config)).toHaveLength(3)
    await tryToBuild(config, clock, { kind: 'full', force: true, ...places })
    readSnapshot(config, snapshots(config).at(-1)!)
    await buildFeeds(config, clock, { kind: 'delta', ...places })
  })

  test('missing: the command names the file and both ways out', async () => {
    const { config } = copyOf(original)
    const file = join(feedsOf(config), 'signing-key.pem')
    rmSync(file)
    expect(await periplus(['feeds', 'build', '--feed', 'locations', '--data', config.data])).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        `${file} is missing, although the published snapshots are signed with it. Nothing was built. Restore the key from a backup; ` +
        "or sign with a new one by 'periplus feeds build --full --force', and give partners its public key.\n",
    })
  })
})
