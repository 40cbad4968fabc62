/** Open downloads of two nodes, each a process; one is killed. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withEngine } from '../../src/compose/engine.ts'
import { openFeedWorkspace } from '../../src/compose/shared-feeds.ts'
import { openLayout } from '../../src/store/folder/layout.ts'
import { periplus, serve } from '../cli.ts'
import { describeWith, startPostgres } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { send } from '../http-client.ts'
import { usePool } from '../journal-node.ts'
import { suspend } from '../suspend.ts'
import { configFor, freePort, makeKey, scratch } from '../world.ts'
import { idOf, putSnapshot } from './hand-made.ts'

const snapshot = { feed: 'locations', version: '1', sequence: 1, bytes: 30_000_000 } as const
const path = `/feeds/locations/snapshots/${idOf(snapshot)}/files/part-00000.ndjson.zst`
/** Starts a download that stalls after its first bytes. On a busy machine, a statement may take too long. */
const stall = (url: string, secret: string): Promise<Socket> =>
  eventually(async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${secret}\r\n\r\n`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    expect(first.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /)
    return socket
  })

/** Reads the rest of a stalled download; returns its bytes. */
async function finish(socket: Socket): Promise<number> {
  let bytes = 0
  for await (const piece of socket) bytes += piece.length
  return bytes
}

/** Starts two nodes with the same snapshot, and a key. */
async function startNodes(store: string) {
  const [blobs, ...folders] = [scratch(), scratch(), scratch()] as const
  for (const { remove } of [blobs, ...folders]) onTestFinished(remove)
  const config = configFor(folders[0].path, { store, blobs: blobs.path })
  const { secret } = await makeKey(config, { packageName: 'innovate' })
  await withEngine(config, { create: false }, async engine => {
    const workspace = await openFeedWorkspace(config, openLayout(config.data), engine)
    putSnapshot(workspace.root, snapshot)
    await workspace.commit()
  })
  const env = {
    PERIPLUS_STORE: store,
    PERIPLUS_LIMITS_SHARED: 'postgres',
    PERIPLUS_BLOBS: blobs.path,
    PERIPLUS_SERVER_PUBLIC_URL: 'http://places.test',
    PERIPLUS_SERVER_DRAIN_MS: '0',
    PERIPLUS_FEEDS_SCHEDULE: 'manual',
    PERIPLUS_PEPPER_FILE: join(config.data, 'pepper'),
  }
  const start = async ({ path: folder }: { readonly path: string }) => {
    const port = await freePort()
    const served = await serve(folder, ['--port', String(port)], env)
    onTestFinished(async () => void (await served.stop('SIGKILL')))
    const url = `http://127.0.0.1:${port}`
    return {
      stop: served.stop,
      id: JSON.parse(readFileSync(join(folder, 'node.json'), 'utf8')).folderId as string,
      stall: () => stall(url, secret),
      head: () => send(url, path, { method: 'HEAD', headers: { 'X-API-Key': secret } }),
    }
  }
  const status = async () => {
    const { stdout } = await periplus(['cluster', 'status', '--json', '--data', config.data], { env })
    return JSON.parse(stdout) as { readonly nodes: readonly { readonly open_downloads: number }[] }
  }
  return { nodes: await Promise.all(folders.map(start)), status }
}

describeWith(['pg'], 'downloads from two nodes', () => {
  test('are limited together, over a kill of a node and an outage of the database', async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.stop)
    const {
      nodes: [a, b],
      status,
    } = await startNodes(postgres.url)
    const pool = usePool(postgres.url)
    const becomes = (node: typeof a, wanted: number) =>
      eventually(async () => expect((await node!.head()).status).toBe(wanted))
    const whenOpen = (downloads: number) =>
      eventually(async () => expect(await pool.query('SELECT FROM download_leases')).toHaveLength(downloads))

    const [ended, lasting] = [await a!.stall(), await a!.stall()]
    for (const node of [b, b]) await node!.stall()
    await whenOpen(4)
    for (const node of [a, b]) await becomes(node, 429)
    expect((await status()).nodes.map(({ open_downloads: open }) => open)).toEqual([2, 2])
    ended.destroy()
    await becomes(b, 200)
    await whenOpen(3)
    await a!.stall()
    await b!.stop('SIGKILL')
    await becomes(a, 429)
    // The minute passes, for the clock of the database.
    await pool.run("UPDATE download_leases SET expires_at = expires_at - interval '60 seconds' WHERE node = $1", [
      b!.id,
    ])
    await becomes(a, 200)

    const resume = suspend(postgres.pid)
    try {
      const away = await a!.head()
      expect([away.status, away.headers['retry-after']]).toEqual([503, '1'])
      expect(await finish(lasting)).toBeGreaterThan(snapshot.bytes / 2)
    } finally {
      resume()
    }
    await becomes(a, 200)
    expect(await a!.stop()).toBe(0)
    expect(await pool.query('SELECT FROM download_leases WHERE node = $1', [a!.id])).toEqual([])
  })
})
