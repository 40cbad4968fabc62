import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecret } from '../../src/access/key-format.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { packInThread } from '../../src/compose/index-thread.ts'
import { findDifference } from '../../src/compose/load-packed.ts'
import { packBodies } from '../../src/compose/pack-bodies.ts'
import type { PackedFacts } from '../../src/packed/format.ts'
import { loadPacked } from '../../src/packed/load.ts'
import { hideReview } from '../../src/usecases/admin/hide-review.ts'
import { openModeration, verifyFolder } from '../composed.ts'
import { eventually } from '../eventually.ts'
import { picker } from '../hostile-requests.ts'
import { type Reply, send } from '../http-client.ts'
import { createProgress } from '../progress.ts'
import { RawConnection } from '../raw-connection.ts'
import { actor, importRows, makeKey, startWorld, type World } from '../world.ts'
import { largest, locations } from '../world-rows.ts'
import { type RandomRead, randomRead } from './random-reads.ts'

const publicUrl = 'https://places.example'
const version1 = '{version="1"}'
let world: World
/** A key whose scope contains every place: its calls take the ordinary way. */
let scoped: string
beforeAll(async () => {
  world = await startWorld({
    'server.publicUrl': publicUrl,
    'server.adminPort': 0,
    'cache.packed': 'always',
    'cors.origins': ['https://app.example'],
    // Otherwise most requests without a valid key would be refused with 429.
    'limits.badKeyRate': 1_000_000,
    'limits.badKeyBurst': 1_000_000,
  })
  const scope = { sources: [...new Set(locations.map(({ source }) => source))] }
  scoped = (await makeKey(world.config, { packageName: 'innovate', scope })).secret
  await packed()
})
afterAll(() => world.close())

/** Returns the value of a metric of the service. */
async function metric(name: string, label = ''): Promise<number> {
  const { text } = await send(world.adminUrl!, '/metrics')
  return Number(new RegExp(`^periplus_${name}${label} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Waits until the service has loaded packed bodies. */
const packed = () => eventually(async () => expect(await metric('packed_places', version1)).toBeGreaterThan(5))

/** Returns the parts of a reply that do not depend on the time or the key; a problem contains the id of its request. */
const partsOf = ({ status, headers, bytes }: Reply) => {
  const { date: _, 'x-request-id': _id, ratelimit: _r, 'ratelimit-policy': _p, ...rest } = headers
  return status < 400 ? { status, headers: rest, body: bytes.toString('base64') } : { status }
}

async function expectSame(
  target: string,
  sent: { readonly method?: string; readonly headers?: Record<string, string> } = {},
) {
  const [ready, ordinary] = [await world.get(target, sent), await world.get(target, { ...sent, key: scoped })]
  expect({ target, ...partsOf(ready) }).toEqual({ target, ...partsOf(ordinary) })
  return ready
}

/** Number of random requests; `npm run soak` sends a million. */
const total = Number(process.env.PERIPLUS_READS ?? 1000)
const seed = Number(process.env.PERIPLUS_SEED ?? 20_261_122)

/**
 * Returns an answer without what two requests need not share: its time and id, and how much of the limits is left. A
 * problem contains the id, which changes the length of its coded form.
 */
function comparable(answer: string): string {
  const headEnd = answer.indexOf('\r\n\r\n') + 4
  const head = answer
    .slice(0, headEnd)
    .replace(/^Date: .*\r$/m, 'Date: D\r')
    .replace(/^RateLimit: .*\r$/m, limits => limits.replace(/;[rt]=\d+/g, ''))
  const body = answer.slice(headEnd)
  const coding = isProblem(answer) && /^Content-Encoding: (\w+)\r$/m.exec(head)?.[1]
  if (!coding || body === '') return withoutIds(head + body)
  const bytes = Buffer.from(body, 'latin1')
  const plain = coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
  return withoutIds(head.replace(/^Content-Length: .*\r$/m, '') + plain.toString())
}

const isProblem = (answer: string): boolean => /^HTTP\/1\.1 [45]/.test(answer)
const isLimited = (answer: string): boolean => answer.startsWith('HTTP/1.1 429 ')
const withoutIds = (text: string): string => text.replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'ID')

/** Returns the bytes of a request. */
function requestOf({ target, key, method = 'GET', headers = {} }: RandomRead): string {
  const fields = { Host: 'a', ...(key !== null && { 'X-API-Key': key }), ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** The same request on the ordinary way: the short way leaves requests that announce a body to the router. */
const ordinaryOf = (request: string): string => request.replace(/\r\n\r\n$/, '\r\nContent-Length: 0\r\n\r\n')

describe('the short way', () => {
  test('answers random requests byte by byte as the ordinary way', async () => {
    const pick = picker(seed)
    const { secret } = await makeKey(world.config, { test: true })
    const keys = [world.key, scoped, secret, null, 'nonsense', createSecret('live')]
    const etag = String((await world.get('/locations/1')).headers.etag)
    const before = await metric('fast_path_total')
    const progress = createProgress('reads', total)
    const pairs = Array.from(
      { length: 16 },
      () => [new RawConnection(world.url), new RawConnection(world.url)] as const,
    )
    let compared = 0
    const compare = async (request: string, [short, ordinary]: (typeof pairs)[number]) => {
      const [one, other] = await Promise.all([short.send(request), ordinary.send(ordinaryOf(request))])
      // Only one of two calls may fit into the quota of the test key.
      if (isLimited(one) || isLimited(other)) return
      compared++
      const [found, expected] = [comparable(one), comparable(other)]
      if (found !== expected) expect({ request, reply: found }).toEqual({ request, reply: expected })
    }
    for (let sent = 0; sent < total; sent += pairs.length) {
      const requests = pairs.map(() => {
        const read = randomRead(pick, places, keys)
        return requestOf(pick(8) === 0 ? { ...read, headers: { ...read.headers, 'If-None-Match': etag } } : read)
      })
      await Promise.all(requests.map((request, i) => compare(request, pairs[i]!)))
      // A connection stays with Node's server from the first request that is not a simple GET.
      for (const [short] of pairs) if (pick(8) === 0) short.close()
      progress(Math.min(total, sent + pairs.length))
    }
    for (const one of pairs.flat()) one.close()
    if (process.env.PERIPLUS_PROGRESS !== undefined) console.log(`${compared} compared, ${total} sent`)
    expect(compared).toBeGreaterThan(total / 2)
    expect(await metric('fast_path_total')).toBeGreaterThan(before + total / 10)
  })
})

const searches = [
  '/locations/search?query=museo&size=20',
  '/locations/search?query=prado&version=2',
  '/locations/search?query=pra&version=beta',
  '/locations/search?query=prado&locale=es',
  '/locations/nearby?lat=40.4&lon=-3.7&radius=50&size=20',
  '/catalog/locations/search?query=museo',
]
const places = [1, 2, 3, 4, 5, 20, 21, 30, 40, 50, 60, 70, 99, largest]
const file = () => join(world.config.data, 'data/g1/bodies-1.packed')

describe('packed bodies', () => {
  test('are answered as the store would', async () => {
    const before = await metric('packed_hits_total')
    for (const id of places) {
      const { headers } = await expectSame(`/locations/${id}`)
      for (const coding of ['br', 'gzip', 'gzip, deflate, br', 'identity;q=0', 'br;q=0.5, identity;q=0'])
        await expectSame(`/locations/${id}`, { headers: { 'Accept-Encoding': coding } })
      await expectSame(`/locations/${id}?version=1`, { method: 'HEAD' })
      if (headers.etag) await expectSame(`/locations/${id}`, { headers: { 'If-None-Match': String(headers.etag) } })
    }
    for (const ids of [places.join(), '1,2,3', '99', '20,21,1', '1,21,20', '70,20', `${largest},5,30,2`])
      await expectSame(`/locations?ids=${ids}`)
    for (const target of [
      '/locations/1?locale=es',
      '/locations/1?version=2',
      '/locations/1?version=beta',
      '/catalog/locations/1',
    ])
      await expectSame(target)
    expect(await metric('packed_hits_total')).toBeGreaterThan(before + 50)
  })

  test('are part of the results of searches', async () => {
    await eventually(async () => expect((await world.get(searches[0]!)).status).toBe(200))
    const before = await metric('packed_hits_total')
    for (const target of searches) expect((await expectSame(target)).status).toBe(200)
    expect(await metric('packed_hits_total')).toBeGreaterThan(before + 1)
  })

  test('of a place that changes, is merged or ends are not answered any more', async () => {
    const [prado] = locations
    await importRows(world.config, 'location', [
      { ...prado, geo: 'Lisboa' },
      { ...keyOf(2), deleted: true },
      { ...keyOf(4), merged_into: 3 },
    ])
    await eventually(async () => expect((await world.get('/locations/1')).text).toContain('Lisboa'))
    await eventually(async () => expect((await world.get('/locations/2')).status).toBe(404))
    await eventually(async () => expect((await world.get('/locations/4')).text).toContain('"id":3'))
    for (const id of places) await expectSame(`/locations/${id}`)
    for (const ids of [places.join(), '4,3', '3,4', '1,2,4,5']) await expectSame(`/locations?ids=${ids}`)
    // The index follows the store a moment later.
    for (const target of searches) await eventually(() => expectSame(target))
    expect(await metric('packed_changed_places', version1)).toBeGreaterThan(2)
  })

  test('of a place whose ratings change because a review is hidden are not answered any more', async () => {
    const before = (await world.get('/locations/50')).text
    const moderation = openModeration(world.config)
    try {
      const { data } = (await world.get('/locations/50/reviews')).json() as { data: { id: number }[] }
      await hideReview(moderation, actor, { id: BigInt(data[0]!.id) })
    } finally {
      await moderation.close()
    }
    await eventually(async () => expect((await world.get('/locations/50')).text).not.toBe(before))
    await expectSame('/locations/50')
  })
})

/** Returns the members that name a place in an import. */
const keyOf = (id: number) => {
  const { source, source_id } = locations.find(row => 'id' in row && Number(row.id) === id)!
  return { id, source, source_id }
}

/** Returns the header of the file on disk. */
function loadFacts(): PackedFacts {
  const handle = openSync(file(), 'r')
  try {
    const loaded = loadPacked(handle, 0)
    if (loaded.outcome !== 'loaded') throw new Error(loaded.outcome)
    return loaded.contents.facts
  } finally {
    closeSync(handle)
  }
}

describe('a file that is not usable is never served', () => {
  test('damaged: verify names it, and the service keeps the one that it has loaded', async () => {
    const bytes = readFileSync(file())
    writeFileSync(file(), Buffer.from(bytes).fill(bytes[100]! ^ 1, 100, 101))
    expect(await verifyFolder(world.config)).toEqual([expect.stringContaining('the bodies are damaged')])
    for (const id of places) await expectSame(`/locations/${id}`)
    writeFileSync(file(), bytes)
    expect(await verifyFolder(world.config)).toEqual([])
  })

  test('of another address', async () => {
    await world.restart(async () => {
      const engine = openConfiguredEngine(world.config, { create: false })
      const task = { path: file(), origin: { ...loadFacts(), publicUrl: 'https://other.example' } }
      await packBodies(engine, [task], 0)
      await engine.close()
      // The service corrects it, as with an address that was changed.
      expect(await verifyFolder(world.config)).toEqual([])
    })
    for (const id of places) await expectSame(`/locations/${id}`)
    await packed()
    expect(loadFacts()).toMatchObject({ publicUrl, version: '1' })
  })

  test('stays as it is when a build is stopped', async () => {
    const before = { files: readdirSync(dirname(file())), bytes: readFileSync(file()) }
    const engine = openConfiguredEngine(world.config, { create: false })
    const task = { path: file(), origin: loadFacts() }
    await expect(packBodies(engine, [task], 0, AbortSignal.abort())).rejects.toThrow('aborted')
    await expect(packInThread(engine.descriptor, task, AbortSignal.timeout(0))).rejects.toThrow(/aborted|not running/)
    await engine.close()
    expect({ files: readdirSync(dirname(file())), bytes: readFileSync(file()) }).toEqual(before)
  })

  test('of another release, version, store or history', async () => {
    const { position, ...facts } = loadFacts()
    const source = { storeId: facts.storeId, follows: async (then: unknown) => then === position }
    const differences: [string | undefined, Partial<PackedFacts>][] = [
      [undefined, {}],
      ['was made by release 0.0.1', { release: '0.0.1' }],
      ['was made for version 2', { version: '2' }],
      ['was made for the address https://other.example', { publicUrl: 'https://other.example' }],
      ['was made for another store', { storeId: 'other' }],
      ['does not continue with the change log of the store', { position: { ...position, mark: 'other' } }],
    ]
    for (const [reason, different] of differences)
      expect(await findDifference({ ...facts, position, ...different }, facts, source)).toBe(reason)
  })
})
