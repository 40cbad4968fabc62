/** Full snapshots in Parquet: their rows are the records of the lines, and other programs read them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFeedLibrary } from '../../src/compose/feed-library.ts'
import { type Edition, type FeedSnapshot, feedNames } from '../../src/domain/feed.ts'
import { checkFeeds } from '../../src/feeds/check-feeds.ts'
import { checkTable } from '../../src/feeds/pull/check-table.ts'
import { TableFiles } from '../../src/feeds/pull/table-files.ts'
import { withdrawStoredSnapshot } from '../../src/feeds/withdraw.ts'
import { serveFeedFile } from '../../src/http/partner/operations/feed-file.ts'
import { openLayout } from '../../src/store/folder/layout.ts'
import { settableClock } from '../clock.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { locations, reviews } from '../world-rows.ts'
import { buildFeeds } from './builds.ts'
import { editions, feedsOf, parse, pinnedKey, readSnapshot } from './snapshots.ts'

type Row = Record<string, unknown>

const folder = scratch()
afterAll(folder.remove)
const clock = settableClock(Date.UTC(2026, 10, 20, 12))
const config = configFor(join(folder.path, 'data'), {
  'server.publicUrl': 'https://places.example',
  'feeds.parquet': feedNames,
})
const bigId = 9007199254740993n
let snapshots: { edition: Edition; snapshots: FeedSnapshot[] }[]

beforeAll(async () => {
  for (const version of ['0', '2']) await pinnedKey(config, version)
  const far = { id: bigId, name: 'Far id', lat: -1.5, lon: 2.25 }
  await importRows(config, 'location', [
    ...locations,
    far,
    { id: 990_001, name: 'Lyon', category: 'geo:city', lat: 45.8, lon: 4.8 },
  ])
  await importRows(config, 'review', reviews)
  await buildFeeds(config, clock, {})
  snapshots = editions(config)
})

const filesOf = ({ folder, manifest }: FeedSnapshot): string[] =>
  manifest.parquet_files!.map(({ name }) => join(folder, name))

async function readRows(snapshot: FeedSnapshot): Promise<Row[]> {
  const rows: Row[] = []
  for (const file of filesOf(snapshot)) {
    const bytes = readFileSync(file)
    const part = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    rows.push(...((await parquetReadObjects({ file: part, compressors, geoparquet: false, utf8: false })) as Row[]))
  }
  return rows
}

/** Returns a value of a row or a line in one form: times in one precision, and no absent members or objects. */
function normalize(value: unknown, name = ''): unknown {
  if (value instanceof Date || (typeof value === 'string' && isTime.test(name))) return new Date(value).toISOString()
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(one => normalize(one))
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const members = Object.entries(value).flatMap(([member, of]) => {
    const normal = normalize(of, member)
    return normal === undefined ? [] : [[member, normal]]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

const isTime = /^(publish_ts|(closed|reopen|publish)_date)$/

test('each row has all members of its line, in all feeds and versions', async () => {
  expect(snapshots.map(({ edition }) => `${edition.feed} ${edition.version}`).sort()).toEqual(
    feedNames.flatMap(feed => ['0', '1', '2'].map(version => `${feed} ${version}`)).sort(),
  )
  for (const { edition, snapshots: list } of snapshots) {
    const snapshot = list.find(({ manifest }) => manifest.kind === 'full')!
    const lines = readSnapshot(config, snapshot)
    const rows = await readRows(snapshot)
    expect(rows.length, edition.feed).toBe(snapshot.manifest.records)
    expect(rows.map(({ id }) => String(id))).toEqual([...lines.keys()])
    for (const row of rows) {
      const line = lines.get(String(row.id))!
      const record = parse(line) as Row
      expect(row.line_sha256).toBe(createHash('sha256').update(line).digest('hex'))
      const { id: _, ...members } = record
      const { opening_hours, ...others } = row
      const columns = Object.fromEntries(Object.keys(members).map(name => [name, others[name]]))
      const hours = typeof opening_hours === 'string' && JSON.parse(opening_hours)
      expect(normalize({ ...columns, ...(hours && { opening_hours: hours }) })).toEqual(normalize(members))
    }
  }
})

test('places have shortcuts, a point and its box, and the file describes them', async () => {
  const list = snapshots.find(one => one.edition.feed === 'locations' && one.edition.version === '1')!.snapshots
  const snapshot = list[0]!
  const far = (await readRows(snapshot)).find(row => row.id === bigId)!
  expect([far.name, far.bbox]).toEqual(['Far id', { xmin: 2.25, ymin: -1.5, xmax: 2.25, ymax: -1.5 }])
  const point = Buffer.from(far.geometry as Uint8Array)
  expect([point.length, point.readDoubleLE(5), point.readDoubleLE(13)]).toEqual([21, 2.25, -1.5])
  const bytes = readFileSync(filesOf(snapshot)[0]!)
  const metadata = parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const geo = JSON.parse(metadata.key_value_metadata!.find(({ key }) => key === 'geo')!.value!)
  expect(geo).toMatchObject({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: { encoding: 'WKB', geometry_types: ['Point'], covering: { bbox: { xmin: ['bbox', 'xmin'] } } },
    },
  })
  expect(geo.columns.geometry.bbox).toHaveLength(4)
})

test('deltas have no Parquet; parts have a maximum size, are served, checked and withdrawn', async () => {
  const small = configFor(join(folder.path, 'small'), { 'feeds.parquet': ['locations'], 'feeds.partMb': 1 })
  await pinnedKey(small, '1')
  const digest = (of: string) => createHash('sha512').update(of).digest('base64')
  const text = (i: number) => Array.from({ length: 16 }, (_, part) => digest(`${i} ${part}`)).join(' ')
  const rows = Array.from({ length: 1500 }, (_, i) => ({
    id: i + 1,
    name: `P ${i}`,
    lat: 1,
    lon: 1,
    description: text(i),
  }))
  await importRows(small, 'location', rows)
  await buildFeeds(small, clock, { feeds: ['locations', 'enums'] })
  await importRows(small, 'location', [{ id: 1, name: 'New', lat: 1, lon: 1 }])
  await buildFeeds(small, clock, { feeds: ['locations'], kind: 'delta' })
  const [full, delta] = editions(small).find(({ edition }) => edition.feed === 'locations')!.snapshots as [
    FeedSnapshot,
    FeedSnapshot,
  ]
  expect(delta.manifest).not.toHaveProperty('parquet_files')
  expect(editions(small).find(({ edition }) => edition.feed === 'enums')!.snapshots[0]!.manifest).not.toHaveProperty(
    'parquet_files',
  )
  const parts = full.manifest.parquet_files!
  expect(parts.length).toBeGreaterThan(1)
  for (const { bytes } of parts) expect(bytes).toBeLessThanOrEqual(1024 * 1024)
  expect(parts.reduce((sum, { records }) => sum + records, 0)).toBe(1500)
  expect((await readRows(full)).map(({ id }) => id)).toEqual(rows.map(({ id }) => BigInt(id)))
  expect(await checkFeeds(feedsOf(small))).toEqual([])

  const library = createFeedLibrary(small, openLayout(small.data))
  const { name, bytes } = parts[0]!
  expect(await serveFeedFile({}, library, full, name)).toMatchObject({
    snapshot: `locations/${full.manifest.snapshot_id}`,
    headers: { 'Content-Type': 'application/vnd.apache.parquet', 'Accept-Ranges': 'bytes' },
    representation: { status: 200, body: { path: join(full.folder, name), length: bytes } },
  })

  const file = filesOf(full)[1]!
  appendFileSync(file, 'x')
  expect(await checkFeeds(feedsOf(small))).toMatchObject([
    { file, problem: expect.stringMatching(/^The part has \d+ bytes/) },
  ])
  withdrawStoredSnapshot(feedsOf(small), full.manifest, full.manifest.snapshot_id, clock.nowMs())
  expect(readdirSync(full.folder).filter(one => one.startsWith('part-'))).toEqual([])
})

test('the client accepts tables by their checksum, and refuses others', async () => {
  for (const { snapshots: list } of snapshots) {
    const { folder: home, manifest } = list[0]!
    const parts = manifest.parquet_files!.map(part => ({ part, path: join(home, part.name) }))
    await checkTable(manifest, parts)
    const otherResult = { ...manifest, checksum_of_result: '0'.repeat(64) }
    await expect(checkTable(otherResult, parts)).rejects.toThrow(/has \d+ records and the checksum/)
    const fewer = parts.map(({ part, path }) => ({ part: { ...part, records: part.records + 1 }, path }))
    await expect(checkTable(manifest, fewer)).rejects.toThrow(/rows, but its manifest lists/)
    const lines = parts.map(({ part }) => ({ part, path: join(home, manifest.files[0]!.name) }))
    await expect(checkTable(manifest, lines)).rejects.toThrow(
      /is not a Parquet file with the columns id and line_sha256/,
    )
    await expect(checkTable(manifest, [...parts, ...parts])).rejects.toThrow(/is not in ascending order of id/)
  }
})

test('a pull that was killed while it replaced a table is completed by the next one', async () => {
  const into = join(folder.path, 'into')
  const files = new TableFiles(into, 'locations')
  const { folder: home, manifest } = snapshots.find(({ edition }) => edition.feed === 'locations')!.snapshots[0]!
  const copy = () => {
    for (const { name } of manifest.parquet_files!)
      cpSync(join(home, name), files.createPartPath(manifest.snapshot_id, name))
  }
  copy()
  files.recover()
  expect(await files.has(manifest)).toBe(false)
  files.replaceBy(manifest)
  expect(await files.has(manifest)).toBe(true)
  const state = join(into, 'locations.parquet.state.json')
  copy()
  renameSync(state, join(into, '.periplus-pull/locations.parquet/next.json'))
  rmSync(files.result, { recursive: true })
  files.recover()
  expect([await files.has(manifest), existsSync(state)]).toEqual([true, true])
})

/** Python with the module of DuckDB. */
const python = [process.env.PERIPLUS_TEST_PYTHON ?? 'python3'].find(
  command => spawnSync(command, ['-c', 'import duckdb']).status === 0,
)
if (!python) console.warn('Python has no DuckDB (pip install duckdb): the test that reads Parquet with it is skipped.')

test.skipIf(!python)('DuckDB computes the counts and checksums of the manifests', () => {
  const full = snapshots.map(({ snapshots: list }) => list[0]!)
  const queries = full.map(({ folder: home, manifest }) => {
    const order = manifest.feed === 'enums' ? 'id' : 'id::BIGINT'
    return `SELECT count(*), sha256(string_agg(id || ' ' || line_sha256 || chr(10), '' ORDER BY ${order})) FROM read_parquet('${home}/part-*.parquet')`
  })
  const program = `import duckdb, json; print(json.dumps([duckdb.sql(q).fetchall()[0] for q in json.loads(input())]))`
  const found = execFileSync(python!, ['-c', program], { encoding: 'utf8', input: JSON.stringify(queries) })
  expect(JSON.parse(found)).toEqual(
    full.map(({ manifest }) => [manifest.records_of_result, manifest.checksum_of_result]),
  )
})
