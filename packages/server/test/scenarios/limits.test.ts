/** Limits as partners see them (SPEC §5.5, §8; ): real HTTP, with the limiter's clock stopped. */
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Key } from '../../src/domain/key.ts'
import { periplus } from '../cli.ts'
import { type Reply, type Sent, send } from '../http-client.ts'
import { nodesOfWorlds } from '../nodes.ts'
import { expectValidReply } from '../scenario.ts'
import { filesOf } from '../store-files.ts'
import { importRows, makeKey, rotateSecret, startWorld, type World } from '../world.ts'
import { isOnPostgres } from '../world-database.ts'

let world: World

/** Tests of what each node follows or has on its own. */
const onOneNode = test.skipIf(nodesOfWorlds() > 1)

/** A hundred places in addition to those of the world. */
const hundred = Array.from({ length: 100 }, (_, i) => ({ id: 1000 + i, name: `Place ${i}`, lat: 1, lon: 1 }))
const hundredIds = hundred.map(({ id }) => id).join(',')

/** The limiter's clock. It advances only when a test advances it, so that every figure is exact. */
const clock = { atMs: 0 }
const advance = (ms: number) => {
  clock.atMs += ms
}

beforeAll(async () => {
  world = await startWorld()
  await importRows(world.config, 'location', hundred)
})
afterAll(() => world.close())
beforeEach(() => {
  // Never set it back: the service has read this clock before.
  clock.atMs = Math.max(clock.atMs, Math.ceil(performance.now()))
  vi.spyOn(performance, 'now').mockImplementation(() => clock.atMs)
})
afterEach(() => vi.restoreAllMocks())

const byPackage = {}
const key = async (agreement: Key['agreement'] = byPackage, more: { test?: boolean; packageName?: 'growth' } = {}) =>
  makeKey(world.config, { packageName: 'discover', agreement, ...more })

const get = async (path: string, secret: string, headers: Sent['headers'] = {}) => {
  const reply = await world.get(path, { key: secret, headers })
  expectValidReply(reply)
  return reply
}

/** Returns the remaining units and the reset time of each policy, from the RateLimit header. */
const remaining = (reply: Reply): Record<string, { r: number; t?: number }> =>
  Object.fromEntries(
    String(reply.headers.ratelimit)
      .split(', ')
      .map(item => {
        const [, name, r, , t] = /^"([a-z-]+)";r=(\d+)(;t=(\d+))?$/.exec(item)!
        return [name, { r: Number(r), ...(t !== undefined && { t: Number(t) }) }]
      }),
  )
/** Returns the remaining limits of a key. The call is refused before admission, so it costs nothing. */
const remainingOf = async (secret: string) => remaining(await get('/feeds', secret))

const limitHeaders = ({ status, headers }: Reply) => ({
  status,
  policy: headers['ratelimit-policy'],
  limit: headers.ratelimit,
  billed: headers['x-billed-units'],
  wait: headers['retry-after'],
})

/** Expects a refusal by these policies: nothing billed, the same wait in header and body (R-11, SPEC §7). */
function expectRefusal(reply: Reply, policies: readonly string[], wait: number | undefined): void {
  expect({ ...limitHeaders(reply), text: reply.text }).toMatchObject({
    status: 429,
    billed: '0',
    wait: wait === undefined ? undefined : String(wait),
  })
  expect(reply.json()).toMatchObject({
    title: 'Too Many Requests',
    message: 'This API key has exceeded a limit.',
    'violated-policies': policies,
    ...(wait !== undefined && { detail: expect.stringContaining(`Wait ${wait} s.`) }),
  })
}

const searches = [
  '/locations/search?query=a',
  '/locations/nearby?lat=1&lon=1',
  '/catalog/locations/search?query=a',
  '/catalog/locations/nearby?lat=1&lon=1',
]

describe('headers of every response to a key (R-11)', () => {
  const ofDiscover = '"rate";q=10;w=1, "daily";q=10000;w=86400'
  const untouched = '"rate";r=10, "daily";r=10000'
  const uncharged = '"rate";r=9;t=1, "daily";r=10000;t=86400'
  interface Row {
    name: string
    get: string
    agreement?: Key['agreement']
    headers?: Record<string, string>
    status: number
    policy: string
    limit: string
    billed: string
  }
  const row = (name: string, path: string, status: number, limit: string, billed: string, more: Partial<Row> = {}) => ({
    name,
    get: path,
    status,
    limit,
    billed,
    policy: ofDiscover,
    ...more,
  })
  const charged = (units: number) => `"rate";r=9;t=1, "daily";r=${10_000 - units};t=86400`
  const rows: Row[] = [
    row('200', '/locations/1', 200, charged(1), '1'),
    row('reviews', '/locations/1/reviews', 200, charged(1), '1'),
    row('catalog', '/catalog/locations/1', 200, charged(1), '1'),
    row('multi-GET is billed per entity (SPEC §8.4)', '/locations?ids=1,2,3', 200, charged(3), '3'),
    row('missing ids are not billed', '/locations?ids=1,99', 200, charged(1), '1'),
    row('an entity is billed once', '/locations?ids=1,1,20,21', 200, charged(2), '2'),
    row('multi-GET without results', '/locations?ids=98,99', 200, uncharged, '0'),
    row('304 (R-09)', '/locations/1', 304, uncharged, '0', { headers: { 'If-None-Match': '*' } }),
    row('400 (R-09)', '/locations/1?locale=!', 400, uncharged, '0'),
    row('404 (R-09)', '/locations/99', 404, uncharged, '0'),
    row('403 spends no token', '/feeds', 403, untouched, '0'),
    row('403 spends no token', '/recommendations/search?query=a', 403, untouched, '0'),
    row('an unlimited policy is omitted', '/locations/1', 200, '"rate";r=9;t=1', '1', {
      agreement: { quota: 'unlimited' },
      policy: '"rate";q=10;w=1',
    }),
    row('an agreed burst', '/locations/1', 200, '"rate";r=29;t=1, "daily";r=9999;t=86400', '1', {
      agreement: { burst: 30 },
      policy: '"rate";q=30;w=3, "daily";q=10000;w=86400',
    }),
    row('a rate below one per second', '/locations/1', 200, '"rate";r=0;t=2, "daily";r=9999;t=86400', '1', {
      agreement: { rate: 0.5 },
      policy: '"rate";q=1;w=2, "daily";q=10000;w=86400',
    }),
  ]
  test.each(rows)('$name: $get', async ({ get: path, agreement, headers, status, policy, limit, billed }) => {
    const { secret } = await key(agreement)
    expect(limitHeaders(await get(path, secret, headers))).toEqual({ status, policy, limit, billed, wait: undefined })
  })

  test('HEAD is charged as GET (R-09)', async () => {
    const { secret } = await key()
    const reply = await world.get('/locations/1', { key: secret, method: 'HEAD' })
    expect(limitHeaders(reply)).toMatchObject({ status: 200, limit: charged(1), billed: '1' })
  })

  test.skipIf(isOnPostgres())(
    '500 charges nothing and is recorded in the journal like any other call (R-09, R-28)',
    async () => {
      const layout = filesOf(world.config.data)
      const data = new Database(layout.data)
      data.prepare("UPDATE locations SET record = '{' WHERE id = 1099").run()
      data.close()
      const { id, secret } = await key()
      // From its third request on, the place is in memory.
      for (let request = 1; request <= 4; request++) {
        const reply = await get('/locations/1099', secret)
        expect(limitHeaders(reply)).toMatchObject({ status: 500, policy: ofDiscover, billed: '0' })
        expect(reply.headers.ratelimit).toMatch(/^"rate";r=9;t=1, "daily";r=10000;/)
        expect(reply.text).not.toMatch(/JSON|at position|\.ts/)
        advance(1000)
      }
      const usage = await periplus(['usage', '--key', id, '--by', 'status', '--data', world.config.data, '--json'])
      expect(usage.json()).toMatchObject({ rows: [{ status: 500, calls: 4, units: 0 }] })
      await importRows(world.config, 'location', [{ ...hundred[99], name: 'Repaired' }])
    },
  )

  test('429 lists every policy with its remaining units', async () => {
    const { secret } = await key({ rate: 2 })
    await get('/locations/1', secret)
    await get('/locations/1', secret)
    const reply = await get('/locations/1', secret)
    expectRefusal(reply, ['rate'], 1)
    expect(reply.json()).toMatchObject({ detail: 'The limit is 2 requests per second. Wait 1 s.' })
    expect(limitHeaders(reply)).toMatchObject({
      policy: '"rate";q=2;w=1, "daily";q=10000;w=86400',
      limit: '"rate";r=0;t=1, "daily";r=9998;t=86400',
    })
  })

  test('a policy is full again after its reset time t', async () => {
    const { secret } = await key()
    await get('/locations/1', secret)
    advance(1000)
    expect((await get('/feeds', secret)).headers.ratelimit).toBe('"rate";r=10, "daily";r=9999;t=86399')
    advance(86_399_000)
    expect((await get('/feeds', secret)).headers.ratelimit).toBe('"rate";r=10, "daily";r=10000')
  })

  test.each(searches)('searches have separate policies (R-06): %s', async path => {
    const { secret } = await key()
    const reply = await get(path, secret)
    expect(reply.headers['ratelimit-policy']).toBe('"search";q=5;w=5, "search-daily";q=86400;w=86400')
    expect(remaining(reply)).toMatchObject({ search: { r: 4, t: 1 }, 'search-daily': { t: 86_400 } })
    // A search that is not served is not charged, so this holds whether or not the index is built.
    expect(remaining(reply)['search-daily']!.r).toBe(86_400 - Number(reply.headers['x-billed-units']))
    expect(await remainingOf(secret)).toEqual({ rate: { r: 10 }, daily: { r: 10_000 } })
  })
})

describe('429 states the limit in words', () => {
  const detailOf = async (secret: string, paths: readonly string[]) => {
    let detail: unknown
    for (const path of paths) {
      const reply = await get(path, secret)
      if (reply.status === 429) ({ detail } = reply.json() as { detail: string })
    }
    return detail
  }
  const times = (count: number, path: string) => Array.from({ length: count }, () => path)
  const one = '/locations/1'
  interface Row {
    name: string
    agreement: Key['agreement']
    gets: readonly string[]
    detail: string
  }
  const row = (name: string, agreement: Key['agreement'], gets: readonly string[], detail: string): Row => ({
    name,
    agreement,
    gets,
    detail,
  })
  const searched = times(6, searches[1]!)
  test.each([
    row('rate', {}, times(11, one), 'The limit is 10 requests per second. Wait 1 s.'),
    row('rate of one', { rate: 1 }, times(2, one), 'The limit is 1 request per second. Wait 1 s.'),
    row('a slow rate', { rate: 0.3 }, times(2, one), 'The limit is 1 request every 3.33 s. Wait 4 s.'),
    row(
      'a burst',
      { rate: 1, burst: 2 },
      times(3, one),
      'The limit is 1 request per second, and 2 at once after a pause. Wait 1 s.',
    ),
    row('search', {}, searched, 'The limit is 1 search per second, and 5 at once after a pause. Wait 1 s.'),
    row(
      'search, agreed',
      { searchRate: 1200.5, searchBurst: 1 },
      searched.slice(4),
      'The limit is 1,200.5 searches per second, and 1 at once after a pause. Wait 1 s.',
    ),
    row('daily', { quota: 1 }, times(2, one), 'The daily quota of 1 unit is used up. Wait 86400 s.'),
    row(
      'units left',
      { quota: 3 },
      ['/locations?ids=1,2', '/locations?ids=1,2'],
      'The daily quota of 3 units has 1 left, and the call needs 2. Wait 86400 s.',
    ),
    row(
      'more than the quota',
      { quota: 5 },
      ['/locations?ids=1,2,3,4,21,40'],
      'The call costs 6 units, more than the entire daily quota of 5. Split it into smaller calls.',
    ),
    row(
      'both',
      { rate: 1, quota: 1 },
      times(2, one),
      'The limit is 1 request per second. The daily quota of 1 unit is used up. Wait 86400 s.',
    ),
  ])('$name', async ({ agreement, gets, detail }) => {
    const { secret } = await key(agreement)
    expect(await detailOf(secret, gets)).toBe(detail)
  })

  test('penalty', async () => {
    const { secret } = await key({ rate: 1 })
    await detailOf(secret, times(2, one))
    advance(600)
    expect(await detailOf(secret, [one])).toBe(
      'Calls before the time given in Retry-After extend the wait. The limit is 1 request per second. Wait 1 s.',
    )
  })
})

describe('the search bucket (SPEC §8.3, R-07)', () => {
  test('admits exactly 5 searches from idle across all four endpoints, then one per second', async () => {
    const { secret } = await key()
    for (let i = 0; i < 5; i++) expect((await get(searches[i % 4]!, secret)).status).not.toBe(429)
    for (const path of searches) expectRefusal(await get(path, secret), ['search'], 1)
    expect(remaining(await get('/locations/1', secret))).toMatchObject({ rate: { r: 9 }, daily: { r: 9999 } })
    // After the announced wait, exactly one search is served.
    advance(1000)
    expect((await get(searches[1]!, secret)).status).not.toBe(429)
    expectRefusal(await get(searches[2]!, secret), ['search'], 1)
    advance(5000)
    const statuses = await Promise.all([0, 1, 2, 3, 0, 1].map(async i => (await get(searches[i]!, secret)).status))
    expect(statuses.filter(status => status === 429)).toHaveLength(1)
  })

  test('applies to every package unless an agreement changes it', async () => {
    const growth = await key({}, { packageName: 'growth' })
    expect((await get(searches[0]!, growth.secret)).headers['ratelimit-policy']).toMatch(/^"search";q=5;w=5,/)
    const agreed = await key({ searchRate: 2, searchBurst: 3, searchQuota: 'unlimited' })
    const reply = await get(searches[0]!, agreed.secret)
    expect(limitHeaders(reply)).toMatchObject({ policy: '"search";q=3;w=2', limit: '"search";r=2;t=1' })
  })
})

describe('the package rate (SPEC §8.1, R-05)', () => {
  test.each([
    ['discover', {}, 10],
    ['growth', { packageName: 'growth' }, 25],
  ] as const)('%s: admits one second of the rate at once, and no more', async (_, more, burst) => {
    const { secret } = await key({}, more)
    const replies = await Promise.all(Array.from({ length: burst + 6 }, () => get('/locations/1', secret)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(burst)
    for (const reply of replies.filter(({ status }) => status !== 200)) expectRefusal(reply, ['rate'], 1)
    // Each response reports the state after its own call, although all are sent together.
    const counted = replies.filter(({ status }) => status === 200).map(reply => remaining(reply).rate!.r)
    // On several nodes, a call that another node refuses meanwhile may promise the wait before this one is charged.
    if (nodesOfWorlds() === 1) expect(new Set(counted).size).toBe(burst)
    expect((await remainingOf(secret)).daily!.r).toBe((burst === 10 ? 10_000 : 50_000) - burst)
    advance(1000 / burst)
    const after = [await get('/locations/1', secret), await get('/locations/1', secret)]
    expect(after.map(({ status }) => status)).toEqual([200, 429])
  })

  test('a call spends one token, whatever its entities and its status (R-09)', async () => {
    const { secret } = await key()
    await get('/locations?ids=1,2,3,4', secret)
    await get('/locations/99', secret)
    await get('/locations/1?locale=!', secret)
    expect(await remainingOf(secret)).toEqual({ rate: { r: 7, t: 1 }, daily: { r: 9996, t: 86_400 } })
  })

  test('a tight loop extends the wait, and Retry-After remains accurate (SPEC §7, R-10)', async () => {
    const { secret } = await key({ rate: 1 })
    await get('/locations/1', secret)
    expectRefusal(await get('/locations/1', secret), ['rate'], 1)
    advance(600)
    expectRefusal(await get('/locations/1', secret), ['penalty'], 1)
    advance(900)
    const again = await get('/locations/1', secret)
    expectRefusal(again, ['penalty'], 1)
    expect(remaining(again).rate).toEqual({ r: 0, t: 1 })
    advance(500)
    const longer = await get('/locations/1', secret)
    expectRefusal(longer, ['penalty'], 2)
    advance(2000)
    expect((await get('/locations/1', secret)).status).toBe(200)
  })
})

describe('the daily quota (SPEC §8.2, R-08)', () => {
  test('admits a call only if all its units fit', async () => {
    const { secret } = await key({ quota: 5 })
    const steps: [path: string, status: number, remaining: number][] = [
      ['/locations?ids=1,2,3', 200, 2],
      ['/locations?ids=1,2,3', 429, 2],
      ['/locations/1', 200, 1],
      ['/locations?ids=1,2', 429, 1],
      ['/locations?ids=1,99', 200, 0],
      ['/locations/1', 429, 0],
      ['/locations?ids=98,99', 429, 0],
    ]
    for (const [path, status, units] of steps) {
      advance(1000)
      const reply = await get(path, secret)
      expect([path, reply.status, remaining(reply).daily!.r]).toEqual([path, status, units])
      if (status === 429) expectRefusal(reply, ['daily'], remaining(reply).daily!.t)
    }
  })

  test('a call that exceeds the whole quota is refused without Retry-After, with advice to split it', async () => {
    const { secret } = await key({ quota: 5 })
    const reply = await get('/locations?ids=1,2,3,4,21,40', secret)
    expectRefusal(reply, ['daily'], undefined)
    expect(reply.headers).not.toHaveProperty('retry-after')
    expect((reply.json() as { detail: string }).detail).toMatch(/split/i)
    expect(remaining(reply).daily).toEqual({ r: 5, t: 86_400 })
  })

  test.each([
    ['304', '/locations/1', { 'If-None-Match': '*' }],
    ['404', '/locations/99', {}],
    ['400', '/locations/1?locale=!', {}],
    ['403', '/feeds', {}],
  ])('%s charges nothing (R-09)', async (status, path, headers) => {
    const { secret } = await key({ quota: 1 })
    for (let i = 0; i < 3; i++) expect((await get(path, secret, headers)).status).toBe(Number(status))
    expect(limitHeaders(await get('/locations/1', secret))).toMatchObject({ status: 200, billed: '1' })
  })

  test('opens with the first admitted call and ends exactly 24 hours later', async () => {
    const { secret } = await key({ quota: 1 })
    // An admitted call opens the window even if it charges nothing.
    expect(remaining(await get('/locations/99', secret)).daily).toEqual({ r: 1, t: 86_400 })
    advance(3_600_000)
    expect(remaining(await get('/locations/1', secret)).daily).toEqual({ r: 0, t: 82_800 })
    advance(82_800_000 - 2)
    expectRefusal(await get('/locations/1', secret), ['daily'], 1)
    advance(1002)
    expect(remaining(await get('/locations/1', secret)).daily).toEqual({ r: 0, t: 86_400 })
  })

  test('opens no new window without a call (SPEC §8.2.5)', async () => {
    const { secret } = await key({ quota: 3 })
    await get('/locations/1', secret)
    advance(3 * 86_400_000 + 1234)
    expect((await remainingOf(secret)).daily).toEqual({ r: 3 })
    expect(remaining(await get('/locations/1', secret)).daily).toEqual({ r: 2, t: 86_400 })
  })

  test('refused calls change no other policy (R-08, R-09)', async () => {
    const { secret } = await key({ rate: 3, quota: 4 })
    await get('/locations?ids=1,2,3', secret)
    for (let i = 0; i < 4; i++) await get('/locations/1', secret)
    // Whether rate or quota refused: only the 4 units and the tokens of the admitted calls are spent.
    expect(await remainingOf(secret)).toEqual({ rate: { r: 1, t: 1 }, daily: { r: 0, t: 86_400 } })
    expect(remaining(await get(searches[0]!, secret)).search).toEqual({ r: 4, t: 1 })

    const drained = await key({ rate: 1, quota: 4 })
    for (let i = 0; i < 4; i++) await get('/locations?ids=1,2', drained.secret)
    expect((await remainingOf(drained.secret)).daily).toEqual({ r: 2, t: 86_400 })
  })

  test('a test key has 1,000 units a day, whatever its agreement (R-02)', async () => {
    const { secret } = await key({ quota: 'unlimited' }, { test: true })
    expect(limitHeaders(await get('/locations/1', secret))).toMatchObject({
      policy: '"rate";q=10;w=1, "daily";q=1000;w=86400',
      limit: '"rate";r=9;t=1, "daily";r=999;t=86400',
    })
    for (let i = 0; i < 9; i++) expect((await get(`/locations?ids=${hundredIds}`, secret)).status).toBe(200)
    advance(2000)
    expectRefusal(await get(`/locations?ids=${hundredIds}`, secret), ['daily'], 86_398)
    expect((await remainingOf(secret)).daily!.r).toBe(99)
  })
})

describe('subjects of limits (R-12)', () => {
  test('a rotation after 9,000 units leaves 1,000 across both secrets', async () => {
    const { id, secret } = await key()
    for (let i = 0; i < 90; i++) {
      advance(100)
      expect((await get(`/locations?ids=${hundredIds}`, secret)).headers['x-billed-units']).toBe('100')
    }
    const newer = await rotateSecret(world.config, id, 3_600_000)
    expect((await remainingOf(newer)).daily!.r).toBe(1000)
    for (let i = 0; i < 10; i++) {
      advance(100)
      expect((await get(`/locations?ids=${hundredIds}`, i % 2 === 0 ? newer : secret)).status).toBe(200)
    }
    advance(100)
    expectRefusal(await get('/locations/1', secret), ['daily'], 86_390)
    expectRefusal(await get('/locations/1', newer), ['daily'], 86_390)
  })

  test('a rotation does not refill the rate bucket', async () => {
    const { id, secret } = await key({ rate: 4 })
    for (let i = 0; i < 3; i++) await get('/locations/1', secret)
    const newer = await rotateSecret(world.config, id, 3_600_000)
    expect((await get('/locations/1', newer)).status).toBe(200)
    for (const one of [secret, newer]) expect((await get('/locations/1', one)).status).toBe(429)
  })

  test('keys of a partner share limits if their agreement says so', async () => {
    const shared = { subject: 'partner', quota: 5, rate: 4, searchBurst: 2 } as const
    const [one, two, alone] = await Promise.all([key(shared), key(shared), key({ quota: 5, rate: 4 })])
    await get('/locations?ids=1,2,3', one.secret)
    expect(remaining(await get('/locations/1', two.secret))).toEqual({
      rate: { r: 2, t: 1 },
      daily: { r: 1, t: 86_400 },
    })
    expect(await remainingOf(one.secret)).toEqual(await remainingOf(two.secret))
    expectRefusal(await get('/locations?ids=1,2', one.secret), ['daily'], 86_400)
    await get(searches[0]!, one.secret)
    expect(remaining(await get(searches[1]!, two.secret)).search!.r).toBe(0)
    expect(await remainingOf(alone.secret)).toEqual({ rate: { r: 4 }, daily: { r: 5 } })
  })
})

describe('agreements on a running service (SPEC §5.5)', () => {
  const set = (id: string, ...flags: string[]) => periplus(['keys', 'set', id, ...flags, '--data', world.config.data])
  const policy = async (secret: string) => (await get('/feeds', secret)).headers['ratelimit-policy']

  onOneNode('take effect within a second, without a restart, and keep the used units', async () => {
    const { id, secret } = await key()
    await get('/locations?ids=1,2,3', secret)
    const changes: [flags: string[], policy: string, remaining: number][] = [
      [['--quota', '7', '--rate', '2'], '"rate";q=2;w=1, "daily";q=7;w=86400', 4],
      [['--burst', '9', '--quota', '3'], '"rate";q=9;w=5, "daily";q=3;w=86400', 0],
      [
        ['--quota', 'package', '--rate', 'package', '--burst', 'package'],
        '"rate";q=10;w=1, "daily";q=10000;w=86400',
        9997,
      ],
    ]
    for (const [flags, expected, units] of changes) {
      await set(id, ...flags)
      await expect.poll(() => policy(secret)).toBe(expected)
      expect((await remainingOf(secret)).daily!.r).toBe(units)
    }
  })

  onOneNode('reading usage and keys changes no counter', async () => {
    const { id, secret } = await key({ quota: 50 })
    await get('/locations?ids=1,2,3', secret)
    const before = await remainingOf(secret)
    const data = ['--data', world.config.data, '--json']
    const commands = [
      ['usage'],
      ['usage', '--key', id, '--by', 'day'],
      ['keys', 'show', id],
      ['keys', 'list'],
      ['verify'],
    ]
    for (const command of commands) expect((await periplus([...command, ...data])).code).toBe(0)
    expect(await remainingOf(secret)).toEqual(before)
  })
})

describe.skipIf(nodesOfWorlds() > 1)('limit per address for calls without a valid key (issue C; R-01)', () => {
  const getWithBadKey = (w: World, key: string | null, forwarded?: string) =>
    w.get('/locations/1', { key, headers: forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded } })
  const expectSlowedDown = (reply: Reply) => {
    expectValidReply(reply)
    expect(limitHeaders(reply)).toEqual({
      status: 429,
      policy: undefined,
      limit: undefined,
      billed: undefined,
      wait: '1',
    })
    expect(reply.json()).toMatchObject({
      message: 'Too many requests without a valid API key.',
      detail: expect.stringMatching(
        /^Without a valid API key, one address may send 20 requests per second, and \d+ at once after a pause\. Wait 1 s/,
      ),
    })
  }

  test('admits 100 at once, then 20 per second; valid keys and health checks are not affected', async () => {
    const { secret } = await key()
    // By now the bucket of this address is full again.
    advance(60_000)
    for (let i = 0; i < 100; i++) {
      const reply = await getWithBadKey(world, [null, 'nonsense', `peri_live_${'a'.repeat(38)}`][i % 3]!)
      expect(reply.status).toBe(401)
    }
    for (const wrong of [null, 'nonsense']) expectSlowedDown(await getWithBadKey(world, wrong))
    // X-Forwarded-For of an untrusted peer is ignored.
    expectSlowedDown(await getWithBadKey(world, null, '203.0.113.7'))
    expect((await get('/locations/1', secret)).status).toBe(200)
    for (const path of ['/healthz', '/', '/docs/errors']) expect((await send(world.url, path)).status).toBe(200)
    advance(50)
    expect((await getWithBadKey(world, null)).status).toBe(401)
    expectSlowedDown(await getWithBadKey(world, null))
    advance(1000)
    const later = await Promise.all(Array.from({ length: 30 }, () => getWithBadKey(world, null)))
    expect(later.filter(({ status }) => status === 401)).toHaveLength(20)
  })

  describe('behind a trusted proxy', () => {
    let proxied: World
    beforeAll(async () => {
      vi.restoreAllMocks()
      proxied = await startWorld({ 'server.trustedProxies': ['127.0.0.1'], 'limits.badKeyBurst': 3 }, 'empty')
    })
    afterAll(() => proxied.close())
    const blocks: [name: string, first: string, second: string, shared: boolean][] = [
      ['one IPv4 address', '203.0.113.1', '203.0.113.1', true],
      ['two IPv4 addresses', '203.0.113.2', '203.0.113.3', false],
      ['one IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', true],
      ['two IPv6 /64', '2001:db8:1:3::1', '2001:db8:1:4::1', false],
      ['an IPv4-mapped address', '203.0.113.5', '::ffff:203.0.113.5', true],
      ['addresses that the client prepended', '198.51.100.1, 203.0.113.6', '198.51.100.2, 203.0.113.6', true],
    ]
    test.each(blocks)('%s', async (_, first, second, shared) => {
      for (let i = 0; i < 3; i++) expect((await getWithBadKey(proxied, null, first)).status).toBe(401)
      expectSlowedDown(await getWithBadKey(proxied, null, first))
      expect((await getWithBadKey(proxied, null, second)).status).toBe(shared ? 429 : 401)
      expect((await proxied.get('/locations/1', { headers: { 'X-Forwarded-For': first } })).status).toBe(404)
    })
  })
})
