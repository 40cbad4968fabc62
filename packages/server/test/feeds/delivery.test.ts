import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeFeedBuild } from '../../src/compose/feeds.ts'
import type { Manifest } from '../../src/domain/feed.ts'
import { parseLongJson } from '../../src/kit/long-json.ts'
import { periplus } from '../cli.ts'
import { expectDocumented } from '../contract/answers.ts'
import { pageClient } from '../management/page-client.ts'
import { importRows, scratch, startWorld, type World } from '../world.ts'

const guide = new URL('../../../../docs/guides/feeds.md', import.meta.url)
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

interface Exported {
  readonly feed: string
  readonly downloaded_at?: string
}

let world: World
beforeAll(async () => {
  world = await startWorld()
  await composeFeedBuild(world.config, { kind: 'full' })
})
afterAll(() => world.close())

const latest = async (feed: string, kind = 'full') => {
  const reply = await world.get(`/feeds/${feed}/latest?kind=${kind}`)
  expectDocumented(reply, '/feeds/locations/latest')
  return parseLongJson(reply.text) as Manifest
}

/** Downloads the lines of a snapshot over HTTP. */
async function linesOf({ feed, snapshot_id, files }: Manifest): Promise<string[]> {
  const parts = files.map(async ({ name }) => {
    const url = `${world.url}/feeds/${feed}/snapshots/${snapshot_id}/files/${name}`
    const reply = await fetch(url, { headers: { 'X-API-Key': world.key } })
    return zstdDecompressSync(Buffer.from(await reply.arrayBuffer())).toString()
  })
  return (await Promise.all(parts)).join('').split('\n').slice(0, -1)
}

describe('delivery of built snapshots (R-45)', () => {
  test('lines of locations equal the answers of the API byte for byte', async () => {
    const lines = await linesOf(await latest('locations'))
    expect(lines.length).toBeGreaterThan(5)
    const ids = lines.map(line => (parseLongJson(line) as { id: number | bigint }).id)
    const answers = await Promise.all(ids.map(async id => (await world.get(`/locations/${id}?version=1`)).text))
    expect(lines.map(line => `{"data":${line}}`)).toEqual(answers)
  })

  test('lines of reviews equal the answers of the API byte for byte', async () => {
    const lines = await linesOf(await latest('reviews'))
    expect(lines.length).toBeGreaterThan(1)
    const of = new Set(lines.map(line => (parseLongJson(line) as { location_id: number | bigint }).location_id))
    const pages = await Promise.all(
      [...of].map(async id => (await world.get(`/locations/${id}/reviews?size=100&version=1`)).text),
    )
    for (const line of lines) expect(pages.some(page => page.includes(line))).toBe(true)
  })

  test('the portal shows when the key downloaded each snapshot', async () => {
    const client = pageClient(world)
    const cookie = client.cookieOf(await client.open('m@example.org', '--role', 'member', '--partner', 'tester'))
    const read = async () => (await client.get('/portal/tester/feeds?format=json', cookie)).json() as Exported[]
    const timesOf = (feed: string, rows: readonly Exported[]) =>
      rows.filter(row => row.feed === feed).map(({ downloaded_at: at }) => at)
    expect(timesOf('enums', await read())).toEqual([undefined])
    const beforeMs = Date.now()
    await linesOf(await latest('enums'))
    const [at] = timesOf('enums', await read())
    expect(Date.parse(at!)).toBeGreaterThan(beforeMs - 1000)
    expect(Date.parse(at!)).toBeLessThanOrEqual(Date.now())
    expect((await client.get('/portal/tester/feeds', cookie)).text).toContain(`<time datetime="${at!.slice(0, 19)}`)
  })

  test('a delta is available without a restart, and its schema without a key', async () => {
    await importRows(world.config, 'location', [{ source: 'late', source_id: '1', name: 'Late', lat: 1, lon: 2 }])
    await composeFeedBuild(world.config, { kind: 'delta' })
    const delta = await latest('locations', 'delta')
    expect(delta).toMatchObject({
      kind: 'delta',
      upserts: 1,
      tombstones: 0,
      applies_to: [(await latest('locations')).snapshot_id],
    })
    const reply = await world.get(`/feeds/locations/deltas?after=${delta.sequence - 1}`)
    expect(reply.json()).toMatchObject({ data: [{ snapshot_id: delta.snapshot_id }] })
    const schema = await world.get(new URL(delta.schema_url).pathname, { key: null })
    expect(schema).toMatchObject({ status: 200, headers: { 'content-type': 'application/schema+json' } })
    expect((await world.get('/feeds/schemas/locations-9.schema.json', { key: null })).status).toBe(404)
  })

  test.skipIf(!hasOpenssl)("the guide's openssl commands verify a snapshot (skipped without openssl)", async () => {
    const folder = scratch()
    const recipe = /```\n(sed -E[^`]*)```/.exec(readFileSync(guide, 'utf8'))![1]!
    writeFileSync(join(folder.path, 'manifest.json'), (await world.get('/feeds/geos/latest')).text)
    writeFileSync(join(folder.path, 'public-key.pem'), (await world.get('/feeds/public-key.pem', { key: null })).text)
    const said = spawnSync('bash', ['-ec', recipe], { cwd: folder.path, encoding: 'utf8' })
    folder.remove()
    expect([said.status, said.stdout]).toEqual([0, 'Signature Verified Successfully\n'])
  })

  test('downloads are in the ledger with zero units', async () => {
    const { files, snapshot_id } = await latest('enums')
    const reply = await world.get(`/feeds/enums/snapshots/${snapshot_id}/files/${files[0]!.name}`)
    expect([reply.status, reply.headers['x-billed-units']]).toEqual([200, '0'])
    const usage = await periplus(['usage', '--data', world.config.data, '--json'])
    const { rows } = usage.json<{ rows: { operation: string; calls: number; units: number }[] }>()
    const downloads = rows.find(({ operation }) => operation === 'downloadFeedFile')
    expect(downloads).toMatchObject({ calls: expect.any(Number), units: 0 })
    expect(downloads!.calls).toBeGreaterThanOrEqual(3)
  })
})
