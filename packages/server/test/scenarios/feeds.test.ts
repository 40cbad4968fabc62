import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/domain/feed.ts'
import { everything } from '../../src/domain/visibility.ts'
import { isSigned } from '../../src/feeds/manifest.ts'
import { parseLongJson } from '../../src/kit/long-json.ts'
import { createRandom } from '../../src/kit/random.ts'
import { settableClock } from '../clock.ts'
import { openAdmin } from '../composed.ts'
import { idOf, putSnapshot } from '../feeds/hand-made.ts'
import { record } from '../record.ts'
import { expectValidReply, scenarios } from '../scenario.ts'
import { makeKey, startWorld, type World } from '../world.ts'

const hour = 3_600_000
const clock = settableClock(Date.now())
const v1 = { feed: 'locations', version: '1' } as const
const id = (sequence: number, version = '1') => idOf({ version, sequence })
const files = new Map<number, Buffer>()
const manifests = new Map<number, Buffer>()
let world: World
let old: { id: string; secret: string }

const fileOf = (sequence: number, feed = 'locations') =>
  `/feeds/${feed}/snapshots/${id(sequence)}/files/part-00000.ndjson.zst`

/** Changes the feed version of a key, as the command does. */
async function pin(keyId: string, feed: 'locations', to: string): Promise<void> {
  const admin = openAdmin(world.config)
  const { revision } = (await admin.keys.key(keyId, everything))!
  await admin.keys.pinFeed(revision, { keyId, feed, from: '1', to, by: 'tester', atMs: Date.now() }, record())
  admin.close()
}

beforeAll(async () => {
  world = await startWorld({ 'feeds.snapshotsPerDay': 4, 'feeds.endedVersions': ['2'] }, 'empty', clock)
  const feeds = join(world.config.data, 'feeds')
  const put = (made: Parameters<typeof putSnapshot>[1]) => {
    const { file, manifest } = putSnapshot(feeds, made)
    files.set(made.sequence, file)
    manifests.set(made.sequence, manifest)
  }
  put({ ...v1, sequence: 1, bytes: 100_003 })
  put({ ...v1, sequence: 2, kind: 'delta', appliesTo: [id(1)] })
  put({ ...v1, sequence: 3, kind: 'delta', appliesTo: [id(2)], gone: 'erased' })
  put({ ...v1, sequence: 4, kind: 'delta', appliesTo: [id(3)] })
  put({ ...v1, sequence: 5, bytes: 30_000_000 })
  put({ ...v1, sequence: 6, kind: 'delta', appliesTo: [id(4), id(5)] })
  put({ ...v1, sequence: 7, gone: 'expired' })
  putSnapshot(feeds, { feed: 'locations', version: '0', sequence: 1 })
  old = await makeKey(world.config, { packageName: 'innovate' })
  await pin(old.id, 'locations', '0')
})
afterAll(() => world.close())

scenarios('listings and manifests (R-45)', () => world, [
  {
    name: 'feeds that the key may download, with their versions',
    get: '/feeds',
    status: 200,
    body: {
      data: [
        { feed: 'locations', version: '1', latest_full: id(5), latest_delta: id(6), latest_sequence: 6 },
        { feed: 'reviews', version: '1' },
        { feed: 'geos', version: '1' },
        { feed: 'enums', version: '1' },
      ],
    },
    has: { deprecation: null, 'x-billed-units': '0', 'ratelimit-policy': /"rate"/ },
  },
  {
    name: 'snapshots in order of creation',
    get: '/feeds/locations/snapshots',
    status: 200,
    body: { data: [1, 2, 4, 5, 6].map(sequence => ({ snapshot_id: id(sequence), sequence })) },
  },
  { name: 'a feed without snapshots', get: '/feeds/reviews/snapshots', status: 200, data: [] },
  { name: 'an unknown feed', get: '/feeds/hotels/snapshots', status: 404, text: 'locations, reviews, geos, enums' },
  { name: 'a feed itself has no document', get: '/feeds/locations', status: 404 },
  {
    name: 'latest of a feed without snapshots',
    get: '/feeds/geos/latest',
    status: 404,
    text: 'no full snapshot yet',
  },
  { name: 'latest of an unknown kind', get: '/feeds/locations/latest?kind=half', status: 400, fields: ['kind'] },
  {
    name: 'a manifest is immutable',
    get: `/feeds/locations/snapshots/${id(2)}/manifest.json`,
    status: 200,
    has: { 'cache-control': /immutable/, etag: /^".+"$/ },
  },
  { name: 'an unknown snapshot', get: `/feeds/locations/snapshots/${id(9)}/manifest.json`, status: 404 },
  {
    name: 'a path instead of a snapshot id',
    get: '/feeds/locations/snapshots/..%2f..%2fv0/manifest.json',
    status: 404,
  },
  {
    name: 'an erased snapshot',
    get: `/feeds/locations/snapshots/${id(3)}/manifest.json`,
    status: 410,
    text: 'was erased',
  },
  { name: 'an expired snapshot', get: `/feeds/locations/snapshots/${id(7)}/manifest.json`, status: 410 },
  { name: 'an unknown file', get: `/feeds/locations/snapshots/${id(1)}/files/part-00001.ndjson.zst`, status: 404 },
  {
    name: 'a path instead of a file name',
    get: `/feeds/locations/snapshots/${id(1)}/files/..%2fmanifest.json`,
    status: 404,
  },
  { name: 'an erased snapshot has no files', get: fileOf(3), status: 410 },
])

scenarios('deltas (R-45)', () => world, [
  {
    name: 'after is required',
    get: '/feeds/locations/deltas',
    status: 400,
    fields: ['after'],
    body: {
      detail:
        'after is required: the sequence number of the snapshot that you have, from its manifest, or 0 for all available deltas.',
    },
  },
  ...['', '-1', '1e1', '1.5', '99999999999999999', '2026-11-20.0-v1', '1&after=2'].map(after => ({
    name: `after=${after}`,
    get: `/feeds/locations/deltas?after=${after}`,
    status: 400,
    fields: ['after'],
    text: /"detail":"after /,
  })),
  { name: 'after must be a number', get: '/feeds/locations/deltas?after=x', status: 400, fields: ['after'] },
  { name: 'after a future snapshot', get: '/feeds/locations/deltas?after=8', status: 400, fields: ['after'] },
  {
    name: 'a delta in between is gone',
    get: '/feeds/locations/deltas?after=1',
    status: 410,
    text: 'latest full snapshot',
  },
  { name: 'after the delta that is gone', get: '/feeds/locations/deltas?after=3', status: 200, text: id(4) },
  { name: 'after the newest full snapshot', get: '/feeds/locations/deltas?after=5', status: 200, text: id(6) },
  {
    name: 'after the delta before that full snapshot',
    get: '/feeds/locations/deltas?after=4',
    status: 200,
    text: id(6),
  },
  { name: 'no newer delta', get: '/feeds/locations/deltas?after=6', status: 200, data: [] },
  {
    name: 'all available deltas',
    get: '/feeds/locations/deltas?after=0',
    status: 200,
    body: { data: [2, 4, 6].map(sequence => ({ sequence, kind: 'delta' })) },
  },
])

scenarios('the version of a call is validated but does not select the feed version (SPEC §9.1.8, R-45)', () => world, [
  { name: 'version 0 is gone', get: '/feeds/locations/latest?version=0', status: 410 },
  { name: 'an unknown version', get: '/feeds?version=banana', status: 400 },
  {
    name: 'version 2 does not change the feed version',
    get: '/feeds/locations/latest?version=2',
    status: 200,
    text: '"version":"1"',
  },
])

describe('pins', () => {
  test('a deprecated version remains available and is marked as deprecated', async () => {
    const { status, headers, text } = await world.get('/feeds/locations/latest', { key: old.secret })
    expect({ status, text }).toMatchObject({ status: 200, text: expect.stringContaining('"version":"0"') })
    expect(headers).toMatchObject({ deprecation: '@1730851200' })
    // Its sunset has ended the calls of version 0 and not its feeds.
    expect(headers).not.toHaveProperty('sunset')
    expect(headers.link).toMatch(/^<\S+#0>; rel="deprecation"; type="text\/html", <\S+#1>; rel="successor-version"$/)
    const file = await world.get(fileOf(1).replace(id(1), id(1, '0')), {
      key: old.secret,
      headers: { Range: 'bytes=0-9' },
    })
    expect([file.status, file.headers.deprecation, file.headers.sunset]).toEqual([206, '@1730851200', undefined])
    const list = await world.get('/feeds', { key: old.secret })
    expect(list.headers.deprecation).toBe('@1730851200')
    expect(list.json()).toMatchObject({
      data: [{ feed: 'locations', version: '0' }, { feed: 'reviews', version: '1' }, {}, {}],
    })
  })
  test('snapshots of another version are not found', async () => {
    expect((await world.get(`/feeds/locations/snapshots/${id(1)}/manifest.json`, { key: old.secret })).status).toBe(404)
  })
  test('a pin to a version that the operator has ended answers 410', async () => {
    await pin(old.id, 'locations', '2')
    await expect.poll(async () => (await world.get('/feeds/locations/latest', { key: old.secret })).status).toBe(410)
  })
  test('a sunset to come is announced', async () => {
    const now = clock.ms
    clock.ms = Date.UTC(2025, 10, 5)
    const { id: keyId, secret } = await makeKey(world.config, { packageName: 'innovate' })
    await pin(keyId, 'locations', '0')
    const sunset = async () => (await world.get('/feeds/locations/latest', { key: secret })).headers.sunset
    await expect.poll(sunset).toBe('Thu, 06 Nov 2025 00:00:00 GMT')
    clock.ms = now
    expect(await sunset()).toBeUndefined()
  })
})

describe('signatures', () => {
  test('the latest manifest is served as stored, with a valid signature; the public key needs no API key', async () => {
    const reply = await world.get('/feeds/locations/latest')
    expect(reply.text).toBe(manifests.get(5)!.toString())
    const pem = await world.get('/feeds/public-key.pem', { key: null })
    expect(isSigned(Buffer.from(reply.text), createPublicKey(pem.text))).toBe(true)
    expect(isSigned(Buffer.from(reply.text.replace('"records":1', '"records":2')), createPublicKey(pem.text))).toBe(
      false,
    )
    const manifest = parseLongJson(reply.text) as Manifest
    expect(manifest.files[0]).toMatchObject({ min_id: 1, max_id: 9223372036854775807n })
  })
})

/** Downloads a file without decoding it. */
async function download(path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(world.url + path, { headers: { 'X-API-Key': world.key, ...headers } })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

describe('files (RFC 9110 §13, §14; RFC 9530)', () => {
  test('are served as stored', async () => {
    const { status, headers, bytes } = await download(fileOf(1), { 'Accept-Encoding': 'gzip, br, zstd' })
    expect(status).toBe(200)
    expect(bytes.equals(files.get(1)!)).toBe(true)
    const { sha256 } = (parseLongJson(manifests.get(1)!.toString()) as Manifest).files[0]!
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zstd',
      etag: `"${sha256}"`,
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      'accept-ranges': 'bytes',
      'cache-control': expect.stringContaining('immutable'),
      'x-billed-units': '0',
      'ratelimit-policy': '"feed-downloads";q=4, "feed-snapshots";q=4;w=86400',
    })
    expect(headers.get('content-encoding')).toBe(null)
  })

  test('HEAD returns the length', async () => {
    const reply = await world.get(fileOf(1), { method: 'HEAD' })
    expect(reply).toMatchObject({ status: 200, text: '', headers: { 'content-length': '100003' } })
  })

  test('If-None-Match: 304', async () => {
    const etag = (await download(fileOf(1))).headers.get('etag')!
    const { status, bytes } = await download(fileOf(1), { 'If-None-Match': etag })
    expect([status, bytes.length]).toEqual([304, 0])
  })

  const size = 100_003
  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=0-', 0, size],
    ['bytes=-1', size - 1, size],
    ['bytes=-200000', 0, size],
    ['bytes=100002-100002', size - 1, size],
    ['bytes=5-999999', 5, size],
    ...Array.from({ length: 40 }, (_, i): [string, number, number] => {
      const random = createRandom(i)
      const start = Math.floor(random() * size)
      const end = start + Math.floor(random() * (size - start))
      return [`bytes=${start}-${end}`, start, end + 1]
    }),
  ]
  test.each(ranges)('%s', async (range, start, end) => {
    const { status, headers, bytes } = await download(fileOf(1), { Range: range })
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe(`bytes ${start}-${Math.min(end, size) - 1}/${size}`)
    expect(bytes.equals(files.get(1)!.subarray(start, end))).toBe(true)
  })

  test.each(['bytes=100003-', 'bytes=200000-300000'])('%s is not satisfiable: 416', async range => {
    const reply = await world.get(fileOf(1), { headers: { Range: range } })
    expectValidReply(reply)
    expect(reply).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${size}` } })
  })

  test.each(['bytes=0-1,5-9', 'lines=0-5', 'bytes=9-5', 'bytes=x', 'nonsense'])(
    '%s returns the whole file',
    async range => {
      const { status, bytes } = await download(fileOf(1), { Range: range })
      expect([status, bytes.length]).toEqual([200, size])
    },
  )

  test('If-Range returns the range of the same file, and all of a changed file', async () => {
    const etag = (await download(fileOf(1))).headers.get('etag')!
    const [same, other] = [
      await download(fileOf(1), { Range: 'bytes=1-2', 'If-Range': etag }),
      await download(fileOf(1), { Range: 'bytes=1-2', 'If-Range': '"x"' }),
    ]
    expect([same.status, same.bytes.length, other.status, other.bytes.length]).toEqual([206, 2, 200, size])
  })
})

describe('limits of feed downloads (R-45)', () => {
  /** Starts a download and stalls after its first bytes. */
  async function stalledDownload(secret: string): Promise<Socket> {
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET ${fileOf(5)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${secret}\r\n\r\n`)
    await once(socket, 'readable')
    return socket
  }

  test('admits four concurrent downloads; a disconnect frees a slot', async () => {
    const { secret } = await makeKey(world.config, { packageName: 'innovate' })
    const open = [
      await stalledDownload(secret),
      await stalledDownload(secret),
      await stalledDownload(secret),
      await stalledDownload(secret),
    ]
    const fifth = await world.get(fileOf(1), { key: secret })
    expectValidReply(fifth)
    expect(fifth.status).toBe(429)
    expect(fifth.headers).toMatchObject({
      'retry-after': '5',
      ratelimit: expect.stringMatching(/^"feed-downloads";r=0, /),
    })
    expect(fifth.json()).toMatchObject({
      'violated-policies': ['feed-downloads'],
      detail: 'The limit is 4 open downloads per key, and 4 are open. Wait 5 s, or until one ends.',
    })
    expect((await world.get('/feeds/locations/latest', { key: secret })).status).toBe(200)
    open[0]!.destroy()
    await expect.poll(async () => (await world.get(fileOf(1), { key: secret, method: 'HEAD' })).status).toBe(200)
    for (const socket of open) socket.destroy()
  })

  test('limits distinct snapshots per 24 hours, across a restart; ranges and retries count once', async () => {
    const { id: keyId, secret } = await makeKey(world.config, { packageName: 'innovate' })
    const status = async (path: string, headers = {}) =>
      (await world.get(path, { key: secret, method: 'HEAD', headers })).status
    const feeds = join(world.config.data, 'feeds')
    for (const sequence of [11, 12, 13]) putSnapshot(feeds, { feed: 'geos', version: '1', sequence })
    expect([await status(fileOf(1)), await status(fileOf(11, 'geos'))]).toEqual([200, 200])
    clock.ms += hour
    expect([await status(fileOf(12, 'geos')), await status(fileOf(13, 'geos'))]).toEqual([200, 200])
    expect(await status(fileOf(2))).toBe(429)
    await world.restart()
    const refused = await world.get(fileOf(2), { key: secret })
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': String(23 * 3600) } })
    expect(refused.json()).toMatchObject({
      'violated-policies': ['feed-snapshots'],
      detail: 'The limit is 4 snapshots in 24 hours, and this key has downloaded 4. Wait 82800 s.',
    })
    expect([await status(fileOf(1)), await status(fileOf(12, 'geos'), { Range: 'bytes=5-' })]).toEqual([200, 206])
    clock.ms += 23 * hour
    expect([await status(fileOf(2)), await status(fileOf(4)), await status(fileOf(5))]).toEqual([200, 200, 429])
    expect(keyId).toMatch(/^key_/)
  })
})
