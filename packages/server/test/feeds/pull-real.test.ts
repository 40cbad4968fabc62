/** The pull against the real service, with imports, builds, withdrawals and pins made by commands. */
import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composePull } from '../../src/compose/feeds-pull.ts'
import { feedNames } from '../../src/domain/feed.ts'
import { parseLongJson } from '../../src/kit/long-json.ts'
import { periplus, type Served, serve } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { deletions, locations, reviews } from '../world-rows.ts'

const folder = scratch()
const data = join(folder.path, 'data')
const config = configFor(data)
let server: Served
let key: { id: string; key: string }

async function run<T>(...args: string[]): Promise<T> {
  const ran = await periplus([...args, '--data', data, '--json'])
  expect(ran.stderr).not.toMatch(/unexpected/)
  expect(ran.code).toBe(0)
  return ran.json() as T
}
const pull = (into: string, ...args: string[]) =>
  periplus(['feeds', 'pull', ...args, '--url', server.url, '--into', join(folder.path, into), '--json'], {
    env: { PERIPLUS_KEY: key.key },
  })
const resultOf = (into: string, feed: string) => readFileSync(join(folder.path, into, `${feed}.ndjson`), 'utf8')

beforeAll(async () => {
  await importRows(config, 'location', locations)
  await importRows(config, 'review', reviews)
  const limits = ['--rate', '1000', '--burst', '1000', '--quota', 'unlimited']
  key = await run('keys', 'create', '--package', 'transform', ...limits)
  await run('feeds', 'build', '--full')
  server = await serve(data)
})
afterAll(async () => {
  await server?.stop()
  folder.remove()
})

describe('pull from the service', () => {
  test('pulls fulls, then the deltas of an import and an erasure; the result equals a new full', async () => {
    const first = await pull('a')
    expect(first.stderr).toBe('')
    expect(first.json()).toMatchObject({ pulled: feedNames.map(feed => ({ feed, kind: 'full' })), failed: [] })
    expect(resultOf('a', 'locations').length).toBeGreaterThan(1000)
    await importRows(config, 'location', deletions)
    await importRows(config, 'location', [{ id: 4711, name: 'New', lat: 1, lon: 2, country: 'ES' }])
    const { id } = parseLongJson(resultOf('a', 'reviews').split('\n')[0]!) as { id: number | bigint }
    await run('reviews', 'erase', String(id))
    await run('feeds', 'build', '--delta')
    const second = (await pull('a')).json<{ pulled: { feed: string; kind: string; upserts: number }[] }>()
    expect(second.pulled).toMatchObject([{ feed: 'locations' }, { feed: 'reviews' }, {}, {}])
    expect(parseLongJson(resultOf('a', 'reviews').split('\n')[0] || '{}')).not.toMatchObject({ id })
    expect(resultOf('a', 'locations')).toMatch(/^\{"id":4711,/m)
    await run('feeds', 'build', '--full')
    await pull('b')
    for (const feed of feedNames) expect(resultOf('a', feed)).toBe(resultOf('b', feed))
  })

  test('pulls tables, keeps those that are the newest, and replaces a damaged one', async () => {
    const built = await periplus(['feeds', 'build', '--full', '--data', data], {
      env: { PERIPLUS_FEEDS_PARQUET: '[locations, reviews]' },
    })
    expect(built.code).toBe(0)
    const first = await pull('tables', '--format', 'parquet')
    expect(first.json()).toMatchObject({
      pulled: [
        { feed: 'locations', kind: 'full' },
        { feed: 'reviews', kind: 'full' },
      ],
    })
    expect(first.stderr).toMatch(/^geos: The service publishes no Parquet of this feed\./m)
    const part = join(folder.path, 'tables/locations.parquet/part-00000.parquet')
    const bytes = readFileSync(part)
    expect(bytes.subarray(-4).toString()).toBe('PAR1')
    truncateSync(part, 100)
    const kinds = (await pull('tables', '--format', 'parquet')).json<{ pulled: { kind: string }[] }>().pulled
    expect(kinds.map(({ kind }) => kind)).toEqual(['full', 'unchanged'])
    expect(readFileSync(part).equals(bytes)).toBe(true)
    const without = await pull('tables', 'enums', '--format', 'parquet')
    expect([without.code, without.json()]).toMatchObject([1, { failed: [{ feed: 'enums', mismatch: false }] }])
  })

  test('pulls the pinned versions 0 and 2', async () => {
    for (const version of ['0', '2']) {
      for (const feed of feedNames) await run('feeds', 'pin', key.id, feed, version)
      await run('feeds', 'build', '--full')
      // The service applies a changed pin after a short delay; the pull then gets a different edition.
      const found = await eventually(async () => {
        const { pulled } = (await pull('a')).json<{ pulled: { version: string; kind: string }[] }>()
        expect(pulled.map(one => one.version)).toEqual(feedNames.map(() => version))
        return pulled
      })
      expect(found.map(({ kind }) => kind)).toEqual(['full', 'full', 'full', 'full'])
      expect((await pull('a')).json()).toMatchObject({ pulled: feedNames.map(() => ({ kind: 'unchanged' })) })
    }
  })

  test('reports a part that was truncated on the disk of the service', async () => {
    await run('feeds', 'pin', key.id, 'locations', '1')
    const edition = join(data, 'feeds/locations/v1')
    const newest = readdirSync(edition)
      .filter(name => name.endsWith('-v1'))
      .sort()
      .at(-1)!
    const snapshot = join(edition, newest)
    const part = readdirSync(snapshot).find(name => /\.(zst|gz)$/.test(name) && name.includes('part'))!
    truncateSync(join(snapshot, part), 100)
    const request = {
      url: new URL(server.url),
      key: key.key,
      into: join(folder.path, 'c'),
      feed: 'locations',
      say: () => {},
      progress: () => ({ update: () => {}, stop: () => {} }),
    } as const
    // The download is repeated without delays. The service applies the changed pin after a short delay.
    const message = expect.stringMatching(/ends after|SHA-256/)
    await eventually(async () =>
      expect(await composePull(request, async () => {})).toMatchObject({ failed: [{ mismatch: true, message }] }),
    )
  })
})
