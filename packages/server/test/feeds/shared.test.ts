/** Feeds that nodes share in blobs: a folder, and an S3 store where one is installed. */
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBlobs } from '../../src/compose/blobs.ts'
import { withEngine } from '../../src/compose/engine.ts'
import { composeFeedWithdrawal } from '../../src/compose/feed-withdrawal.ts'
import { refreshFeeds } from '../../src/compose/shared-feeds.ts'
import { withChecks } from '../../src/compose/verification.ts'
import type { Config } from '../../src/config/load.ts'
import type { Manifest } from '../../src/domain/feed.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { parseLongJson } from '../../src/kit/long-json.ts'
import { openLayout } from '../../src/store/folder/layout.ts'
import { createDatabase, describeWith, findS3 } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { record } from '../record.ts'
import { configFor, importRows, makeFolder, scratch, startWorld, type World } from '../world.ts'
import { buildFeeds } from './builds.ts'

const folder = scratch()
afterAll(folder.remove)

function suite(blobsOf: () => Promise<string>): void {
  let world: World
  let database: Awaited<ReturnType<typeof createDatabase>>
  let flags: Record<string, string>

  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
    flags = { store: database.url, blobs: await blobsOf(), 'server.publicUrl': 'https://places.example' }
    world = await startWorld(flags)
  })
  afterAll(async () => {
    await world.close()
    await database.drop()
  })

  /** Creates the folder of another node of the database. */
  function addNode(): Config {
    const data = mkdtempSync(join(folder.path, 'node-'))
    cpSync(join(world.config.data, 'pepper'), join(data, 'pepper'))
    const config = configFor(data, flags)
    makeFolder(config)
    return config
  }

  const build = (config: Config, kind: 'full' | 'delta') =>
    buildFeeds(config, systemClock, { kind, feeds: ['locations'] })
  const pathOf = ({ snapshot_id }: Manifest) => `/feeds/locations/snapshots/${snapshot_id}`
  const readFile = async (manifest: Manifest, headers: Record<string, string> = {}) => {
    const url = `${world.url}${pathOf(manifest)}/files/${manifest.files[0]!.name}`
    const reply = await fetch(url, { headers: { 'X-API-Key': world.key, ...headers } })
    return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
  }

  test('a node delivers what another one has built, and a third one continues', async () => {
    const [builder, other] = [addNode(), addNode()]
    const full = (await build(builder, 'full'))[0]!.manifest
    const reply = await world.get(`${pathOf(full)}/manifest.json`)
    expect([reply.status, (parseLongJson(reply.text) as Manifest).checksum_of_result]).toEqual([
      200,
      full.checksum_of_result,
    ])
    const { sha256 } = full.files[0]!
    const { bytes, headers } = await readFile(full)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    expect(headers.get('content-length')).toBe(String(full.files[0]!.bytes))
    const part = await readFile(full, { Range: 'bytes=10-19' })
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(10, 20)])
    expect((await readFile(full, { 'If-None-Match': `"${sha256}"` })).status).toBe(304)
    expect((await world.get('/feeds/public-key.pem', { key: null })).status).toBe(200)
    expect(readdirSync(join(world.config.data, 'feeds', 'locations', 'v1', full.snapshot_id)).sort()).toEqual([
      'manifest.json',
      'source.json',
    ])

    await importRows(other, 'location', [{ source: 'late', source_id: '1', name: 'Late', lat: 1, lon: 2 }])
    const delta = (await build(other, 'delta'))[0]!.manifest
    expect(delta).toMatchObject({ kind: 'delta', upserts: 1, tombstones: 0, applies_to: [full.snapshot_id] })
    expect((await readFile(delta)).status).toBe(200)
    expect(await problemsOf(builder)).toEqual([])
  })

  test('a snapshot that another node withdraws is gone, and so is its file', async () => {
    const builder = addNode()
    const { manifest } = (await build(builder, 'full')).at(-1)!
    await withEngine(builder, { create: false }, engine =>
      composeFeedWithdrawal(engine, builder).withdraw(
        { feed: 'locations', version: manifest.version },
        manifest.snapshot_id,
        record(),
      ),
    )
    await refreshFeeds(world.config, openLayout(world.config.data))
    expect((await world.get(`${pathOf(manifest)}/manifest.json`)).status).toBe(410)
    expect((await readFile(manifest)).status).toBe(410)
    const blobs = (await findBlobs(builder))!
    const left = await Array.fromAsync(blobs.list(`feeds/locations/v1/${manifest.snapshot_id}/`), ({ key }) => key)
    expect(left.filter(key => key.includes('part-'))).toEqual([])
    expect(await problemsOf(builder)).toEqual([])
  })

  test('one of two builds at the same time waits for the other, and follows it', async () => {
    const sequences = await Promise.all([addNode(), addNode()].map(async node => (await build(node, 'full')).at(-1)!))
    const [a, b] = sequences.map(({ manifest }) => manifest.sequence)
    expect(Math.abs(a! - b!)).toBe(1)
  })
}

async function problemsOf(config: Config): Promise<unknown[]> {
  const found: unknown[] = []
  await withChecks(config, async checks => {
    for (const check of checks) if (check.name === 'feeds') found.push(...(await check.problems()))
  })
  return found
}

describeWith(['pg'], 'feeds in a folder that nodes share', () =>
  suite(async () => {
    const blobs = join(folder.path, 'blobs')
    mkdirSync(blobs)
    return blobs
  }),
)

describeWith(['pg', 's3'], 'feeds in an S3 store', () =>
  suite(async () => {
    const url = new URL(await findS3())
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${randomUUID()}`
    return url.href
  }),
)
