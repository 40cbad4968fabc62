/** Requests of a key about itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { expectDocumented } from '../contract/answers.ts'
import type { Reply } from '../http-client.ts'
import { makeKey, rotateSecret, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ 'keys.inQuery': true })
})
afterAll(() => world.close())

interface Account {
  readonly id: string
  readonly limits: Record<string, { readonly value: unknown; readonly left?: unknown; readonly resets_at?: string }>
}

async function get(target: string, key: string | null): Promise<Reply> {
  const reply = await world.get(target, { key })
  expectDocumented(reply, target)
  return reply
}
const accountOf = async (key: string) => ((await get('/account', key)).json() as { data: Account }).data

test('a key sees its terms, what is left, and when it is back', async () => {
  const scope = { countries: ['ES'] }
  const agreement = { rate: 3, quota: 5, searchQuota: 2 }
  const { id, secret } = await makeKey(world.config, { addOns: ['recommendations'], agreement, scope })
  const fresh = await get('/account', secret)
  expect(fresh.status).toBe(200)
  expect(fresh.json()).toEqual({
    data: {
      id,
      partner_id: 'tester',
      test: false,
      package: 'discover',
      add_ons: ['recommendations'],
      permissions: ['locations', 'reviews', 'recommendations'],
      scope,
      limits: {
        rate: { value: 3, source: 'agreement' },
        burst: { value: 3, source: 'agreement', left: 3 },
        quota: { value: 5, source: 'agreement', left: 5 },
        search_rate: { value: 1, source: 'package' },
        search_burst: { value: 5, source: 'package', left: 5 },
        search_quota: { value: 2, source: 'agreement', left: 2 },
        autocomplete_rate: { value: 3, source: 'agreement' },
        autocomplete_burst: { value: 6, source: 'agreement', left: 6 },
      },
      limits_apply_to: 'key',
      created_at: expect.stringMatching(/Z$/),
    },
  })
  expect(fresh.headers).toMatchObject({ 'x-billed-units': '0' })
  for (const header of ['api-version', 'ratelimit', 'x-key-mode']) expect(fresh.headers).not.toHaveProperty(header)

  await expect.poll(async () => (await world.get('/locations/search?query=a')).status).toBe(200)
  const beforeMs = Date.now()
  await world.get('/locations/search?query=a', { key: secret })
  const { search_quota: quota, search_burst: burst, quota: whole } = (await accountOf(secret)).limits
  expect(quota).toMatchObject({ value: 2, left: 1 })
  expect(Date.parse(quota!.resets_at!) - beforeMs).toBeGreaterThanOrEqual(86_400_000)
  expect(Date.parse(quota!.resets_at!) - Date.now()).toBeLessThanOrEqual(86_400_000)
  expect(burst).toMatchObject({ left: 4, resets_at: expect.stringMatching(/Z$/) })
  expect(whole).toEqual({ value: 5, source: 'agreement', left: 5 })
})

test('it is answered and costs nothing when every other limit is used up, until its own limit', async () => {
  const { secret } = await makeKey(world.config, { agreement: { rate: 0.001, burst: 1, quota: 1 } })
  expect((await world.get('/locations/1', { key: secret })).status).toBe(200)
  expect((await world.get('/locations/1', { key: secret })).status).toBe(429)
  const { limits } = await accountOf(secret)
  expect(limits).toMatchObject({ burst: { left: 0 }, quota: { left: 0 } })
  const replies = await Promise.all(Array.from({ length: 40 }, () => get('/account/usage', secret)))
  const refused = replies.find(({ status }) => status === 429)!
  expect(refused.headers['retry-after']).toBe('1')
  expect(refused.json()).toMatchObject({ 'violated-policies': ['account'] })
  expect(replies.every(({ status }) => status === 200 || status === 429)).toBe(true)
})

test('usage and versions contain the calls of the key alone, as the command reports them', async () => {
  const { id, secret } = await makeKey(world.config, { packageName: 'innovate' })
  for (const target of ['/locations/1?version=1', '/locations/1?version=2', '/locations/none', '/locations?ids=1,2,3'])
    await world.get(target, { key: secret })
  await world.get('/locations/1')
  const by = 'operation,status,version'
  const { data } = (await get(`/account/usage?by=${by}&tz=europe/madrid`, secret)).json() as { data: object }
  const printed = await periplus(['usage', '--key', id, '--by', by, '--json', '--data', world.config.data])
  const { from, to, ...same } = printed.json<{ from: string; to: string }>()
  expect(data).toMatchObject(same)
  expect(data).toMatchObject({ calls: 4, units: expect.any(Number), rows: { length: 4 } })
  const { versions, feed_pins: pins } = (await accountOf(secret)) as Account & { versions: object; feed_pins: object }
  expect(versions).toEqual([
    { version: '1', calls: 3 },
    { version: '2', calls: 1 },
  ])
  expect(pins).toEqual({ locations: '1', reviews: '1', geos: '1', enums: '1' })
  const other = await makeKey(world.config)
  const empty = (await get('/account/usage', other.secret)).json()
  expect(empty).toMatchObject({ data: { calls: 0, rows: [] } })
})

test('a key lists its own calls and learns why each was refused', async () => {
  const { id, secret } = await makeKey(world.config, { agreement: { rate: 0.001, burst: 2, quota: 9 } })
  const other = await makeKey(world.config)
  const missing = await world.get('/locations/987654321', { key: secret })
  await world.get('/locations/1', { key: secret })
  const limited = await world.get('/locations/1', { key: secret })
  const idOf = (reply: Reply) => String(reply.headers['x-request-id'])
  type Calls = { data: { id: string; status: number }[]; next?: string; counted_to: string }
  const list = async (query = '') => (await get(`/account/requests${query}`, secret)).json() as Calls
  await expect.poll(async () => (await list()).data.length, { interval: 1100 }).toBe(3)
  const page = await list('?limit=1&status=4xx')
  expect(page).toMatchObject({
    data: [{ id: idOf(limited), status: 429, fault: 'rate_limited' }],
    next: expect.any(String),
  })
  const last = await list(`?limit=1&status=4xx&after=${page.next}`)
  expect([last.data, last.next]).toMatchObject([[{ id: idOf(missing), status: 404 }], undefined])
  const explained = (await get(`/account/requests/${idOf(limited)}`, secret)).json() as { data: object }
  expect(explained.data).toMatchObject({
    id: idOf(limited),
    status: 429,
    units: 0,
    package: 'discover',
    limits: { burst: 2, quota: 9 },
    explanation: { code: 'rate_limited', sentence: expect.any(String), remedy: expect.any(String), link: 'guide' },
  })
  expect(JSON.stringify(explained)).not.toContain(id)

  const foreign = await get(`/account/requests/${idOf(limited)}`, other.secret)
  const unknown = await get('/account/requests/01938f4a-7c1e-7d3a-9b1f-2a6f0c4d8e11', other.secret)
  const withoutIds = ({ status, text }: Reply) => [status, text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')]
  expect(withoutIds(foreign)).toEqual(withoutIds(unknown))
  expect([foreign.status, (await get('/account/requests/x', other.secret)).status]).toEqual([404, 404])
  const wrong = await get('/account/requests?after=x&status=9', other.secret)
  expect([wrong.status, wrong.json()]).toMatchObject([400, { field_errors: [{ field: 'status' }] }])
  const cursor = await get('/account/requests?after=x', other.secret)
  expect([cursor.status, cursor.json()]).toMatchObject([400, { field_errors: [{ field: 'after' }] }])
})

test('the fold writes the last use of a key and of each secret, with the version', async () => {
  const { id, secret } = await makeKey(world.config)
  const newer = await rotateSecret(world.config, id, 3_600_000)
  await rotateSecret(world.config, id, 7_200_000)
  await world.get('/locations/1?version=1', { key: secret })
  await world.get('/locations/1?version=2', { key: newer })
  const shown = async () =>
    (await periplus(['keys', 'show', id, '--json', '--data', world.config.data])).json<{
      revision: number
      last_used_day?: string
      last_used_version?: string
      secrets: { id: string; last4: string; last_used_day?: string; expires_at?: string }[]
    }>()
  await expect.poll(async () => (await shown()).last_used_version).toBe('2')
  const { last_used_day: day, secrets, revision } = await shown()
  expect([day, revision]).toEqual([expect.stringMatching(/^20\d\d-\d\d-\d\d$/), 3])
  expect(secrets.map(one => [one.id, one.last4, one.last_used_day])).toEqual([
    ['1', secret.slice(-4), day],
    ['2', newer.slice(-4), day],
    ['3', expect.stringMatching(/^\w{4}$/), undefined],
  ])
  expect(secrets.map(one => one.expires_at !== undefined)).toEqual([true, true, false])
})

test('invalid parameters are named, and unknown ones are listed', async () => {
  const { secret } = await makeKey(world.config, { test: true })
  const invalid = await get('/account/usage?by=partner&tz=Mars&from=soon&to=2026-02-30', secret)
  expect(invalid.status).toBe(400)
  const { field_errors: errors } = invalid.json() as { field_errors: { field: string }[] }
  expect(errors.map(({ field }) => field)).toEqual(['by', 'tz', 'from', 'to'])
  const reversed = await get('/account/usage?from=2026-02-02&to=2026-02-01', secret)
  expect([reversed.status, reversed.json()]).toMatchObject([
    400,
    { field_errors: [{ field: 'from' }, { field: 'to' }] },
  ])
  const ignored = await get('/account/usage?key_id=key_1&version=99', secret)
  expect([ignored.status, ignored.headers['ignored-parameters']]).toEqual([200, 'key_id'])
  expect(ignored.headers['x-key-mode']).toBe('test')
  expect((await get('/account?partner=x&strict=true', secret)).status).toBe(400)
})

test('without a valid key it is 401, another method is 405, and a key may be in the query', async () => {
  expect((await get('/account', null)).status).toBe(401)
  expect((await get('/account/usage', 'peri_live_x')).status).toBe(401)
  const { secret } = await makeKey(world.config)
  expect((await get(`/account?key=${secret}`, null)).status).toBe(200)
  expect((await world.get('/account', { key: secret, method: 'POST' })).status).toBe(405)
  expect((await get('/accounts', secret)).status).toBe(404)
})
