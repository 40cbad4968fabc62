import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSecret } from '../../src/access/key-format.ts'
import { packageNames } from '../../src/domain/package.ts'
import { periplus, type Served, serve } from '../cli.ts'
import { openAdmin } from '../composed.ts'
import { expectDocumented } from '../contract/answers.ts'
import { send } from '../http-client.ts'
import { expectValidReply, type Row, scenarios } from '../scenario.ts'
import { importRows, makeKey, rotateSecret, scratch, startWorld, type World } from '../world.ts'
import { locations } from '../world-rows.ts'

let world: World
let queryKeyWorld: World
const keys: Record<string, string> = {}

beforeAll(async () => {
  world = await startWorld()
  queryKeyWorld = await startWorld({ 'keys.inQuery': true })
  for (const packageName of packageNames) keys[packageName] = (await makeKey(world.config, { packageName })).secret
  keys.recommendations = (await makeKey(world.config, { addOns: ['recommendations'] })).secret
  keys.feeds = (await makeKey(world.config, { addOns: ['feeds'] })).secret
  keys.test = (await makeKey(world.config, { packageName: 'innovate', test: true })).secret
  keys.germany = (await makeKey(world.config, { packageName: 'innovate', scope: { countries: ['DE'] } })).secret
  keys.food = (await makeKey(world.config, { scope: { categories: ['RESTAURANT'] } })).secret
  keys.gazette = (await makeKey(world.config, { scope: { sources: ['gazette'], countries: ['GR'] } })).secret
})
afterAll(async () => {
  await world.close()
  await queryKeyWorld.close()
})

const message = (text: string) => ({ body: { message: text } })
const missing = message('No API key was sent.')
const malformed = message('This is not an API key of this service.')
const unknown = message('This API key is unknown.')

describe('location of the key (R-01)', () => {
  const validKey = () => world.key
  const wellFormed = createSecret('live')
  type Place = { name: string; headers: () => Record<string, string | string[]>; status: number; body?: object }
  const places: Place[] = [
    { name: 'X-API-Key', headers: () => ({ 'X-API-Key': validKey() }), status: 200 },
    { name: 'x-api-key with surrounding spaces', headers: () => ({ 'x-api-key': `  ${validKey()} ` }), status: 200 },
    { name: 'bearer', headers: () => ({ Authorization: `Bearer ${validKey()}` }), status: 200 },
    { name: 'bearer in lower case', headers: () => ({ Authorization: `bearer  ${validKey()}` }), status: 200 },
    {
      name: 'X-API-Key takes precedence over bearer',
      headers: () => ({ 'X-API-Key': validKey(), Authorization: 'Bearer no' }),
      status: 200,
    },
    {
      name: 'X-API-Key takes precedence even if it is wrong',
      headers: () => ({ 'X-API-Key': wellFormed, Authorization: `Bearer ${validKey()}` }),
      status: 401,
      ...unknown,
    },
    {
      name: 'an empty X-API-Key',
      headers: () => ({ 'X-API-Key': '', Authorization: `Bearer ${validKey()}` }),
      status: 401,
      ...malformed,
    },
    { name: 'two X-API-Keys', headers: () => ({ 'X-API-Key': [validKey(), validKey()] }), status: 401, ...malformed },
    { name: 'no header', headers: () => ({}), status: 401, ...missing },
    { name: 'another scheme', headers: () => ({ Authorization: `Basic ${validKey()}` }), status: 401, ...missing },
    { name: 'the key without a scheme', headers: () => ({ Authorization: validKey() }), status: 401, ...missing },
  ]
  test.each(places)('$name', async ({ headers, status, body }) => {
    const reply = await world.get('/locations/1', { key: null, headers: headers() })
    expectValidReply(reply)
    expect(reply.status).toBe(status)
    if (body) expect(reply.json()).toMatchObject(body)
  })
})

describe('a key in the query (R-01)', () => {
  const withKey = (name: string) => (w: World) => `/locations/1?${name}=${w.key}`
  scenarios('with keys.inQuery enabled', () => queryKeyWorld, [
    { name: 'key', get: withKey('key'), key: null, status: 200 },
    { name: 'api_key', get: withKey('api_key'), key: null, status: 200 },
    { name: 'key, encoded', get: withKey('%6Bey'), key: null, status: 200 },
    {
      name: 'key takes precedence over api_key',
      get: w => `/locations/1?api_key=${w.key}&key=no`,
      key: null,
      status: 401,
      ...malformed,
    },
    { name: 'a header takes precedence', get: '/locations/1?key=no', status: 200 },
    {
      name: 'bearer takes precedence',
      get: w => `/locations/1?key=${w.key}`,
      key: null,
      headers: { Authorization: 'Bearer no' },
      status: 401,
      ...malformed,
    },
  ])
  scenarios('with keys.inQuery disabled', () => world, [
    { name: 'key', get: withKey('key'), key: null, status: 401, ...missing },
    { name: 'api_key', get: withKey('api_key'), key: null, status: 401, ...missing },
    { name: 'ignored when a header has a key', get: '/locations/1?key=no', status: 200 },
  ])

  test.each(['key', 'api_key', '%6Bey', 'k%65y', 'api%5fkey', 'api_%6bey', 'KEY', 'x-api-key', 'q'])(
    'problem bodies never contain the key: %s',
    async name => {
      for (const w of [world, queryKeyWorld]) {
        const reply = await w.get(`/locations/99?a=1&${name}=${w.key}&b=2`)
        expect(reply.status).toBe(404)
        expect(reply.text).not.toContain(w.key)
        expect(reply.text).not.toContain(w.key.slice(12, 30))
        expect((reply.json() as { instance: string }).instance).toMatch(/^\/locations\/99\?a=1&.*&b=2$/)
      }
    },
  )
})

scenarios('the form of a key (R-02)', () => world, [
  ...['x', 'peri_live_', `peri_live_${'a'.repeat(38)}`, 'peri_LIVE_0000', 'null'].map(
    (key): Row => ({ name: `malformed: ${key}`, get: '/locations/1', key, status: 401, ...malformed }),
  ),
  { name: 'unknown', get: '/locations/1', key: createSecret('live'), status: 401, ...unknown },
  { name: 'unknown test key', get: '/locations/1', key: createSecret('test'), status: 401, ...unknown },
])

test('every response to a test key says so, and none to a live key (R-64)', async () => {
  for (const [target, status] of [
    ['/locations/1', 200],
    ['/feeds', 403],
    ['/locations/x', 400],
  ] as const) {
    const reply = await world.get(target, { key: keys.test! })
    expectDocumented(reply, target)
    expect([reply.status, reply.headers['x-key-mode']]).toEqual([status, 'test'])
  }
  for (const key of [world.key, null]) {
    expect((await world.get('/locations/1', { key })).headers).not.toHaveProperty('x-key-mode')
  }
})

test('rejects a key with one wrong character as malformed, not as unknown (R-02)', async () => {
  for (const at of [11, 20, 41, 43, 47]) {
    const key = world.key.slice(0, at) + (world.key[at] === 'a' ? 'b' : 'a') + world.key.slice(at + 1)
    const reply = await world.get('/locations/1', { key })
    expect([reply.status, reply.json()]).toEqual([401, expect.objectContaining(malformed.body)])
  }
})

const everywhere = ['/locations/1', '/locations?ids=1', '/locations/1/reviews', '/catalog/locations/1']
const searches = [
  '/locations/search?query=a',
  '/locations/nearby?lat=1&lon=1',
  '/catalog/locations/search?query=a',
  '/catalog/locations/nearby?lat=1&lon=1',
]
const recommendations = '/recommendations/search?query=a'

describe('endpoints that a package may call (SPEC §5.2–5.3, R-03)', () => {
  const forbidden = { message: 'API Key does not have access to endpoint', title: 'Forbidden' }
  const permittedPackages = ['innovate', 'transform']
  const permissions: [string, string, boolean][] = [
    ...packageNames.flatMap(name => everywhere.map((path): [string, string, boolean] => [name, path, true])),
    ...packageNames.flatMap(name => searches.map((path): [string, string, boolean] => [name, path, true])),
    ...packageNames.flatMap(name =>
      [recommendations, '/feeds', '/feeds/x/latest'].map((path): [string, string, boolean] => [
        name,
        path,
        permittedPackages.includes(name),
      ]),
    ),
    ['recommendations', recommendations, true],
    ['recommendations', '/feeds', false],
    ['feeds', '/feeds', true],
    ['feeds', recommendations, false],
    ['test', '/locations/1', true],
    ['test', recommendations, true],
    ['test', '/feeds', false],
    ['germany', recommendations, true],
    ['germany', '/feeds', false],
  ]
  test.each(permissions)('key %s, %s: allowed is %s', async (name, path, allowed) => {
    const reply = await world.get(path, { key: keys[name]! })
    expectValidReply(reply)
    expect(reply.status === 403).toBe(!allowed)
    expect(reply.status).not.toBe(401)
    if (!allowed) expect(reply.json()).toMatchObject(forbidden)
  })
})

describe('scope (R-03)', () => {
  const rows: [key: string, path: string, status: number][] = [
    ['germany', '/locations/21', 200],
    ['germany', '/locations/20', 200],
    ['germany', '/locations/1', 404],
    ['germany', '/locations/5', 404],
    ['germany', '/locations/1/reviews', 404],
    ['germany', '/locations/21/reviews', 200],
    ['germany', '/catalog/locations/1', 200],
    ['food', '/locations/4', 200],
    ['food', '/locations/1', 404],
    ['gazette', '/locations/60', 200],
    ['gazette', '/locations/4', 404],
    ['gazette', '/locations/5', 404],
    ['gazette', '/catalog/locations/4', 200],
  ]
  test.each(rows)('key %s: %s answers %i', async (key, path, status) => {
    const reply = await world.get(path, { key: keys[key]! })
    expectValidReply(reply)
    expect(reply.status).toBe(status)
  })

  test('answers for an out-of-scope location exactly as for a missing one', async () => {
    const [hidden, absent] = await Promise.all([1, 99].map(id => world.get(`/locations/${id}`, { key: keys.germany! })))
    const normalized = (text: string) => text.replace(/[0-9a-f-]{36}/, 'ID').replace(/\b(99|1)\b/g, 'N')
    expect(normalized(hidden!.text)).toBe(normalized(absent!.text))
  })

  test('omits out-of-scope locations from lists and reports them as missing', async () => {
    const reply = await world.get('/locations?ids=1,20,4,99', { key: keys.germany! })
    expect(reply.json()).toMatchObject({
      data: [{ id: 21 }],
      missing_ids: [1, 4, 99],
      merged_ids: [{ from: 20, to: 21 }],
    })
  })
})

describe('order of checks: version, key, grant, parameters (R-14)', () => {
  scenarios('each check precedes the next', () => world, [
    { name: 'an unknown path needs no key', get: '/nowhere', key: null, status: 404 },
    { name: 'a wrong method needs no key', method: 'POST', get: '/locations/1', key: null, status: 405 },
    { name: 'a wrong version needs no key', get: '/locations/1?version=9', key: null, status: 400 },
    { name: 'a retired version needs no key', get: '/feeds?version=0', key: 'no', status: 410 },
    { name: 'a missing key precedes invalid parameters', get: '/locations/abc?locale=!', key: null, status: 401 },
    { name: 'invalid parameters precede a missing location', get: '/locations/99?locale=!', status: 400 },
  ])
  test('a missing permission precedes invalid parameters', async () => {
    const reply = await world.get('/recommendations/search?locale=!', { key: keys.discover! })
    expect(reply.status).toBe(403)
  })
})

test('a rotation with overlap accepts both secrets, then only the new one (R-01, R-12)', async () => {
  const { id, secret: old } = await makeKey(world.config)
  const admin = openAdmin(world.config)
  const status = async (secret: string) => {
    const reply = await world.get('/locations/1', { key: secret })
    return reply.status === 200 ? 200 : (reply.json() as { message: string }).message
  }
  expect(await status(old)).toBe(200)
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    const newer = await rotateSecret(world.config, id, 3_600_000)
    expect([await status(old), await status(newer)]).toEqual([200, 200])
    await expect
      .poll(async () => {
        vi.setSystemTime(now + 3_599_999)
        const during = await status(old)
        vi.setSystemTime(now + 3_600_000)
        return [during, await status(old)]
      })
      .toEqual([200, 'This API key was replaced by a rotation and is no longer valid.'])
    expect(await status(newer)).toBe(200)
    // A second rotation never extends the overlap of the first.
    const newest = await rotateSecret(world.config, id, 10_000)
    await expect.poll(() => status(newer)).toBe(200)
    const stored = await admin.keys.bySecret(admin.mint.digest(old))
    expect(stored?.expiresMs).toBe(now + 3_600_000)
    vi.setSystemTime(now + 3_610_000)
    await expect.poll(() => status(newer)).not.toBe(200)
    expect(await status(newest)).toBe(200)
    expect(await status(old)).not.toBe(200)
  } finally {
    vi.useRealTimers()
    admin.close()
  }
})

describe('changes by another process while the service runs (R-01, README)', () => {
  const folder = scratch()
  let served: Served
  let secret: string
  let id: string
  const data = folder.path
  const get = (target: string, key: string) => send(served.url, target, { headers: { 'X-API-Key': key } })
  const answer = async (key: string) => {
    const reply = await get('/locations/1', key)
    return reply.status === 200 ? 'ok' : (reply.json() as { message: string }).message
  }
  const keysCommand = (...args: string[]) => periplus(['keys', ...args, '--data', data, '--json'])

  beforeAll(async () => {
    await importRows({ ...world.config, data }, 'location', locations.slice(0, 1))
    served = await serve(data, [], { PERIPLUS_KEYS_IN_QUERY: 'true' })
    const created = (
      await keysCommand('create', '--package', 'discover', '--rate', '1000', '--quota', 'unlimited')
    ).json<{
      id: string
      key: string
    }>()
    id = created.id
    secret = created.key
  })
  afterAll(async () => {
    await served.stop()
    folder.remove()
  })

  test('a key works as soon as it is created', async () => expect(await answer(secret)).toBe('ok'))

  test('disable, enable, rotate and revoke take effect without a restart, each with its own message', async () => {
    await keysCommand('disable', id)
    await expect.poll(() => answer(secret)).toBe('This API key is disabled.')
    await keysCommand('enable', id)
    await expect.poll(() => answer(secret)).toBe('ok')
    await keysCommand('set', id, '--network', '203.0.113.0/24')
    await expect.poll(() => answer(secret)).toBe('This API key cannot be used from this network address.')
    await keysCommand('set', id, '--network', '127.0.0.0/8', '--expires', '2020-01-01')
    await expect.poll(() => answer(secret)).toBe('The term of this API key has ended.')
    await keysCommand('set', id, '--expires', '1d')
    await expect.poll(() => answer(secret)).toBe('ok')
    const renewed = (await keysCommand('rotate', id, '--overlap', '1h')).json<{ key: string }>()
    expect([await answer(secret), await answer(renewed.key)]).toEqual(['ok', 'ok'])
    const again = (await keysCommand('rotate', id, '--overlap', '0s')).json<{ key: string }>()
    await expect.poll(() => answer(renewed.key)).toBe('This API key was replaced by a rotation and is no longer valid.')
    await keysCommand('revoke', id)
    await expect.poll(() => answer(again.key)).toBe('This API key has been revoked.')
    const back = await keysCommand('enable', id)
    expect([back.code, back.stderr]).toEqual([2, expect.stringContaining('final')])
  })

  test('changes of add-ons and scope take effect without a restart', async () => {
    const created = (await keysCommand('create', '--package', 'discover')).json<{ id: string; key: string }>()
    const status = async () => (await get('/feeds', created.key)).status
    expect(await status()).toBe(403)
    await keysCommand('set', created.id, '--add-on', 'feeds')
    await expect.poll(status).toBe(200)
    await keysCommand('set', created.id, '--countries', 'FR')
    await expect.poll(status).toBe(403)
    await expect.poll(async () => (await get('/locations/1', created.key)).status).toBe(404)
  })

  test('no log line contains a secret, however it was sent', async () => {
    const created = (await keysCommand('create', '--package', 'discover')).json<{ id: string; key: string }>()
    const { key } = created
    await send(served.url, '/locations/1', { headers: { 'X-API-Key': key } })
    await send(served.url, '/locations/1', { headers: { Authorization: `Bearer ${key}` } })
    for (const name of ['key', 'api_key', '%6bey', 'ap%69_key', 'q', 'KEY']) {
      await send(served.url, `/locations/1?x=1&${name}=${key}&marker=${encodeURIComponent(name)}`)
    }
    await send(served.url, `/locations/${key}`)
    await send(served.url, `/nowhere/${key}?key=${key}`)
    await send(served.url, `/nowhere?key=${key.slice(0, -1)}`, { method: 'POST' })
    await send(served.url, '/healthz?last=1')
    await expect.poll(() => served.log()).toContain('last=1')
    const log = served.log()
    expect(log).toContain(`"key":"${created.id}"`)
    expect(log).toContain('marker=')
    for (const part of [key, key.slice(10, 42), key.slice(0, -1)]) expect(log).not.toContain(part)
  })
})

describe('agreements on the command line (R-04)', () => {
  const folder = scratch()
  afterAll(folder.remove)
  const create = (...flags: string[]) => periplus(['keys', 'create', '--data', folder.path, '--json', ...flags])
  test.each(['innovate', 'transform'])('%s requires a quota', async name => {
    const refused = await create('--package', name)
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--quota unlimited') })
    const created = await create('--package', name, '--quota', 'unlimited')
    expect(created.json()).toMatchObject({
      package: name,
      limits: { quota: { value: 'unlimited', source: 'agreement' }, rate: { value: 100, source: 'package' } },
    })
    const { id } = created.json<{ id: string }>()
    const dropped = await periplus(['keys', 'set', id, '--data', folder.path, '--quota', 'package'])
    expect(dropped).toMatchObject({ code: 2, stderr: expect.stringContaining('--quota') })
  })
})
