import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeImport } from '../../src/compose/import.ts'
import { serve } from '../cli.ts'
import { settableClock } from '../clock.ts'
import { send } from '../http-client.ts'
import { searchable } from '../searchable.ts'
import { configFor, importRows, makeKey, scratch, startWorld, type World } from '../world.ts'

const clock = settableClock(Date.now())
let world: World
beforeAll(async () => {
  world = await startWorld({ 'server.adminPort': 0 }, 'world', clock)
  await searchable(world)
})
afterAll(() => world.close())

const metrics = async () => (await send(world.adminUrl!, '/metrics')).text

/** Returns the value of a sample, by its name in the text format; undefined if it is missing. */
const sample = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find(one => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

describe('the admin port', () => {
  test('listens on a loopback address and serves only its own paths', async () => {
    expect(new URL(world.adminUrl!).hostname).toBe('127.0.0.1')
    for (const [path, method, status] of [
      ['/metrics', 'GET', 200],
      ['/metrics?x=y', 'HEAD', 200],
      ['/healthz', 'GET', 200],
      ['/readyz', 'GET', 200],
      ['/', 'GET', 404],
      ['/toString', 'GET', 404],
      ['/locations/1', 'GET', 404],
      ['/metrics', 'POST', 405],
    ] as const) {
      const reply = await send(world.adminUrl!, path, { method })
      expect([path, method, reply.status]).toEqual([path, method, status])
      expect(reply.headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await send(world.adminUrl!, '/metrics')).headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  })

  test('does not expose metrics on the partner port', async () => {
    for (const path of ['/metrics', '/admin/metrics', '/metrics/']) {
      const reply = await world.get(path)
      expect([path, reply.status]).toEqual([path, 404])
      expect(reply.text).not.toContain('periplus_')
    }
  })

  test('serves metrics in the text format, each with its type', async () => {
    const lines = (await metrics()).split('\n').filter(line => line !== '')
    for (const line of lines)
      expect(line).toMatch(
        /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? (Nan|[-+]?[\d.]+(e[-+]?\d+)?))$/,
      )
    const typed = new Set(lines.flatMap(line => /^# TYPE (\w+)/.exec(line)?.[1] ?? []))
    const named = lines.flatMap(line => /^(periplus_\w+?)(_bucket|_sum|_count)?[ {]/.exec(line)?.[1] ?? [])
    expect(named.filter(name => !typed.has(name))).toEqual([])
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      expect(typed).toContain(name)
  })
})

describe('metrics', () => {
  test('count responses by operation, version and status, with durations and units', async () => {
    const before = await metrics()
    for (let i = 0; i < 3; i++) await world.get('/locations/1?version=1')
    await world.get('/locations/1?version=beta')
    await world.get('/locations?ids=1,2,3&version=1')
    await world.get('/locations/abc?version=1')
    await world.get('/locations/1?version=0')
    await world.get('/no-such-path')
    const after = await metrics()
    const increase = (name: string) => (sample(after, name) ?? 0) - (sample(before, name) ?? 0)
    const requests = (operation: string, version: string, status: number) =>
      increase(`periplus_requests_total{operation="${operation}",version="${version}",status="${status}"}`)
    expect(requests('getLocation', '1', 200)).toBe(3)
    expect(requests('getLocation', 'beta', 200)).toBe(1)
    expect(requests('getLocations', '1', 200)).toBe(1)
    expect(requests('getLocation', '1', 400)).toBe(1)
    expect(requests('getLocation', 'none', 410)).toBe(1)
    expect(requests('page', 'none', 404)).toBe(1)
    expect(increase('periplus_units_total{operation="getLocation"}')).toBe(4)
    expect(increase('periplus_units_total{operation="getLocations"}')).toBe(3)
    const duration = 'periplus_request_duration_seconds'
    expect(increase(`${duration}_count{operation="getLocation"}`)).toBe(6)
    expect(increase(`${duration}_bucket{operation="getLocation",le="+Inf"}`)).toBe(6)
    expect(increase(`${duration}_sum{operation="getLocation"}`)).toBeGreaterThan(0)
    const buckets = [...after.matchAll(/_bucket\{operation="getLocation",le="[^"]+"\} (\d+)/g)].map(([, n]) =>
      Number(n),
    )
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b))
  })

  test('count refusals by policy', async () => {
    const { secret } = await makeKey(world.config, { agreement: { searchRate: 0.001, searchBurst: 1 } })
    for (let i = 0; i < 3; i++) await world.get('/locations/search?query=a', { key: secret })
    expect(sample(await metrics(), 'periplus_refusals_total{policy="search"}')).toBeGreaterThanOrEqual(1)
  })

  test('report a journal lag that returns to zero after folding', async () => {
    for (let i = 0; i < 20; i++) await world.get('/locations/1')
    const lag = async () => {
      const text = await metrics()
      return ['records', 'bytes', 'seconds'].map(unit => sample(text, `periplus_journal_lag_${unit}`))
    }
    await expect.poll(lag).toEqual([0, 0, 0])
  })

  test('report the data, the index, a running import, the cache, connections and the disk', async () => {
    // Set the clock after every change of the data.
    clock.ms = Date.now() + 3_600_000
    const name = 'periplus_import_running'
    expect(sample(await metrics(), name)).toBe(0)
    const importing = await composeImport(world.config, { dryRun: false })
    expect(sample(await metrics(), name)).toBe(1)
    await importing.close()
    const text = await metrics()
    expect(sample(text, name)).toBe(0)
    expect(sample(text, 'periplus_index_ready')).toBe(1)
    expect(sample(text, 'periplus_index_revision')).toBe(sample(text, 'periplus_data_revision'))
    expect(sample(text, 'periplus_index_places')).toBeGreaterThan(5)
    clock.ms += 100_000
    const changedSeconds = (when: string) => sample(when, 'periplus_data_changed_seconds')!
    expect(changedSeconds(await metrics()) - changedSeconds(text)).toBeCloseTo(100)
    expect(sample(text, 'periplus_location_cache_total{outcome="hit"}')).toBeGreaterThan(0)
    expect(sample(text, 'periplus_location_cache_total{outcome="miss"}')).toBeGreaterThan(0)
    expect(sample(text, 'periplus_open_connections')).toBeGreaterThan(0)
    expect(sample(text, 'periplus_data_free_bytes')).toBeGreaterThan(0)
    expect(sample(text, 'periplus_journal_failing')).toBe(0)
  })

  test('never block an import while they read its lock', async () => {
    const scrapes = Promise.all(Array.from({ length: 40 }, metrics))
    for (let i = 0; i < 20; i++) {
      const scrape = metrics()
      await (await composeImport(world.config, { dryRun: false })).close()
      await scrape
    }
    await scrapes
    expect(existsSync(join(world.config.data, 'import-lock.sqlite'))).toBe(true)
  })

  test('have a number of samples that does not depend on callers and requests', async () => {
    for (let i = 0; i < 5; i++) await world.get('/x')
    // Only non-empty buckets are shown, so their number depends on the speed of the machine.
    const samples = async () =>
      new Set((await metrics()).split('\n').map(line => line.replace(/,?le="[^"]+"|} .*/g, '')))
    const before = (await samples()).size
    for (let i = 0; i < 200; i++) {
      const { secret } = i % 20 === 0 ? await makeKey(world.config) : { secret: world.key }
      await world.get(`/x${i}?version=${i}`, { key: secret, method: i % 3 === 0 ? 'DELETE' : 'GET' })
      await world.get(`/locations/${i + 1000}?version=1`, { key: secret })
      await world.get(`/locations/1?version=v${i}`, { key: secret })
    }
    expect((await samples()).size - before).toBeLessThan(10)
  })
})

test('without a configured port there is no admin server; with one, the log shows its address', async () => {
  const folder = scratch()
  await importRows(configFor(folder.path), 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const without = await serve(folder.path)
  expect(await without.stop()).toBe(0)
  expect(without.log()).not.toContain('metrics')
  const server = await serve(folder.path, ['--admin-port', '0'])
  const loggedUrl = () => /"url":"(http:[^"]+)","msg":"Serving metrics\."/.exec(server.log())?.[1]
  await expect.poll(loggedUrl).toBeDefined()
  expect((await send(loggedUrl()!, '/metrics')).text).toContain('periplus_requests_total')
  expect(await server.stop()).toBe(0)
  folder.remove()
})
