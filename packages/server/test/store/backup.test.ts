import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeRestore } from '../../src/compose/backups.ts'
import type { Config } from '../../src/config/load.ts'
import type { FolderProblem } from '../../src/domain/data-folder.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { restoreBackup } from '../../src/usecases/admin/restore-backup.ts'
import { collect, periplus, type Served, serve, start } from '../cli.ts'
import { dump } from '../dump.ts'
import { send } from '../http-client.ts'
import { killedAt } from '../kills.ts'
import { filesOf } from '../store-files.ts'
import { actor, configFor, freePort, importRows, makeKey, ndjson, scratch } from '../world.ts'
import { deletions, locations, reviews } from '../world-rows.ts'

const folder = scratch()
afterAll(folder.remove)
let names = 0
const fresh = (name: string) => join(folder.path, `${name}-${++names}`)

/** Serves a folder with a fixed public URL, because answers contain it. */
async function serveAs(data: string): Promise<Served> {
  const port = await freePort()
  const served = await serve(data, ['--public-url', 'http://places.example', '--port', String(port)])
  return { ...served, url: `http://127.0.0.1:${port}` }
}

const requests = [
  '/locations/1',
  '/locations/1?version=2&locale=es',
  '/locations?ids=1,2,3,9223372036854775807',
  '/locations/1/reviews?size=100',
  '/locations/1/reviews?sort_by=HIGHEST_RATED&size=3&page=2',
  '/locations/search?query=museum',
  '/locations/nearby?lat=40.4&lon=-3.7&radius=50',
  '/catalog/locations/search?query=madrid',
  '/recommendations/search?query=dinner%20in%20madrid',
  '/locations/999999',
  '/feeds',
]

/** Returns the status, body and headers of each request, without request ids and dates. */
async function answersOf({ url }: Served, key: string): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const path of requests) {
    const { status, headers, text } = await send(url, path, { headers: { 'X-API-Key': key } })
    const { date: _d, 'x-request-id': _r, ...kept } = headers
    answers.push({ path, status, kept, text: text.replace(/"request_id":"[^"]+"/, '') })
  }
  return answers
}

async function indexed(served: Served, key: string): Promise<void> {
  const ready = async () =>
    (await send(served.url, '/locations/search?query=museum', { headers: { 'X-API-Key': key } })).status
  await expect.poll(ready).toBe(200)
}

const run = (...args: string[]) => periplus([...args, '--json'])

describe('backup and restore (R-48)', () => {
  let config: Config
  let key: string
  beforeAll(async () => {
    config = configFor(fresh('data'))
    await importRows(config, 'location', locations)
    await importRows(config, 'review', reviews)
    await importRows(config, 'location', deletions)
    key = (await makeKey(config, { packageName: 'innovate' })).secret
    await run('reviews', 'hide', '1', '--data', config.data)
  })

  test('a backup of a served folder, restored elsewhere, serves the same bytes', async () => {
    const served = await serveAs(config.data)
    await indexed(served, key)
    await answersOf(served, key)
    const backup = fresh('backup')
    const made = await run('backup', backup, '--data', config.data)
    expect(made.json()).toMatchObject({ folder: backup, problems: [] })
    const before = await answersOf(served, key)
    expect(await served.stop()).toBe(0)

    const data = fresh('restored')
    expect((await run('restore', backup, '--data', data)).json()).toMatchObject({ data, files: made.json().files })
    expect(existsSync(filesOf(data).index)).toBe(true)
    const again = await serveAs(data)
    await indexed(again, key)
    expect(await answersOf(again, key)).toEqual(before)
    expect(await again.stop()).toBe(0)
    expect(dump(configFor(data))).toEqual(dump(config))
    expect((await run('verify', '--data', data)).json()).toEqual({ ok: true, problems: [] })
    // The restored folder also has keys, ids and moderation decisions.
    expect((await importRows(configFor(data), 'review', reviews)).report).toMatchObject({ added: 0, changed: 0 })
  })

  test('a backup during imports and requests has one consistent state', async () => {
    const data = fresh('busy')
    const place = (i: number, name: string) => ({ source: 's', source_id: `p${i}`, name, lat: 1, lon: i % 180 })
    const review = (i: number) => ({
      source: 's',
      source_id: `r${i}`,
      place_source_id: `p${(i * 7) % 5000}`,
      rating: 1 + (i % 5),
      text: `Text ${i}`,
    })
    const rows = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
    const busy = configFor(data)
    await importRows(
      busy,
      'location',
      rows(5000, i => place(i, 'Old')),
    )
    await importRows(busy, 'review', rows(5000, review))
    const { secret } = await makeKey(busy)
    const served = await serve(data)
    const importing = start(['import', '-', '--data', data, '--no-index', '--json'])
    const imported = collect(importing)
    const ended = once(importing, 'close')
    let busyYet = true
    // Imports and requests continue until all backups are complete.
    const feeding = pipeline(
      Readable.from(
        (function* () {
          for (let i = 5000; busyYet; i += 1000) yield ndjson(rows(1000, n => review(i + n)))
        })(),
      ),
      importing.stdin!,
    )
    let calls = 0
    const caller = (async () => {
      while (busyYet) {
        const { status } = await send(served.url, `/locations/${1 + (calls % 5000)}`, {
          headers: { 'X-API-Key': secret },
        })
        expect(status).toBe(200)
        calls++
      }
    })()
    const counts: number[] = []
    for (let i = 0; i < 3; i++) {
      const backup = fresh('backup')
      const made = await run('backup', backup, '--data', data)
      expect(made).toMatchObject({ code: 0 })
      expect(made.json().problems).toEqual([])
      const restored = fresh('restored')
      expect((await run('restore', backup, '--data', restored)).code).toBe(0)
      expect(
        (await run('verify', '--data', restored))
          .json<{ problems: FolderProblem[] }>()
          .problems.filter(({ file }) => !file.endsWith('search.index')),
      ).toEqual([])
      counts.push((dump(configFor(restored)).tables.reviews as unknown[]).length)
      // Each backup contains only complete batches of 1,000 rows.
      expect(counts.at(-1)! % 1000).toBe(0)
    }
    busyYet = false
    await Promise.all([caller, feeding])
    expect((await ended)[0]).toBe(0)
    expect(JSON.parse(imported.stdout())).toMatchObject({ rejected: 0 })
    expect(await served.stop()).toBe(0)
  })

  test.each([
    ['in the middle of the copies', 'sync control.sqlite#2'],
    ['before the manifest is written', 'write backup.json'],
  ])(
    'killed %s: leaves no backup that looks complete, and the next backup removes the remains',
    async (_name, step) => {
      const backup = fresh('backup')
      const partials = () => readdirSync(dirname(backup)).filter(name => /\.partial$/.test(name))
      await killedAt(step, ['backup', backup, '--data', config.data])
      expect(existsSync(backup)).toBe(false)
      expect(partials()).toHaveLength(1)
      const restored = await run('restore', join(dirname(backup), partials()[0]!), '--data', fresh('restored'))
      expect(restored.code).toBe(1)
      expect((await run('backup', backup, '--data', config.data)).code).toBe(0)
      expect(partials()).toEqual([])
    },
  )

  describe('a broken backup is refused with a message, and nothing is restored', () => {
    let whole: string
    beforeAll(async () => {
      whole = fresh('whole')
      await run('backup', whole, '--data', config.data)
    })
    const manifest = (backup: string, change: (found: Record<string, unknown>) => void) => {
      const file = join(backup, 'backup.json')
      const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
      change(found)
      writeFileSync(file, JSON.stringify(found))
    }
    const flip = (file: string, at: number) => {
      const bytes = readFileSync(file)
      bytes[at]! ^= 1
      writeFileSync(file, bytes)
    }
    test.each<[string, (backup: string) => void, string, object]>([
      [
        'a missing folder',
        backup => rmSync(backup, { recursive: true }),
        "does not exist. Specify a folder that 'periplus backup' created",
        { fault: 'backup_missing' },
      ],
      [
        'a missing manifest',
        backup => rmSync(join(backup, 'backup.json')),
        'is not a complete backup: it has no backup.json',
        { fault: 'backup_incomplete', manifest: 'backup.json' },
      ],
      [
        'a truncated manifest',
        backup => truncateSync(join(backup, 'backup.json'), 100),
        'backup.json is damaged',
        { fault: 'backup_damaged', file: 'backup.json', damage: { kind: 'unreadable' } },
      ],
      [
        'a missing file',
        backup => rmSync(join(backup, 'pepper')),
        'pepper is missing from the backup',
        { fault: 'backup_damaged', file: 'pepper', damage: { kind: 'missing' } },
      ],
      [
        'a flipped bit',
        backup => flip(join(backup, 'control.sqlite'), 5000),
        'control.sqlite of the backup is damaged',
        { fault: 'backup_damaged', file: 'control.sqlite', damage: { kind: 'checksum' } },
      ],
      [
        'a truncated store',
        backup => truncateSync(join(backup, 'data/g1/data.sqlite'), 4096),
        'has 4096 bytes instead of',
        { fault: 'backup_damaged', file: 'data/g1/data.sqlite', damage: { kind: 'size', bytes: 4096 } },
      ],
      [
        'a file with extra bytes',
        backup => appendFileSync(join(backup, 'pepper'), 'x'),
        'bytes instead of',
        { fault: 'backup_damaged', file: 'pepper', damage: { kind: 'size' } },
      ],
      [
        'a newer schema',
        backup => manifest(backup, found => Object.assign(found.schemas as object, { data: 99 })),
        'data.sqlite of the backup has schema version 99',
        { fault: 'backup_newer', schema: { store: 'data.sqlite', found: 99 } },
      ],
      [
        'a newer format',
        backup => manifest(backup, found => Object.assign(found, { format: 2 })),
        'newer release',
        { fault: 'backup_newer', schema: undefined },
      ],
      [
        'a path out of the folder',
        backup => manifest(backup, found => Object.assign((found.files as object[])[0]!, { path: '../out' })),
        'backup.json is damaged',
        { fault: 'backup_damaged', file: 'backup.json', damage: { kind: 'unreadable' } },
      ],
    ])('%s', async (_name, breakIt, message, fault) => {
      const backup = fresh('broken')
      cpSync(whole, backup, { recursive: true })
      breakIt(backup)
      const data = fresh('restored')
      const ran = await run('restore', backup, '--data', data)
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toContain(message)
      expect(ran.stderr).not.toContain('unexpected')
      const request = { backup, force: false, onProgress: () => {} }
      const refused = await restoreBackup(
        { backups: composeRestore(configFor(data)), clock: systemClock },
        actor,
        request,
      )
      expect(refused).toMatchObject({ fields: ['backup'], backup, ...fault })
      expect(existsSync(data)).toBe(false)
      expect(readdirSync(folder.path).filter(name => name.endsWith('.partial'))).toEqual([])
    })

    test('refuses a data folder with data; --force renames it first', async () => {
      const data = fresh('used')
      await importRows(configFor(data), 'location', [{ id: 77, name: 'Kept', lat: 1, lon: 1 }])
      const before = dump(configFor(data))
      const refused = await run('restore', whole, '--data', data)
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
      expect(dump(configFor(data))).toEqual(before)
      const served = await serve(data)
      const open = await run('restore', whole, '--data', data, '--force')
      expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first') })
      await served.stop()
      const { moved_aside: previous } = (await run('restore', whole, '--data', data, '--force')).json<{
        moved_aside: string
      }>()
      expect(dump(configFor(previous))).toEqual(before)
      expect(dump(configFor(data))).toEqual(dump(config))
    })
  })

  describe('invalid use of backup', () => {
    test('a target folder that is not empty', async () => {
      const used = fresh('used')
      mkdirSync(used)
      writeFileSync(join(used, 'mine.txt'), 'x')
      const ran = await run('backup', used, '--data', config.data)
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
      expect(readdirSync(used)).toEqual(['mine.txt'])
    })

    test('a target folder inside the data folder', async () => {
      const inside = join(config.data, 'backups', 'today')
      const ran = await run('backup', inside, '--data', config.data)
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('is inside the data folder') })
      expect(existsSync(dirname(inside))).toBe(false)
    })

    test('a missing data folder', async () => {
      const ran = await run('backup', fresh('backup'), '--data', fresh('nowhere'))
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no Periplus data') })
    })

    test('a damaged store is refused', async () => {
      const data = fresh('damaged')
      cpSync(config.data, data, { recursive: true })
      const file = filesOf(data).data
      const db = new Database(file)
      db.pragma('wal_checkpoint(TRUNCATE)')
      const page = db
        .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'reviews_by_recency'")
        .pluck()
        .get() as number
      db.close()
      const bytes = readFileSync(file)
      bytes.fill(0x55, (page - 1) * 4096, page * 4096)
      writeFileSync(file, bytes)
      const ran = await run('backup', fresh('backup'), '--data', data)
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('The copy is damaged') })
    })
  })
})
