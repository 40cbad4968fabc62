/** `periplus sync` from the feeds of another service, scheduled by a serving process. */
import { appendFileSync, linkSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { periplus, type Served, serve } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { locations, reviews } from '../world-rows.ts'

const folder = scratch()
const publisher = join(folder.path, 'publisher')
const data = join(folder.path, 'data')
const secret = join(folder.path, 'key')
let server: Served

const run = async (...args: string[]) => {
  const ran = await periplus(args)
  expect(ran.stderr).toBe('')
  return ran.json()
}
const sync = (...args: string[]) =>
  run('sync', 'other', '--from', server.url, '--secret-file', secret, '--data', data, '--json', ...args)

beforeAll(async () => {
  await importRows(configFor(publisher), 'location', locations)
  await importRows(configFor(publisher), 'review', reviews)
  const limits = ['--rate', '1000', '--burst', '1000', '--quota', 'unlimited']
  const { key } = await run('keys', 'create', '--package', 'transform', ...limits, '--data', publisher, '--json')
  writeFileSync(secret, `${key}\n`)
  await run('feeds', 'build', '--full', '--data', publisher, '--json')
  server = await serve(publisher)
})
afterAll(async () => {
  await server?.stop()
  folder.remove()
})

test('stores a full, then only what a delta changes, also if a run ends before it is recorded', async () => {
  const first = await sync()
  expect(first).toMatchObject({ rejected: 0, removed: 0 })
  const places = Number(first.added)
  expect(places).toBeGreaterThan(20)
  expect(await sync()).toMatchObject({ read: 0 })

  const changed = { ...locations.find(one => 'name' in one && 'id' in one)!, name: 'Another name' }
  const [review] = reviews as { id?: number; source_id?: string; source?: string }[]
  await importRows(configFor(publisher), 'location', [changed])
  await importRows(configFor(publisher), 'review', [{ ...review, deleted: true }])
  await run('feeds', 'build', '--delta', '--data', publisher, '--json')
  const second = await sync()
  expect(second).toMatchObject({ changed: 1, added: 0, rejected: 0, removed: 1 })

  // As after a kill between the last batch and its record: everything of the delta is read again, and changes nothing.
  const into = join(data, 'sync', 'other')
  renameSync(join(into, 'locations.stored.ndjson'), join(into, 'lost'))
  linkSync(join(into, 'locations.ndjson'), join(into, 'locations.pending.ndjson'))
  const again = await sync()
  expect(again).toMatchObject({ added: 0, changed: 0, removed: 0 })
  expect(Number(again.read)).toBeGreaterThan(20)

  // A damaged result is compared no more, and neither is that of another state, as after a move of the worker.
  await importRows(configFor(publisher), 'location', [{ ...changed, name: 'A third name' }])
  await run('feeds', 'build', '--delta', '--data', publisher, '--json')
  appendFileSync(join(into, 'locations.stored.ndjson'), 'x')
  const damaged = await periplus(['sync', 'other', '--from', server.url, '--secret-file', secret, '--data', data])
  expect([damaged.code, damaged.stderr]).toEqual([
    1,
    expect.stringMatching(/stored.*The next run compares all records/),
  ])
  writeFileSync(join(into, 'stored.position'), 'an earlier one')
  const third = await sync()
  expect(third).toMatchObject({ changed: 1, added: 0, removed: 0 })
  expect(Number(third.read)).toBeGreaterThan(20)
})

test('a service runs the configured syncs, with metrics', async () => {
  const other = join(folder.path, 'scheduled')
  await importRows(configFor(other), 'location', [{ id: 1, name: 'Own', lat: 1, lon: 1 }])
  const syncs = [{ name: 'other', from: server.url, secretFile: secret, everySeconds: 10 }]
  const served = await serve(other, [], { PERIPLUS_SYNC: JSON.stringify(syncs) })
  try {
    const list = () => run('sync', 'list', '--data', other, '--json')
    await eventually(async () => expect(await list()).toMatchObject({ syncs: [{ failures: 0, rejected: 0 }] }))
    expect(await run('imports', 'list', '--data', other, '--json')).toMatchObject({
      imports: [{ state: 'done', request: { source: 'other' } }],
    })
  } finally {
    await served.stop()
  }
})

test('says what is wrong with the service or the key', async () => {
  const from = async (url: string, env: Record<string, string>) => {
    const ran = await periplus(['sync', 'x', '--from', url, '--data', data], { env })
    return `${ran.code} ${ran.stderr.trim()}`
  }
  expect(await from(server.url, {})).toBe(
    '2 Specify the API key of the service in PERIPLUS_KEY or with --secret-file FILE.',
  )
  expect(await from(server.url, { PERIPLUS_KEY: 'peri_x' })).toMatch(/^1 .*401: This is not an API key/)
  const query = await periplus(['sync', 'x', '--from', server.url, '--query', 'SELECT 1', '--data', data])
  expect([query.code, query.stderr]).toEqual([2, '--query: only for a database, but from is a service.\n'])
})
