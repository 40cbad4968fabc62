import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { composeFeedBuild } from '../../src/compose/feeds.ts'
import type { Config } from '../../src/config/load.ts'
import { createRandom } from '../../src/kit/random.ts'
import { periplus, serve } from '../cli.ts'
import { changeCount } from '../dump.ts'
import { send } from '../http-client.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, makeKey, scratch, startWorld } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)
let folders = 0
const freshData = () => join(folder.path, `data-${++folders}`)

/** Text that occurs nowhere else, so that any copy of it in a file is found. */
const marker = 'Quixotic zephyrs vexed the marmalade lighthouse'
const place = { source: 's', source_id: 'p', name: 'Much reviewed', lat: 1, lon: 1, category: 'restaurant' }
const review = (no: number, more: object = {}) => ({
  source: 's',
  source_id: `r${no}`,
  place_source_id: 'p',
  rating: 1 + (no % 5),
  title: `Title ${no}`,
  text: `Review number ${no} of this place, and quite an ordinary one.`,
  lang: 'en',
  published_date: '2026-01-01',
  user_id: `u${no}`,
  user_name: `User ${no}`,
  ...more,
})
const marked = review(7, {
  title: `${marker} in the title`,
  text: `${marker} at length. `.repeat(300),
  user_name: `${marker} & Sons`,
  user_id: `user of the ${marker}`,
  source_id: 'r7',
  owner_response: `${marker}, says the owner`,
})
const markedUser = `s:${marked.user_id}`

async function folderWith(rows: readonly object[]): Promise<Config> {
  const config = configFor(freshData())
  await importRows(config, 'location', [place])
  await importRows(config, 'review', rows)
  return config
}

const command = (config: Config, ...args: string[]) => periplus([...args, '--data', config.data, '--json'])

/** Lists the files of the data folder that contain the text. */
function filesWith(config: Config, text: string): string[] {
  const names = readdirSync(config.data, { recursive: true, encoding: 'utf8' })
  return names.filter(name => {
    const path = join(config.data, name)
    return statSync(path).isFile() && readFileSync(path).includes(text)
  })
}

interface Reviews {
  data: { id: number; text: { value: string }[] }[]
  pagination: { total_elements: number }
}

describe('reviews hide and show (R-46)', () => {
  test('a hidden review is removed from lists, counts and ratings, stays hidden after an import, and can be shown again', async () => {
    const world = await startWorld({}, [place])
    const rows = [review(1), review(2), review(4, { rating: 5 })]
    await importRows(world.config, 'review', rows)
    const overall = async () => {
      const { data } = (await world.get('/locations/1')).json() as { data: { traveler_ratings?: { overall: unknown } } }
      return data.traveler_ratings?.overall
    }
    const listed = async () => {
      const { data, pagination } = (await world.get('/locations/1/reviews')).json() as unknown as Reviews
      expect(pagination.total_elements).toBe(data.length)
      return data.map(one => one.id).sort()
    }
    await expect.poll(listed).toEqual([1, 2, 3])
    expect(await overall()).toMatchObject({ rating: 3.33, count: 3 })
    const changes = changeCount(world.config)

    expect((await command(world.config, 'reviews', 'hide', '3')).json()).toEqual({ id: 3, state: 'hidden' })
    await expect.poll(listed).toEqual([1, 2])
    await expect.poll(overall).toMatchObject({ rating: 2.5, count: 2 })
    expect((await world.get('/locations/1/reviews?rating_min=5')).text).toContain('"data":[]')
    expect((await world.get('/locations/1/reviews?published_after_review_id=3')).status).toBe(400)
    // One line for the review and one for the location, whose rating has changed.
    expect(changeCount(world.config)).toBe(changes + 2)
    expect((await command(world.config, 'reviews', 'hide', '3')).code).toBe(0)
    expect(changeCount(world.config)).toBe(changes + 2)

    expect((await importRows(world.config, 'review', rows)).report).toMatchObject({ unchanged: 3, rejected: 0 })
    const changed = { ...rows[2]!, text: 'Changed while it was hidden.' }
    expect((await importRows(world.config, 'review', [changed])).report).toMatchObject({ changed: 1 })
    expect(await listed()).toEqual([1, 2])

    expect((await command(world.config, 'reviews', 'show', '3')).json()).toEqual({ id: 3, state: 'shown' })
    await expect.poll(listed).toEqual([1, 2, 3])
    await expect.poll(overall).toMatchObject({ rating: 3.33, count: 3 })
    expect((await world.get('/locations/1/reviews')).text).toContain('Changed while it was hidden.')
    expect((await command(world.config, 'verify')).json()).toEqual({ ok: true, problems: [] })
    await world.close()
  })

  test('a source can remove a hidden review, which stays hidden if it is imported again', async () => {
    const config = await folderWith([review(1), review(2)])
    await command(config, 'reviews', 'hide', '2')
    const deletion = { source: 's', source_id: 'r2', deleted: true }
    expect((await importRows(config, 'review', [deletion])).report.removed).toBe(1)
    expect((await importRows(config, 'review', [deletion])).report.unchanged).toBe(1)
    await importRows(config, 'review', [review(2)])
    expect(reviewIds(config)).toEqual([1])
    expect((await command(config, 'reviews', 'show', '2')).json()).toEqual({ id: 2, state: 'shown' })
    expect(reviewIds(config)).toEqual([1, 2])
    await command(config, 'reviews', 'hide', '2')
    await importRows(config, 'review', [deletion])
    expect((await command(config, 'reviews', 'show', '2')).json()).toEqual({ id: 2, state: 'removed' })
  })

  test('hidden reviews move when their place is merged, and are removed with it', async () => {
    const config = await folderWith([review(1), review(2)])
    await importRows(config, 'location', [{ ...place, source_id: 'q' }])
    await command(config, 'reviews', 'hide', '2')
    await importRows(config, 'location', [
      { source: 's', source_id: 'p', merged_into: { source: 's', source_id: 'q' } },
    ])
    expect((await command(config, 'reviews', 'show', '2')).json()).toEqual({ id: 2, state: 'shown' })
    expect(rowsOf(config, 'SELECT DISTINCT location_id FROM reviews')).toEqual([2])
    await command(config, 'reviews', 'hide', '2')
    await importRows(config, 'location', [{ source: 's', source_id: 'q', deleted: true }])
    expect((await command(config, 'reviews', 'show', '2')).json()).toEqual({ id: 2, state: 'removed' })
  })
})

describe('erasure (R-46, R-47)', () => {
  test('no file contains an erased review, while the service runs and after a restart', async () => {
    const config = await folderWith([...Array.from({ length: 50 }, (_, i) => review(i + 100)), marked])
    const layout = filesOf(config.data)
    // Files that an upgrade and an import leave.
    new Database(layout.data).prepare('VACUUM INTO ?').run(`${layout.data}.schema-1.bak`)
    const rejects = join(config.data, 'rejects')
    mkdirSync(rejects, { recursive: true })
    const rejected = (row: object) => JSON.stringify({ line: 1, reason: 'unknown_place', row: JSON.stringify(row) })
    writeFileSync(join(rejects, 'a.ndjson'), `${rejected(marked)}\n${rejected(review(8))}\n`)
    const { secret } = await makeKey(config)
    const served = await serve(config.data)
    const get = async (path: string) => (await send(served.url, path, { headers: { 'X-API-Key': secret } })).text
    expect(await get('/locations/1/reviews?size=100')).toContain(marker)
    expect(await get('/locations/1')).toContain('"count":51')
    expect(filesWith(config, marker)).not.toEqual([])
    await composeFeedBuild(config, { feeds: ['reviews'] })

    const erased = await command(config, 'reviews', 'erase', '51')
    expect(erased.json()).toEqual({
      id: 51,
      state: 'erased',
      ids: [51],
      removed: 1,
      removed_copies: ['data.sqlite.schema-1.bak'],
      removed_rejects: 1,
      withdrawn_snapshots: [expect.stringMatching(/^reviews .*\.0-v1$/)],
      pending: [],
    })
    expect(filesWith(config, marker)).toEqual([])
    // The text cannot be found in compressed parts, so check that no part remains.
    const parts = readdirSync(layout.feeds, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.includes('part-'),
    )
    expect(parts).toEqual([])
    expect(readFileSync(join(rejects, 'a.ndjson'), 'utf8')).toContain('Review number 8')
    await expect.poll(() => get('/locations/1')).toContain('"count":50')
    expect(await get('/locations/1/reviews?size=100')).not.toContain(marker)
    expect(rowsOf(config, 'SELECT reason FROM tombstones WHERE kind = 2 AND id = 51')).toEqual(['erased'])
    expect(await served.stop()).toBe(0)

    const again = await periplus(['import', '-', '--kind', 'reviews', '--data', config.data, '--json'], {
      stdin: `${JSON.stringify(marked)}\n${JSON.stringify({ ...marked, id: 51 })}\n`,
    })
    expect(again.json()).toMatchObject({ added: 0, rejected: 2, reasons: { erased: 2 } })
    const restarted = await serve(config.data)
    expect(await (await send(restarted.url, '/locations/1', { headers: { 'X-API-Key': secret } })).text).toContain(
      '"count":50',
    )
    expect(await restarted.stop()).toBe(0)
    expect(filesWith(config, marker)).toEqual([])
    expect((await command(config, 'verify')).json()).toEqual({ ok: true, problems: [] })
    // A second erasure changes nothing.
    const changes = changeCount(config)
    expect((await command(config, 'reviews', 'erase', '51')).json()).toMatchObject({ removed: 0, pending: [] })
    expect(changeCount(config)).toBe(changes)
  })

  test('never reuses the id of an erased review', async () => {
    const config = await folderWith([review(1, { id: 3 }), review(2)])
    await command(config, 'reviews', 'erase', '3')
    await command(config, 'reviews', 'erase', '1')
    await importRows(config, 'review', [review(5), review(6), review(7)])
    expect(reviewIds(config)).toEqual([2, 4, 5])
    const claims = [{ id: 3, location_id: 1, rating: 5 }, review(9, { id: 1 })]
    expect((await importRows(config, 'review', claims)).report).toMatchObject({ rejected: 2, reasons: { erased: 2 } })
  })

  test('a hidden review can be erased; an erased review can be neither hidden nor shown', async () => {
    const config = await folderWith([review(1), marked])
    await command(config, 'reviews', 'hide', '2')
    expect((await command(config, 'reviews', 'erase', '2')).json()).toMatchObject({ removed: 1, pending: [] })
    expect(filesWith(config, marker)).toEqual([])
    for (const verb of ['hide', 'show']) {
      const ran = await command(config, 'reviews', verb, '2')
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: 'Review 2 was erased, which is final.\n' })
    }
  })

  test('erase --user erases all reviews of a user, including hidden ones, and rejects later ones', async () => {
    const own = (no: number) => ({ ...marked, source_id: `own${no}`, text: `${marker} ${no}` })
    const config = await folderWith([review(1), own(1), own(2), review(2), own(3)])
    await command(config, 'reviews', 'hide', '3')
    const ran = await command(config, 'erase', '--user', markedUser)
    expect(ran.json()).toMatchObject({ user: markedUser, ids: [2, 3, 5], removed: 3, pending: [] })
    expect(filesWith(config, marker)).toEqual([])
    expect(reviewIds(config)).toEqual([1, 4])
    const { report } = await importRows(config, 'review', [own(3), own(4), { ...own(5), user_id: 'another user' }])
    expect(report).toMatchObject({ added: 1, rejected: 2, reasons: { erased: 2 } })
    // An erased review is recognised by its key even without its user.
    const { user_id: _, ...anonymous } = own(1)
    expect((await importRows(config, 'review', [anonymous])).report).toMatchObject({ reasons: { erased: 1 } })
    expect((await command(config, 'erase', '--user', markedUser)).json()).toMatchObject({ removed: 0 })
    expect((await command(config, 'verify')).json()).toEqual({ ok: true, problems: [] })
  })

  test('the rejects file of an import does not contain erased reviews', async () => {
    const config = await folderWith([review(1), marked])
    await command(config, 'erase', '--user', markedUser)
    const ran = await periplus(['import', '-', '--kind', 'reviews', '--data', config.data, '--json'], {
      stdin: `${JSON.stringify(marked)}\n`,
    })
    expect(ran.json()).toMatchObject({ rejected: 1, reasons: { erased: 1 } })
    expect(filesWith(config, marker)).toEqual([])
  })

  test('a reader of an older state delays the cleaning, which the running service then finishes', async () => {
    const config = await folderWith([review(1), marked])
    const reader = new Database(filesOf(config.data).data)
    reader.exec('BEGIN')
    expect(reader.prepare('SELECT count(*) FROM reviews').pluck().get()).toBe(2)
    const ran = await command(config, 'reviews', 'erase', '2')
    expect(ran.json()).toMatchObject({ removed: 1, pending: ['truncate'] })
    const second = await periplus(['reviews', 'erase', '2', '--data', config.data])
    expect(second.stdout).toContain('completes this within the hour')
    expect(filesWith(config, marker)).not.toEqual([])
    reader.close()
    const served = await serve(config.data)
    await expect.poll(() => filesWith(config, marker)).toEqual([])
    await expect.poll(() => rowsOf(config, 'SELECT count(*) FROM pending_cleaning', 'control')).toEqual([0])
    await served.stop()
  })

  test('removes stale copies from pages that SQLite has rearranged', async () => {
    const next = createRandom(5)
    const ids = [...new Set(Array.from({ length: 4000 }, () => 1 + Math.floor(next() * 1e9)))]
    const secret = (id: number) => `${marker} number ${id}`
    const config = await folderWith([])
    for (let i = 0; i < ids.length; i += 100)
      await importRows(
        config,
        'review',
        ids.slice(i, i + 100).map(id => ({
          id,
          location_id: 1,
          user_id: id % 3 === 0 ? 'gone' : 'stays',
          text: (id % 3 === 0 ? secret(id) : `Something else, number ${id}. `).padEnd(200 + (id % 600), 'x'),
        })),
      )
    const ran = await command(config, 'erase', '--user', 'import:gone')
    expect(ran.json()).toMatchObject({ removed: ids.filter(id => id % 3 === 0).length, pending: [] })
    expect(filesWith(config, marker)).toEqual([])
    expect((await command(config, 'verify')).json()).toEqual({ ok: true, problems: [] })
  })
})

describe('reports invalid use with a message', () => {
  const one = folderWith([review(1)])

  test.each([
    [['reviews', 'hide', 'abc'], 2, "'abc' is not a review id"],
    [['reviews', 'erase', '0'], 2, "'0' is not a review id"],
    [['reviews', 'show', '9223372036854775808'], 2, 'A review id is an integer'],
    [['reviews', 'hide'], 2, 'Give the id of a review or --scan.'],
    [['reviews', 'hide', '99'], 1, 'Review 99 does not exist'],
    [['reviews', 'show', '99'], 1, 'Review 99 does not exist'],
    [['reviews', 'erase', '99'], 1, 'Review 99 does not exist'],
    [['erase'], 2, 'Specify the user whose reviews to erase'],
    [['erase', '--user', 'u17'], 2, "'u17' is not a valid user"],
    [['erase', '--user', 'crm:'], 2, "'crm:' is not a valid user"],
  ])('%j', async (args, code, message) => {
    const ran = await command(await one, ...args)
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).not.toContain('unexpected')
  })

  test('a missing folder', async () => {
    const ran = await periplus(['reviews', 'hide', '1', '--data', join(folder.path, 'nowhere')])
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no Periplus data') })
  })
})

function rowsOf(config: Config, sql: string, store: 'data' | 'control' = 'data'): unknown[] {
  const db = new Database(filesOf(config.data)[store], { readonly: true })
  try {
    return db.prepare(sql).pluck().all()
  } finally {
    db.close()
  }
}

const reviewIds = (config: Config) => rowsOf(config, 'SELECT id FROM reviews ORDER BY id')
