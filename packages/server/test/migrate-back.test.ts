/** `periplus migrate --blobs` and `--to folder`: from a data folder to a cluster and back, while it is served. */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../src/kit/clock.ts'
import { type CommandResult, periplus, serve } from './cli.ts'
import { openUsage, verifyFolder } from './composed.ts'
import { describeWith, useDatabase } from './engines.ts'
import { eventually } from './eventually.ts'
import { buildFeeds } from './feeds/builds.ts'
import { send } from './http-client.ts'
import { useFolder, usePool } from './journal-node.ts'
import { killedAt } from './kills.ts'
import { configFor, freePort, importRows, makeKey, scratch } from './world.ts'
import { deletions, locations, reviews } from './world-rows.ts'

const folder = scratch()
afterAll(folder.remove)
const place = (id: number) => ({ id, name: `Place ${id}`, lat: 1, lon: 1 })
const paths = [
  '/locations/1',
  '/locations/2',
  '/locations/900001',
  '/locations/1/reviews',
  '/locations/search?query=place',
]

/** Settings of a data folder. Feeds contain the address. */
const alone = { store: 'folder', 'server.publicUrl': 'https://places.example' }

/** Tables whose rows nothing changes between the two moves. */
const kept: readonly (readonly [file: string, tables: readonly string[]])[] = [
  ['data/g1/data.sqlite', ['reviews', 'review_ranks', 'tombstones', 'changes', 'review_totals']],
  ['control.sqlite', ['sources', 'record_ids', 'id_counters', 'partners', 'keys']],
]

function rowsOf(file: string, table: string): string[] {
  const db = new Database(file, { readonly: true })
  try {
    return db
      .prepare<[], object>(`SELECT * FROM ${table}`)
      .all()
      .map(row => JSON.stringify(row))
      .sort()
  } finally {
    db.close()
  }
}

interface Moved {
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly sha256: string }[]
  readonly files: { readonly feeds: number; readonly index: number; readonly journal: number }
}

const movedBy = (ran: CommandResult): Moved => {
  expect(ran.code, ran.stderr).toBe(0)
  return ran.json<Moved>()
}

/** Returns the bodies of some calls. Repeats calls while the search index is loaded, or the database is busy. */
async function call(url: string, secret: string): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const path of paths) {
    const { status, text } = await eventually(async () => {
      const response = await send(url, path, { headers: { 'X-API-Key': secret } })
      expect(response.status).not.toBe(503)
      return response
    })
    answers.push([status, JSON.parse(text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')).data])
  }
  return answers
}

/** Returns the sums of the ledger of a folder. */
async function usageOf(data: string) {
  const { usage, close } = openUsage(configFor(data, alone))
  const all = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
  const { rows } = await usage.report(all, ['operation', 'status'], 'UTC').finally(close)
  return rows.map(({ operation, status, calls, units }) => [operation, status, calls, units].join(' ')).sort()
}

/** Returns the same sums of a database. */
async function usageIn(store: string) {
  const rows = await usePool(store).query<{ sums: string }>(
    "SELECT concat_ws(' ', operation, status, sum(calls), sum(units)) AS sums FROM usage_slots GROUP BY operation, status",
  )
  return rows.map(({ sums }) => sums).sort()
}

/** A cluster of two nodes, with the folder that moved to its database. */
async function startCluster(data: string, store: string, blobs: string) {
  const env = {
    PERIPLUS_STORE: store,
    PERIPLUS_BLOBS: blobs,
    PERIPLUS_LIMITS_SHARED: 'postgres',
    PERIPLUS_SERVER_PUBLIC_URL: `http://127.0.0.1:${await freePort()}`,
    PERIPLUS_FEEDS_SCHEDULE: 'manual',
  }
  const other = useFolder()
  copyFileSync(join(data, 'pepper'), join(other, 'pepper'))
  return { env, nodes: [await serveNode(data, env), await serveNode(other, env)] }
}

/** Starts a node; its URL is its own one, not that of the cluster. */
async function serveNode(data: string, env: Readonly<Record<string, string>>) {
  const port = await freePort()
  return { ...(await serve(data, ['--port', `${port}`], env)), url: `http://127.0.0.1:${port}` }
}

describeWith(['pg'], 'periplus migrate to a cluster and back', () => {
  test('the same rows, usage, feeds and answers on both ways, after kills', { timeout: 240_000 }, async () => {
    const data = join(folder.path, 'first')
    const config = configFor(data, alone)
    await importRows(config, 'location', [...locations, place(900_001)])
    await importRows(config, 'review', reviews)
    await importRows(config, 'location', deletions)
    const { secret } = await makeKey(config, { packageName: 'innovate', addOns: ['feeds'] })
    const [built] = await buildFeeds(config, systemClock, { kind: 'full', feeds: ['locations'] })
    const service = await serve(data)
    const expected = await call(service.url, secret)
    const pulled = useFolder()
    const pull = (url: string) =>
      periplus(['feeds', 'pull', 'locations', '--url', url, '--into', pulled, '--key', secret])
    expect((await pull(service.url)).code).toBe(0)
    await service.stop()

    const [store, blobs] = [await useDatabase(), useFolder()]
    const there = ['migrate', '--data', data, '--to', store, '--blobs', blobs, '--json']
    const first = movedBy(await periplus(there))
    expect(first.files).toEqual({ feeds: expect.any(Number), index: 1, journal: 1 })
    expect(first.files.feeds).toBeGreaterThan(4)
    // What has been uploaded is found again.
    expect(movedBy(await periplus(there)).files).toEqual(first.files)

    const { env, nodes } = await startCluster(data, store, blobs)
    for (const { url } of nodes) expect(await call(url, secret)).toEqual(expected)
    expect((await pull(nodes[1]!.url)).stdout).toMatch(/unchanged/)

    const back = join(folder.path, 'second')
    const args = ['migrate', '--data', back, '--to', 'folder', '--json']
    const settings = { ...env, PERIPLUS_PEPPER_FILE: join(data, 'pepper') }
    // Killed while it copies, the nodes continue, and nothing opens the new folder.
    await killedAt('commit data.sqlite#5', args, settings)
    expect(await call(nodes[0]!.url, secret)).toEqual(expected)
    expect((await periplus(['keys', 'list', '--data', back])).stderr).toMatch(
      /are being moved to .*run periplus migrate/,
    )
    // Killed when the nodes have ended, these can start again.
    await killedAt('rename 00000001.log.zst', args, settings)
    expect(await Promise.all(nodes.map(node => node.ended))).toEqual([
      [0, null],
      [0, null],
    ])
    const again = await serveNode(data, env)
    expect(await call(again.url, secret)).toEqual(expected)
    await killedAt('remove ARRIVING', args, settings)
    expect(await again.ended).toEqual([0, null])
    // The database has moved; the command completes the folder.
    const refused = await periplus(['keys', 'list', '--data', data], { env })
    expect(refused.stderr).toMatch(/has moved to the folder .*second of /)
    expect(movedBy(await periplus(args, { env: settings })).tables).toEqual([])

    expect(readdirSync(back)).not.toContain('ARRIVING')
    expect(await verifyFolder(configFor(back, alone))).toEqual([])
    for (const [file, tables] of kept)
      for (const table of tables)
        expect(rowsOf(join(back, file), table), table).toEqual(rowsOf(join(data, `${file}.moved.bak`), table))
    const usage = await usageOf(back)
    expect(usage).toEqual(await usageIn(store))
    expect(usage.length).toBeGreaterThan(3)
    const home = await serve(back)
    expect(await call(home.url, secret)).toEqual(expected)
    expect((await pull(home.url)).stdout).toMatch(/unchanged/)
    expect(await home.stop()).toBe(0)
    const newest = join(back, 'feeds/locations/v1/last.json')
    expect(readFileSync(newest, 'utf8')).toContain(built!.manifest.snapshot_id)
    const [delta] = await buildFeeds(configFor(back, alone), systemClock, { kind: 'delta', feeds: ['locations'] })
    expect(delta!.manifest).toMatchObject({ upserts: 0, tombstones: 0, applies_to: [built!.manifest.snapshot_id] })
  })
})
