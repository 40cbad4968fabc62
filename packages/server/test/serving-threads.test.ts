/** The partner port served by three threads, with a search index of several parts. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { composeServer } from '../src/compose/server.ts'
import { openEnd } from '../src/domain/ledger.ts'
import { indexFiles } from '../src/search/index/file.ts'
import { periplus, serve } from './cli.ts'
import { openUsage, verifyFolder } from './composed.ts'
import { eventually } from './eventually.ts'
import { type Reply, send } from './http-client.ts'
import { searchable } from './searchable.ts'
import { filesOf } from './store-files.ts'
import { configFor, freePort, importRows, makeFolder, makeKey, scratch, startWorld, type World } from './world.ts'

/** Serving threads that this process has started, newest last. */
const workers: Worker[] = []
const remember = (worker: Worker) => worker.threadName?.startsWith('serving-') && workers.push(worker)
process.on('worker', remember)

let world: World
beforeAll(async () => {
  world = await startWorld({ 'server.threads': 3, 'server.adminPort': 0, 'search.partPlaces': 3 })
  await searchable(world)
  expect(indexFiles(filesOf(world.config.data).index).length).toBeGreaterThan(4)
  // Pages are refused while their thread takes long to start.
  await eventually(async () => expect((await send(world.url, '/portal')).status).toBeLessThan(500))
})
afterAll(async () => {
  process.off('worker', remember)
  await world.close()
})

/** Sends requests on connections of their own, so that all threads serve some of them. */
const sendMany = (count: number, path: string, key = world.key): Promise<Reply[]> =>
  Promise.all(
    Array.from({ length: count }, () => send(world.url, path, { headers: { 'X-API-Key': key, Connection: 'close' } })),
  )

function countStatuses(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function metric(name: string): Promise<number> {
  const { text } = await send(world.adminUrl!, '/metrics')
  const line = text.split('\n').find(one => one.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? Number.NaN)
}

/** Returns the calls and units of a key that were answered with 200. */
async function readUsage(keyId: string, config = world.config): Promise<{ calls: number; units: number }> {
  const { usage, close } = openUsage(config)
  try {
    const { rows } = await usage.report({ fromMs: 0, toMs: openEnd }, ['key', 'status'], 'UTC')
    const { calls = 0, units = 0 } = rows.find(row => row.key === keyId && row.status === 200) ?? {}
    return { calls, units }
  } finally {
    await close()
  }
}

test.each([
  '/locations/1',
  '/locations?ids=1,2,3',
  '/locations/search?query=a',
  '/locations/nearby?lat=40&lon=-3&radius=20000',
  '/locations/1/reviews',
  '/v1/feeds',
  '/places?q=a',
  '/portal',
  '/nowhere',
])('all threads give the same answer to %s', async path => {
  const replies = await sendMany(24, path)
  const answers = replies.map(({ status, text }) =>
    [status, text.replaceAll(/[0-9a-f-]{36}|\d\d:\d\d:\d\d/g, '')].join('\n'),
  )
  expect([...new Set(answers)]).toEqual([answers[0]])
  expect(answers[0]).not.toMatch(/^5/)
})

test('limits are those of one thread, and metrics are sums', async () => {
  const [rate, quota] = [
    await makeKey(world.config, { agreement: { rate: 0.02, burst: 20, quota: 'unlimited' } }),
    await makeKey(world.config, { agreement: { rate: 1_000_000, burst: 1_000_000, quota: 30 } }),
  ]
  const before = await metric('periplus_units_total{operation="getLocations"}')
  expect(countStatuses(await sendMany(60, '/locations/1', rate.secret))).toEqual({ 200: 20, 429: 40 })
  expect(countStatuses(await sendMany(60, '/locations?ids=1', quota.secret))).toEqual({ 200: 30, 429: 30 })
  expect(await readUsage(rate.id)).toEqual({ calls: 20, units: 20 })
  expect(await readUsage(quota.id)).toEqual({ calls: 30, units: 30 })
  expect((await metric('periplus_units_total{operation="getLocations"}')) - before).toBe(30)
  const [, left] = /"daily";r=(\d+)/.exec(String((await sendMany(1, '/feeds', quota.secret))[0]!.headers.ratelimit))!
  expect(left).toBe('0')
  const startMs = performance.now()
  const bad = countStatuses(await sendMany(150, '/locations/1', 'peri_live_wrong'))
  expect((bad[401] ?? 0) + (bad[429] ?? 0)).toBe(150)
  // An address may try 100 wrong keys at once, and 20 more per second.
  expect(bad[401]).toBeLessThanOrEqual(101 + ((performance.now() - startMs) / 1000) * 20)
})

test('a session of autocomplete costs one unit, whichever thread answers (R-150)', async () => {
  const { secret } = await makeKey(world.config)
  const path = '/locations/autocomplete?query=caf&session=session-of-three-threads'
  const replies = await sendMany(30, path, secret)
  expect(countStatuses(replies)).toEqual({ 200: 30 })
  expect(replies.reduce((sum, { headers }) => sum + Number(headers['x-billed-units']), 0)).toBe(1)
})

test('a revoked key is refused by all threads, and by none of them accepted again', async () => {
  const { id, secret } = await makeKey(world.config)
  const countAccepted = async () => countStatuses(await sendMany(24, '/locations/1', secret))[200] ?? 0
  expect(await countAccepted()).toBe(24)
  expect((await periplus(['keys', 'revoke', id, '--data', world.config.data])).code).toBe(0)
  await expect.poll(countAccepted).toBe(0)
  expect(await countAccepted()).toBe(0)
})

test('a changed place is new in all threads', async () => {
  await importRows(world.config, 'location', [{ id: 1, name: 'Renamed Zebra', lat: 40.4, lon: -3.7 }])
  await eventually(async () => {
    for (const path of ['/locations/1', '/locations/search?query=renamed+zebra']) {
      const replies = await sendMany(12, path)
      expect(replies.filter(({ text }) => text.includes('Renamed Zebra'))).toHaveLength(12)
    }
  })
})

test('a thread that dies loses its connections alone, and is replaced; acknowledged calls stay in the ledger', async () => {
  const { id, secret } = await makeKey(world.config)
  const { hostname, port } = new URL(world.url)
  const sockets = Array.from({ length: 40 }, () => connect(Number(port), hostname))
  const closed = sockets.map(socket =>
    once(
      socket.on('error', () => {}),
      'close',
    ),
  )
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  await expect.poll(() => metric('periplus_open_connections')).toBeGreaterThanOrEqual(40)
  let isOver = false
  const known = { answers: 0, unanswered: 0 }
  const load = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const reply = await send(world.url, '/locations/2', {
        headers: { 'X-API-Key': secret, Connection: 'close' },
      }).catch(() => undefined)
      if (reply?.status === 200) known.answers++
      else known.unanswered++
    }
  })
  const started = workers.length
  await workers[0]!.terminate()
  await expect.poll(() => workers.length).toBe(started + 1)
  await expect.poll(() => metric('periplus_thread_up{thread="serving-2"}')).toBe(1)
  isOver = true
  await Promise.all(load)
  const { calls, units } = await readUsage(id)
  expect(calls).toBeGreaterThanOrEqual(known.answers)
  expect(calls).toBeLessThanOrEqual(known.answers + known.unanswered)
  expect(units).toBe(calls)
  const open = sockets.filter(socket => !socket.destroyed).length
  expect(open).toBeGreaterThan(0)
  expect(open).toBeLessThan(40)
  expect(await metric('periplus_thread_restarts_total{thread="serving-2"}')).toBe(1)
  expect((await send(world.adminUrl!, '/readyz')).json()).toMatchObject({
    notes: ['The serving-2 thread has ended unexpectedly once. It has been restarted; the log has the reason.'],
  })
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
  await expect.poll(() => metric('periplus_open_connections')).toBeLessThan(20)
})

test('a service that stops answers what it has accepted, and the next one continues its limits', async () => {
  const quota = 1_000_000
  const { id, secret } = await makeKey(world.config, { agreement: { rate: 1_000_000, burst: 1_000_000, quota } })
  expect(countStatuses(await sendMany(30, '/locations/1', secret))).toEqual({ 200: 30 })
  const sent = Array.from({ length: 30 }, () => sendMany(1, '/locations/2', secret).then(([reply]) => reply!))
  const [outcomes] = await Promise.all([Promise.allSettled(sent), world.restart()])
  const answers = outcomes.filter(one => one.status === 'fulfilled' && one.value.status === 200).length
  const { calls, units } = await readUsage(id)
  expect(calls).toBeGreaterThanOrEqual(30 + answers)
  expect(calls).toBeLessThanOrEqual(60)
  const { headers } = (await sendMany(1, '/feeds', secret))[0]!
  expect(/"daily";r=(\d+)/.exec(String(headers.ratelimit))![1]).toBe(String(quota - units))
  expect(await verifyFolder(world.config)).toEqual([])
})

test('two services do not share a port, although their sockets could', async () => {
  const folder = scratch()
  const port = Number(new URL(world.url).port)
  const config = configFor(folder.path, { 'server.port': port, 'server.threads': 2 })
  makeFolder(config)
  const service = await composeServer(config, { demo: false })
  await expect(service.listen()).rejects.toThrow('EADDRINUSE')
  await service.drain()
  folder.remove()
})

test('one thread serves if the system cannot share a port', async () => {
  const folder = scratch()
  const config = configFor(folder.path, { 'server.port': await freePort(), 'server.threads': 3, 'server.adminPort': 0 })
  await importRows(config, 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const { id, secret } = await makeKey(config, { agreement: { rate: 0.02, burst: 5, quota: 'unlimited' } })
  const started = workers.length
  const service = await composeServer(config, { demo: false, sharesPorts: async () => false })
  const url = await service.listen()
  const headers = { 'X-API-Key': secret, Connection: 'close' }
  const replies = await Promise.all(Array.from({ length: 12 }, () => send(url, '/locations/1', { headers })))
  expect(countStatuses(replies)).toEqual({ 200: 5, 429: 7 })
  expect((await send(service.adminUrl!, '/readyz')).json()).toMatchObject({
    status: 'ready',
    notes: expect.arrayContaining([
      'Fewer threads serve than server.threads (3) because the system cannot share a port between sockets.',
    ]),
  })
  // No other socket could listen next to this one.
  await expect(
    once(createServer().listen({ port: config.server.port, host: config.server.host, reusePort: true }), 'listening'),
  ).rejects.toThrow('EADDRINUSE')
  expect(workers.length).toBe(started)
  await service.drain()
  expect(await readUsage(id, config)).toEqual({ calls: 5, units: 5 })
  folder.remove()
})

test('a killed process with three threads keeps every acknowledged call, and nothing but calls', async () => {
  const folder = scratch()
  const config = configFor(folder.path)
  await importRows(config, 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const { id, secret } = await makeKey(config)
  const known = { answers: 0, unanswered: 0 }
  for (const kills of [1, 2]) {
    const { url, stop } = await serve(folder.path, ['--threads', '3', '--log-level', 'silent'])
    const load = Array.from({ length: 6 }, async () => {
      for (;;) {
        known.unanswered++
        const headers = { 'X-API-Key': secret, Connection: 'close' }
        const reply = await send(url, '/locations/1', { headers }).catch(() => undefined)
        if (reply?.status !== 200) break
        known.unanswered--
        known.answers++
        if (known.answers === 150 * kills) void stop('SIGKILL')
      }
    })
    await Promise.all(load)
  }
  const { calls, units } = await readUsage(id, config)
  expect(calls).toBeGreaterThanOrEqual(known.answers)
  expect(calls).toBeLessThanOrEqual(known.answers + known.unanswered)
  expect(units).toBe(calls)
  expect(await verifyFolder(config)).toEqual([])
  folder.remove()
})
