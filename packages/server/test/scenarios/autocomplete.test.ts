/** Search-as-you-type as partners see it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Key } from '../../src/domain/key.ts'
import { expectDocumented } from '../contract/answers.ts'
import { eventually } from '../eventually.ts'
import { nodesOfWorlds } from '../nodes.ts'
import { type Row, scenarios } from '../scenario.ts'
import { makeKey, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  await whenAnswered()
})
afterAll(() => world.close())

/** Nodes that share limits refuse autocomplete until each of them knows that no older release is left. */
const whenAnswered = () =>
  eventually(async () => {
    for (let i = 0; i < nodesOfWorlds(); i++) expect((await world.get(`${path}?query=caf`)).status).toBe(200)
  })

const path = '/locations/autocomplete'
const suggestions = [
  {
    type: 'location',
    id: 2,
    name: { language: 'fr', value: 'Café Zénith' },
    highlights: [{ start: 0, length: 3 }],
    secondary_text: 'Paris, France',
    category_id: 'cafe',
  },
  { type: 'category', text: 'Cafes', category_ids: ['cafe'] },
]

const rows: Row[] = [
  ...['1', '2', 'beta'].map(version => ({
    name: `suggests places in version ${version}`,
    get: `${path}?query=caf&version=${version}`,
    status: 200,
    body: { data: suggestions },
    has: { 'x-billed-units': '1', 'ratelimit-policy': /^"autocomplete";q=\d+;w=2$/ },
  })),
  { name: 'calls the text input, too', get: `${path}?input=caf`, status: 200, body: { data: suggestions } },
  { name: 'answers nothing with an empty list', get: `${path}?query=zzzzzz`, status: 200, data: [] },
  { name: 'needs a text', get: path, status: 400, fields: ['query'] },
  { name: 'bounds the text', get: `${path}?query=${'a'.repeat(101)}`, status: 400, fields: ['query'] },
  { name: 'bounds the size', get: `${path}?query=a&size=11`, status: 400, fields: ['size'] },
  { name: 'refuses a short session', get: `${path}?query=a&session=short`, status: 400, fields: ['session'] },
  { name: 'refuses a session that is not one', get: '/locations/2?session=a+b', status: 400, fields: ['session'] },
  { name: 'filters by category', get: `${path}?query=caf&category_id=museum`, status: 200, text: /^(?!.*"location")/ },
  {
    name: 'refuses an unknown category',
    get: `${path}?query=a&category_id=musem`,
    status: 400,
    fields: ['category_id'],
  },
  { name: 'needs both coordinates', get: `${path}?query=a&lat=1`, status: 400, fields: ['lon'] },
  { name: 'is unknown in version 0', get: `${path}?query=a&version=0`, status: 410 },
  {
    name: 'refuses a name that does not exist with strict',
    get: `${path}?query=a&page=2&strict=true`,
    status: 400,
    fields: ['page'],
  },
]
scenarios('GET /locations/autocomplete', () => world, rows)

const key = (agreement: Key['agreement']) => makeKey(world.config, { packageName: 'discover', agreement })

test('has a bucket of its own: typing leaves search and the rate of the package as they are', async () => {
  const { secret } = await key({ autocompleteRate: 0.001, autocompleteBurst: 2 })
  const ask = (target: string) => world.get(target, { key: secret })
  for (let i = 0; i < 2; i++) expect((await ask(`${path}?query=caf`)).status).toBe(200)
  const refused = await ask(`${path}?query=caf`)
  expectDocumented(refused, `${path}?query=caf`)
  expect(refused.json()).toMatchObject({
    status: 429,
    'violated-policies': ['autocomplete'],
    detail: expect.stringContaining('1 autocomplete request every 1,000 s, and 2 at once after a pause'),
  })
  const read = await ask('/locations/search?query=caf')
  expect([read.status, read.headers.ratelimit]).toEqual([200, expect.stringContaining('"search";r=4')])
  // Three units: those of autocomplete, and none of the search.
  const one = await ask('/locations?ids=999999')
  expect(one.headers.ratelimit).toMatch(/^"rate";r=9;t=1, "daily";r=9998;/)
})

test('spends the daily quota of the package', async () => {
  const { secret } = await key({ quota: 2 })
  const statuses = []
  for (let i = 0; i < 3; i++) statuses.push((await world.get(`${path}?query=caf`, { key: secret })).status)
  expect(statuses).toEqual([200, 200, 429])
})

/** Returns a function that calls a path in a session of a key, and returns the units that it was charged. */
function createSession(secret: string, name: string) {
  return async (target: string, headers: Record<string, string> = {}): Promise<number> => {
    const reply = await world.get(`${target}${target.includes('?') ? '&' : '?'}session=${name}`, {
      key: secret,
      headers,
    })
    expectDocumented(reply, target)
    return Number(reply.headers['x-billed-units'])
  }
}

test('a session costs one unit with the place that ends it, also over a restart', async () => {
  const { secret } = await key({ quota: 4 })
  const call = createSession(secret, 'session-of-a-user-1')
  expect(await call(`${path}?query=c`)).toBe(1)
  expect(await call(`${path}?query=ca`)).toBe(0)
  await world.restart()
  await whenAnswered()
  expect([await call(`${path}?query=caf`), await call(`${path}?query=c`)]).toEqual([0, 0])
  expect([await call('/locations/2'), await call('/locations/2')]).toEqual([0, 1])
  // The quota has two of four units left: calls of another session, and of no session.
  expect(await createSession(secret, 'session-of-a-user-2')(`${path}?query=caf`)).toBe(1)
  expect(Number((await world.get(`${path}?query=caf`, { key: secret })).headers['x-billed-units'])).toBe(1)
  // A session that is paid continues without units.
  expect(await createSession(secret, 'session-of-a-user-2')(`${path}?query=caf`)).toBe(0)
  expect((await world.get(`${path}?query=caf&session=session-of-a-user-3`, { key: secret })).status).toBe(429)
  // Another node may not have folded its calls yet.
  const usage = () => world.get('/account/usage', { key: secret })
  await eventually(async () => expect((await usage()).json()).toMatchObject({ data: { units: 4 } }))
})

test('refused, wrong and unchanged calls open and end nothing (R-09)', async () => {
  const { secret } = await key({ autocompleteRate: 0.001, autocompleteBurst: 4 })
  const call = createSession(secret, 'session-of-a-user-1')
  expect(await call(`${path}?query=c&size=99`)).toBe(0)
  const { headers } = await world.get(`${path}?query=caf`, { key: secret })
  const etag = String(headers.etag)
  expect(await call(`${path}?query=caf`, { 'If-None-Match': etag })).toBe(0)
  expect(await call(`${path}?query=caf`)).toBe(1)
  expect(await call(`${path}?query=caf`)).toBe(0)
  expect(await call('/locations/2', { 'If-None-Match': String((await world.get('/locations/2')).headers.etag) })).toBe(
    0,
  )
  expect([await call('/locations/999999'), await call('/locations/2'), await call('/locations/2')]).toEqual([0, 0, 1])
})
