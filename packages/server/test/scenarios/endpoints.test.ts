import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../http-client.ts'
import { expectValidReply, type Row, scenarios } from '../scenario.ts'
import { startWorld, type World } from '../world.ts'
import { largest } from '../world-rows.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const ids = (reply: Reply) => (reply.json() as { data: { id: number | bigint }[] }).data.map(one => one.id)

describe('lists of ids (SPEC §4, rulings: Operations)', () => {
  const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i).join(',')
  test.each([
    ['a comma-separated list, in request order', 'ids=4,2,1', [4, 2, 1]],
    ['spaces', 'ids=4,%202%20,+1', [4, 2, 1]],
    ['an encoded comma', 'ids=4%2C1', [4, 1]],
    ['a repeated parameter', 'ids=4&ids=2', [4, 2]],
    ['a repeated parameter with lists', 'ids=4,2&ids=1', [4, 2, 1]],
    ['alias id', 'id=4&id=2', [4, 2]],
    ['alias ids[]', 'ids[]=4&ids[]=2', [4, 2]],
    ['alias ids[], encoded', 'ids%5B%5D=4', [4]],
    ['a duplicate id', 'ids=2,2,4,2', [2, 4]],
    ['leading zeros', 'ids=0002', [2]],
    ['100 after de-duplication', `ids=${many(1, 100)},1,2,3,1,2,3`, [1, 2, 3, 4, 5, 21, 40, 50, 60]],
    ['the largest id', `ids=${largest}`, [largest]],
  ] satisfies [string, string, (number | bigint)[]][])('%s', async (_name, query, expected) => {
    for (const path of ['/locations', '/locations/']) {
      const reply = await world.get(`${path}?${query}`)
      expect([reply.status, ids(reply)]).toEqual([200, expected])
    }
  })

  test('accepts all parameter names in one request', async () => {
    expect(new Set(ids(await world.get('/locations?ids[]=1&id=2&ids=4')))).toEqual(new Set([1, 2, 4]))
  })
})

scenarios('multi-GET (SPEC §4, R-24)', () => world, [
  {
    name: 'unknown ids are omitted and listed',
    get: '/locations?ids=1,99,2,98',
    status: 200,
    body: { data: [{ id: 1 }, { id: 2 }], missing_ids: [99, 98] },
  },
  { name: 'no id found', get: '/locations?ids=99', status: 200, data: [], body: { missing_ids: [99] } },
  {
    name: 'all ids found: no missing_ids',
    get: '/locations?ids=1',
    status: 200,
    text: /^(?!.*(missing_ids|merged_ids))/,
  },
  { name: 'a deleted id is missing', get: '/locations?ids=30', status: 200, data: [], body: { missing_ids: [30] } },
  {
    name: 'merged ids return the survivor once, at the position of the first',
    get: '/locations?ids=20,1,21,70',
    status: 200,
    body: {
      data: [{ id: 21 }, { id: 1 }],
      merged_ids: [
        { from: 20, to: 21 },
        { from: 70, to: 21 },
      ],
    },
  },
  {
    name: 'the survivor alone is not listed as merged',
    get: '/locations?ids=21',
    status: 200,
    text: /^(?!.*merged_ids)/,
  },
])

const idErrors: [string, string?][] = [
  ['ids=1,x', 'x'],
  ['ids=1,-2', '-2'],
  ['ids=0', '0'],
  ['ids=1.0', '1.0'],
  ['ids=1e3', '1e3'],
  ['ids=0x10', '0x10'],
  [`ids=${largest + 1n}`, String(largest + 1n)],
  ['ids=99999999999999999999', '99999999999999999999'],
  ['ids=1,,2'],
  ['ids='],
  ['ids=%00', '\0'],
  ['ids=%D9%A1', '١'],
]

scenarios('what is no list of ids (R-13)', () => world, [
  ...idErrors.map(([query, value]) => ({
    name: query,
    get: `/locations?${query}`,
    status: 400,
    fields: ['ids'],
    ...(value !== undefined && { body: { field_errors: [{ rejected_value: value }] } }),
  })),
  { name: 'no ids', get: '/locations', status: 400, fields: ['ids'] },
  {
    name: '101 ids',
    get: `/locations?ids=${Array.from({ length: 101 }, (_, i) => i + 1)}`,
    status: 400,
    fields: ['ids'],
  },
])

scenarios('one location (SPEC §4)', () => world, [
  { name: 'by id', get: '/locations/1', status: 200, body: { data: { id: 1 } } },
  { name: 'a trailing slash', get: '/locations/1/', status: 200, body: { data: { id: 1 } } },
  { name: 'an encoded id', get: '/locations/%31', status: 200, body: { data: { id: 1 } } },
  {
    name: 'a merged id returns the survivor with its own id (R-24)',
    get: '/locations/20',
    status: 200,
    body: { data: { id: 21 } },
  },
  {
    name: 'a chain of merges returns the survivor (R-24)',
    get: '/locations/70',
    status: 200,
    body: { data: { id: 21 } },
  },
  { name: 'a merged id in the catalog', get: '/catalog/locations/20', status: 200, body: { data: { id: 21 } } },
  { name: 'deleted', get: '/locations/30', status: 404 },
  { name: 'unknown', get: '/locations/99', status: 404, text: 'A location with the id 99 does not exist' },
  { name: 'unknown in the catalog', get: '/catalog/locations/99', status: 404 },
  { name: 'reviews of an unknown location', get: '/locations/99/reviews', status: 404 },
  { name: 'unknown parameters are ignored (R-31)', get: '/locations/1?foo=bar&page=x&__proto__=1', status: 200 },
  {
    name: 'the catalog is a light projection',
    get: '/catalog/locations/1',
    status: 200,
    text: /^(?!.*(attributes|opening_hours|awards|external_ids|subratings))/,
  },
  ...['abc', '0', '-1', '1.5', '%20', '1%2C2', `${largest + 1n}`, 'é', 'a'.repeat(300)].map(
    (id): Row => ({
      name: `invalid id: ${id.slice(0, 20)}`,
      get: `/locations/${encodeURI(decodeURIComponent(id)).replace(',', '%2C')}`,
      status: 400,
      fields: ['id'],
    }),
  ),
])

describe('reviews: paging, order, filters (rulings: Operations)', () => {
  const newest = [111, 110, 113, 112, 115, 114, 107]
  test.each([
    ['', newest],
    ['sort_by=MOST_RECENT', newest],
    ['sort_by=most_recent', newest],
    ['sort_by=HIGHEST_RATED', [110, 115, 114, 113, 107, 112, 111]],
    ['size=3', [111, 110, 113]],
    ['size=3&page=2', [112, 115, 114]],
    ['size=3&page=3', [107]],
    ['size=3&page=4', []],
    ['page=9007199254740991&size=100', []],
    ['limit=2', [111, 110]],
    ['size=3&page=2&sort_by=HIGHEST_RATED', [113, 107, 112]],
    ['rating_min=4', [110, 115, 114]],
    ['rating_min=4&sort_by=HIGHEST_RATED&size=1&page=3', [114]],
    ['language=de', [110, 112, 114, 107]],
    ['language=de-AT', [110, 112, 114]],
    ['language=de_AT', [110, 112, 114]],
    ['language=en', [111, 113, 115]],
    ['language=fr', []],
    ['language=primary', newest],
    ['trip_type=FAMILY', [113, 115, 114]],
    ['trip_type=friends&rating_min=2', [110, 112]],
    ['published_after_ts=2026-04-02', [111, 110]],
    ['published_after_ts=2026-04-01T23:59:59Z', [111, 110, 113, 112]],
    ['published_after_ts=2026-04-01T23:59:59%2B00:00', [111, 110, 113, 112]],
    ['published_after_ts=2026-04-01T23:59:59+00:00', [111, 110, 113, 112]],
    ['published_after_review_id=112', [111, 110, 113]],
    ['published_after_review_id=115', [111, 110, 113, 112]],
    ['published_after_review_id=111', []],
    ['published_after_review_id=107', [111, 110, 113, 112, 115, 114]],
    ['published_after_review_id=112&rating_min=2', [110, 113]],
  ])('%s', async (query, expected) => {
    const reply = await world.get(`/locations/21/reviews?${query}`)
    expectValidReply(reply)
    expect([reply.status, ids(reply)]).toEqual([200, expected])
  })

  test.each([
    ['', { page: 1, size: 20, total_elements: 7, total_pages: 1 }],
    ['size=3&page=2', { page: 2, size: 3, total_elements: 7, total_pages: 3 }],
    ['size=3&page=9', { page: 9, size: 3, total_elements: 7, total_pages: 3 }],
    ['size=100&language=de', { page: 1, size: 100, total_elements: 4, total_pages: 1 }],
    ['language=fr', { page: 1, size: 20, total_elements: 0, total_pages: 0 }],
  ])('pagination of %s', async (query, pagination) => {
    const reply = await world.get(`/locations/21/reviews?${query}`)
    expect((reply.json() as { pagination: object }).pagination).toEqual(pagination)
  })

  test.each(['MOST_RECENT', 'HIGHEST_RATED'])('pages of any size contain every review once, %s', async sortBy => {
    const at = async (query: string) => ids(await world.get(`/locations/21/reviews?sort_by=${sortBy}&${query}`))
    const all = await at('size=100')
    for (let size = 1; size <= 8; size++) {
      const pages: (number | bigint)[] = []
      for (let page = 1; page <= Math.ceil(7 / size); page++) pages.push(...(await at(`size=${size}&page=${page}`)))
      expect(pages).toEqual(all)
    }
  })
})

scenarios('reviews of a merged place and of a place without reviews (R-24)', () => world, [
  { name: 'merged', get: '/locations/20/reviews?size=1', status: 200, body: { data: [{ id: 111, location_id: 21 }] } },
  {
    name: 'no reviews',
    get: '/locations/60/reviews',
    status: 200,
    data: [],
    body: { pagination: { total_elements: 0, total_pages: 0 } },
  },
  {
    name: 'undated reviews come last',
    get: '/locations/50/reviews',
    status: 200,
    body: { data: [{ id: 106 }, { id: 105 }] },
  },
  {
    name: 'only original texts',
    get: '/locations/1/reviews?language=primary',
    status: 200,
    body: { data: [{ text: [{ language: 'en', primary: true }] }] },
    text: /^(?!.*Cerrado)/,
  },
])

const reviewErrors: [query: string, ...fields: string[]][] = [
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=', 'page'],
  ['page=Infinity', 'page'],
  ['page=1e3', 'page'],
  ['page=9007199254740993', 'page'],
  ['size=0', 'size'],
  ['size=101', 'size'],
  ['limit=101', 'size'],
  ['size=10&limit=20', 'size'],
  ['size=10&size=11', 'size'],
  ['rating_min=0', 'rating_min'],
  ['rating_min=6', 'rating_min'],
  ['rating_min=NaN', 'rating_min'],
  ['trip_type=X', 'trip_type'],
  ['trip_type=', 'trip_type'],
  ['sort_by=X', 'sort_by'],
  ['language=x', 'language'],
  ['published_after_ts=soon', 'published_after_ts'],
  ['published_after_ts=2026-02-31', 'published_after_ts'],
  ['published_after_ts=2026-13-01', 'published_after_ts'],
  ['published_after_ts=2026-01-01T25:00:00Z', 'published_after_ts'],
  ['published_after_ts=1767225600', 'published_after_ts'],
  ['published_after_review_id=0', 'published_after_review_id'],
  ['published_after_review_id=999', 'published_after_review_id'],
  ['published_after_review_id=101', 'published_after_review_id'],
  ['page=0&size=101&rating_min=6&trip_type=X&sort_by=X', 'rating_min', 'trip_type', 'sort_by', 'page', 'size'],
]

scenarios('invalid parameters of reviews (R-13)', () => world, [
  ...reviewErrors.map(([query, ...fields]) => ({
    name: query,
    get: `/locations/21/reviews?${query}`,
    status: 400,
    fields,
  })),
  { name: 'the same value twice is accepted', get: '/locations/21/reviews?size=2&size=2&limit=2', status: 200 },
])

scenarios('HEAD, OPTIONS and other methods (R-27)', () => world, [
  {
    name: 'HEAD of a location',
    method: 'HEAD',
    get: '/locations/1',
    status: 200,
    has: { 'content-length': /^\d{3,}$/, etag: /^"/ },
    text: /^$/,
  },
  { name: 'HEAD of an unknown location', method: 'HEAD', get: '/locations/99', status: 404, text: /^$/ },
  { name: 'HEAD without a key', method: 'HEAD', get: '/locations/1', key: null, status: 401, text: /^$/ },
  {
    name: 'OPTIONS without configured origins',
    method: 'OPTIONS',
    get: '/locations/1',
    key: null,
    headers: { Origin: 'https://a.example' },
    status: 405,
    has: { allow: 'GET, HEAD', 'access-control-allow-origin': null },
  },
  {
    name: 'an unlisted origin receives no CORS headers',
    get: '/locations/1',
    headers: { Origin: 'https://a.example' },
    status: 200,
    has: { 'access-control-allow-origin': null },
  },
  ...['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY'].map(
    (method): Row => ({
      name: method,
      method,
      get: '/locations/1',
      key: null,
      status: 405,
      has: { allow: 'GET, HEAD' },
    }),
  ),
  ...[
    '/',
    '/healthz',
    '/locations',
    '/locations/search',
    '/feeds',
    '/feeds/a/latest',
    '/icons/ratings/4.5.svg',
    '/recommendations/search',
    '/locations/1/reviews/',
  ].map(
    (get): Row => ({
      name: `POST ${get}`,
      method: 'POST',
      get,
      sends: '{}',
      headers: { 'Content-Type': 'application/json' },
      status: 405,
      has: { allow: 'GET, HEAD' },
    }),
  ),
  { name: 'a path of the Terra profile, which is off (R-171)', get: '/api/locations/1', status: 404 },
  { name: 'any method on an unknown path', method: 'POST', get: '/nowhere', status: 404 },
])

describe('conditional requests (R-26)', () => {
  const paths = [
    '/locations/1',
    '/locations?ids=1,2',
    '/locations/21/reviews',
    '/catalog/locations/1',
    '/locations/1?locale=en',
  ]
  test.each(paths)('%s', async path => {
    const first = await world.get(path)
    expect(first.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, max-age=300',
      vary: 'Accept-Encoding, X-API-Key, Authorization, API-Version',
    })
    const etag = first.headers.etag!
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, `"a","b" ,W/${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await world.get(path, { method, headers: { 'If-None-Match': match } })
        expect([match, again.status, again.text, again.headers.etag]).toEqual([match, 304, '', etag])
        expect(again.headers).toMatchObject({
          'cache-control': 'private, max-age=300',
          vary: first.headers.vary,
          'api-version': '1',
        })
      }
    }
    for (const other of ['"other"', 'W/"other"', etag.slice(1, -1), '', 'W/*']) {
      const again = await world.get(path, { headers: { 'If-None-Match': other } })
      expect([other, again.status, again.text]).toEqual([other, 200, first.text])
    }
  })

  test('different responses have different ETags', async () => {
    const replies = await Promise.all(
      [...paths, '/locations?ids=2,1', '/locations?ids=1', '/locations?ids=1,99', '/catalog/locations/2'].map(path =>
        world.get(path),
      ),
    )
    expect(new Set(replies.map(reply => reply.headers.etag)).size).toBe(replies.length)
  })

  test('an unknown location is never 304', async () => {
    const reply = await world.get('/locations/99', { headers: { 'If-None-Match': '*' } })
    expect(reply.status).toBe(404)
  })

  test('a restart does not change ETags', async () => {
    const path = '/catalog/locations/2'
    const other = await startWorld({ 'server.publicUrl': 'https://same.example' })
    const before = (await other.get(path)).headers.etag
    await other.restart()
    expect((await other.get(path)).headers.etag).toBe(before)
    await other.close()
  })
})

scenarios('without a key', () => world, [
  { name: 'the landing page', get: '/', key: null, status: 200, has: { 'content-type': /^text\/html/ } },
  {
    name: 'the page of errors that `type` links to',
    get: '/docs/errors',
    key: null,
    status: 200,
    text: 'id="location_unknown"',
  },
  { name: 'health', get: '/healthz', key: null, status: 200, body: { status: 'ok' } },
  { name: 'readiness', get: '/readyz', key: null, status: 200, body: { status: 'ready' } },
  { name: 'an icon', get: '/icons/ratings/4.5.svg', key: null, status: 200, has: { 'content-type': 'image/svg+xml' } },
  { name: 'an unknown icon', get: '/icons/ratings/9.svg', key: null, status: 404 },
  { name: 'a path outside the icons', get: '/icons/..%2f..%2fpackage.json', key: null, status: 404 },
])

describe('base path, public URL and CORS (R-34, R-27)', () => {
  test('serves under a base path and a public URL, whatever the Host header is', async () => {
    const other = await startWorld({ 'server.basePath': '/api/', 'server.publicUrl': 'https://places.example/api/' })
    const reply = await other.get('/api/locations/1', {
      headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
    })
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('"https://places.example/api/icons/ratings/4.5.svg"')
    expect(reply.text).not.toContain('evil.example')
    const missing = await other.get('/api/locations/99', { headers: { Host: 'evil.example' } })
    expect(missing.json()).toMatchObject({
      type: 'https://places.example/api/docs/errors#location_unknown',
      instance: '/api/locations/99',
    })
    expect(JSON.stringify([missing.headers, missing.text])).not.toContain('evil.example')
    for (const [path, status] of [
      ['/locations/1', 404],
      ['/api', 200],
      ['/api/', 200],
      ['/api/healthz', 200],
      ['/api/icons/ratings/4.5.svg', 200],
    ] as const) {
      expect([path, (await other.get(path)).status]).toEqual([path, status])
    }
    const page = await other.get('/api/', { headers: { Host: 'evil.example' } })
    expect(page.text).toContain('https://places.example/api/locations/1')
    await other.close()
  })

  test('allows CORS for listed origins only', async () => {
    const other = await startWorld({ 'cors.origins': ['https://a.example'], 'cors.maxAgeSeconds': 60 }, 'empty')
    const preflight = await other.get('/locations/1', {
      method: 'OPTIONS',
      key: null,
      headers: { Origin: 'https://a.example' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': 'https://a.example', vary: 'Origin' })
    const listed = (name: string) => String(preflight.headers[name]).split(', ')
    expect(listed('access-control-allow-methods')).toEqual(['GET', 'HEAD'])
    expect(listed('access-control-allow-headers')).toEqual([
      'X-API-Key',
      'Authorization',
      'API-Version',
      'If-None-Match',
      'Range',
      'If-Range',
    ])
    expect(preflight.headers['access-control-max-age']).toBe('60')
    const refused = await other.get('/locations/1', {
      method: 'OPTIONS',
      key: null,
      headers: { Origin: 'https://b.example' },
    })
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
    const error = await other.get('/locations/1', { headers: { Origin: 'https://a.example' } })
    expect([error.status, error.headers['access-control-allow-origin']]).toEqual([404, 'https://a.example'])
    const exposed = String(error.headers['access-control-expose-headers']).split(', ')
    const always = 'ETag, API-Version, RateLimit, RateLimit-Policy, Retry-After, X-Billed-Units, X-Request-Id'
    expect(exposed).toEqual(expect.arrayContaining([...always.split(', '), 'Deprecation', 'Sunset', 'Link']))
    expect(error.headers.vary).toContain('Origin')
    const unlisted = await other.get('/locations/1', { headers: { Origin: 'https://b.example' } })
    expect(unlisted.headers.vary).toContain('Origin')
    expect(Object.keys(unlisted.headers).filter(name => name.startsWith('access-control'))).toEqual([])
    await other.close()
  })
})
