/**
 * Requests that the service forgives, and its reports about the others, over real HTTP.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../http-client.ts'
import { type Row, scenarios } from '../scenario.ts'
import { searchRows } from '../search-rows.ts'
import { searchable } from '../searchable.ts'
import { importRows, makeKey, startWorld, type World } from '../world.ts'

let world: World
let open: World

/** The languages of the reviews of place 1, by review id; higher ids are newer and better rated. */
const languages: Record<number, string | undefined> = {
  1: 'en',
  2: 'en-US',
  3: 'de-AT',
  4: 'de',
  5: 'zh-Hant-TW',
  6: 'zh-Hans',
  7: undefined,
  8: 'en',
}

beforeAll(async () => {
  world = await startWorld({}, searchRows)
  open = await startWorld({ 'keys.inQuery': true, 'cors.origins': ['https://a.example'] }, searchRows.slice(0, 1))
  const reviews = Object.entries(languages).map(([id, lang]) => ({
    id: Number(id),
    location_id: 1,
    rating: 1 + (Number(id) % 5),
    text: `Text ${id}`,
    ...(lang && { lang }),
    publish_ts: `2026-01-0${id}`,
  }))
  await importRows(world.config, 'review', reviews)
  await searchable(world)
})
afterAll(async () => {
  await world.close()
  await open.close()
})

const madrid = 'lat=40.4168&lon=-3.7038&radius=2&unit=KM'
const nearby = (query: string) => `/locations/nearby?${query}`
const idsOf = (reply: Reply) =>
  (reply.json() as { data: { id?: number; location?: { id: number } }[] }).data.map(one => one.location?.id ?? one.id)

describe('numbers with an exponent', () => {
  test.each([
    ['lat=4.04168e1&lon=-37038E-4&radius=2e+0&unit=KM', madrid],
    ['lat=4.04168e+1&lon=-.37038e1&radius=2e%2B0&unit=KM', madrid],
    ['lat=-5e-05&lon=-5e-05', 'lat=-0.00005&lon=-0.00005'],
    [`${madrid}&min_rating=45e-1`, `${madrid}&min_rating=4.5`],
  ])('%s', async (exponent, plain) => {
    const [one, other] = [await world.get(nearby(exponent)), await world.get(nearby(plain))]
    expect([one.status, one.text]).toEqual([200, other.text])
  })

  scenarios('what remains invalid', () => world, [
    ...['1e3', 'Infinity', '-Infinity', 'NaN', '0x1e', '1e', 'e1', '1e1e1', '1e999', '1e2_0', '1,5e1', '%00'].map(
      (lat): Row => ({ name: `lat=${lat}`, get: nearby(`lat=${lat}&lon=1`), status: 400, fields: ['lat'] }),
    ),
    { name: 'a radius that is zero', get: nearby('lat=1&lon=1&radius=1e-400'), status: 400, fields: ['radius'] },
    { name: 'page=1e0', get: nearby('lat=1&lon=1&page=1e0'), status: 400, fields: ['page'] },
    { name: 'size=1e1', get: nearby('lat=1&lon=1&size=1e1'), status: 400, fields: ['size'] },
    { name: 'rating_min=4e0', get: '/locations/1/reviews?rating_min=4e0', status: 400, fields: ['rating_min'] },
    { name: 'ids=1e0', get: '/locations?ids=1e0', status: 400, fields: ['ids'] },
    { name: 'location_id=1e0', get: nearby('location_id=1e0'), status: 400, fields: ['location_id'] },
    { name: 'an id in the path', get: '/locations/1e0', status: 400, fields: ['id'] },
  ])
})

describe('sort', () => {
  test.each([
    ['distance', 'distance,asc'],
    ['DISTANCE', 'distance,asc'],
    ['%20rating%20', 'rating,desc'],
  ])('sort=%s is sort=%s', async (short, long) => {
    const found = idsOf(await world.get(nearby(`${madrid}&sort=${short}`)))
    expect(found).toEqual(idsOf(await world.get(nearby(`${madrid}&sort=${long}`))))
    expect(found).toHaveLength(6)
  })

  scenarios('values without a meaning', () => world, [
    ...['distance,desc', 'rating,asc', 'distance,', 'distance;asc', 'asc', 'distance,rating', ''].map(
      (sort): Row => ({ name: sort, get: nearby(`${madrid}&sort=${sort}`), status: 400, fields: ['sort'] }),
    ),
    {
      name: 'distance of a box',
      get: nearby('sw_lat=1&sw_lon=1&ne_lat=2&ne_lon=2&sort=distance'),
      status: 400,
      fields: ['sort'],
      text: 'requires a centre',
    },
  ])
})

scenarios('commas at the end of a list', () => world, [
  { name: 'ids=1,2,', get: '/locations?ids=1,2,', status: 200, body: { data: [{ id: 1 }, { id: 2 }] } },
  { name: 'ids=1,%20,', get: '/locations?ids=1,%20,', status: 200, body: { data: [{ id: 1 }] } },
  { name: 'ids=2,&ids=1,', get: '/locations?ids=2,&ids=1,', status: 200, body: { data: [{ id: 2 }, { id: 1 }] } },
  { name: 'category=HOTEL,', get: nearby(`${madrid}&category=HOTEL,`), status: 200, text: '"id":2' },
  { name: 'locale=ja,', get: '/locations/1?locale=ja,', status: 200, text: 'プラド美術館' },
  ...['ids=,1', 'ids=1,,2', 'ids=,', 'ids=', 'ids=1,&ids=', 'ids=1;', `ids=${','.repeat(5000)}`].map(
    (query): Row => ({ name: query.slice(0, 20), get: `/locations?${query}`, status: 400, fields: ['ids'] }),
  ),
])

describe('the language of reviews (R-36)', () => {
  test.each([
    ['en', [8, 2, 1]],
    ['en-US', [2]],
    ['en-GB', [8, 2, 1]],
    ['en_gb', [8, 2, 1]],
    ['en-GB-oxendict', [8, 2, 1]],
    ['en-x-a', [8, 2, 1]],
    ['de-AT', [3]],
    ['de-CH', [4, 3]],
    ['zh-CN', [6, 5]],
    ['zh-Hant', [5]],
    ['zh-Hant-HK', [5]],
    ['fr-CA', []],
    ['enm-GB', []],
  ])('%s', async (language, expected) => {
    const reply = await world.get(`/locations/1/reviews?language=${language}`)
    expect([reply.status, idsOf(reply)]).toEqual([200, expected])
    expect(reply.json()).toMatchObject({ pagination: { total_elements: expected.length } })
  })

  test('neither filters nor pages change the language', async () => {
    const get = async (query: string) => {
      const reply = await world.get(`/locations/1/reviews?language=en-GB&${query}`)
      const { pagination } = reply.json() as { pagination: { total_elements: number } }
      return [idsOf(reply), pagination.total_elements]
    }
    expect(await get('size=2')).toEqual([[8, 2], 3])
    expect(await get('size=2&page=2')).toEqual([[1], 3])
    expect(await get('size=2&page=9')).toEqual([[], 3])
    expect(await get('sort_by=HIGHEST_RATED&size=1&page=3')).toEqual([[1], 3])
    expect(await get('rating_min=4')).toEqual([[8], 1])
    expect(await get('rating_min=5')).toEqual([[], 0])
    expect(await get('published_after_review_id=1')).toEqual([[8, 2], 2])
    expect(await get('published_after_review_id=7')).toEqual([[8], 1])
  })

  test('a first review in the region ends the fallback', async () => {
    const row = { id: 9, location_id: 1, rating: 5, text: 'Text 9', lang: 'en-GB', publish_ts: '2026-01-09' }
    await importRows(world.config, 'review', [row])
    await expect.poll(async () => idsOf(await world.get('/locations/1/reviews?language=en-GB'))).toEqual([9])
    expect(idsOf(await world.get('/locations/1/reviews?language=en-NZ'))).toEqual([9, 8, 2, 1])
  })

  scenarios('locales that are too long', () => world, [
    {
      name: 'reviews',
      get: `/locations/1/reviews?language=en-x-${'a-'.repeat(3000)}a`,
      status: 400,
      fields: ['language'],
    },
    { name: 'names', get: `/locations?ids=1,2,3&locale=en-x-${'a-'.repeat(3000)}a`, status: 400, fields: ['locale'] },
  ])
})

describe('parameters that an operation does not have (R-31)', () => {
  const ignored = (value: string | null) => ({ has: { 'ignored-parameters': value } })
  scenarios('are listed in Ignored-Parameters', () => world, [
    { name: 'none', get: nearby(`${madrid}&version=1&api-version=1&strict=false`), status: 200, ...ignored(null) },
    { name: 'a typing error', get: nearby('lat=1&lon=1&raduis=2'), status: 200, ...ignored('raduis (radius?)') },
    { name: 'case', get: '/locations/1?Locale=en', status: 200, ...ignored('Locale (locale?)') },
    { name: 'several', get: '/locations/1?utm_source=x&id=1', status: 200, ...ignored('utm_source, id') },
    { name: 'of another operation', get: '/locations/1?radius=5', status: 200, ...ignored('radius') },
    { name: 'multi-GET', get: '/locations?ids=1&idz=2', status: 200, ...ignored('idz (ids?)') },
    { name: 'reviews', get: '/locations/1/reviews?pages=2', status: 200, ...ignored('pages (page?)') },
    { name: 'search', get: '/locations/search?query=a&lattitude=1', status: 200, ...ignored('lattitude (latitude?)') },
    { name: 'catalog', get: '/catalog/locations/1?locales=en', status: 200, ...ignored('locales (locale?)') },
    {
      name: 'catalog search',
      get: '/catalog/locations/search?q=a&limits=1',
      status: 200,
      ...ignored('limits (limit?)'),
    },
    { name: 'catalog nearby', get: `/catalog/locations/nearby?${madrid}&x=1`, status: 200, ...ignored('x') },
    {
      name: 'recommendations',
      get: '/recommendations/search?query=dinner%20in%20Madrid&tripType=SOLO',
      status: 200,
      ...ignored('tripType (trip_type?)'),
    },
    { name: 'feeds', get: '/feeds?kind=full', status: 200, ...ignored('kind') },
    { name: 'snapshots', get: '/feeds/geos/snapshots?afer=1', status: 200, ...ignored('afer') },
    { name: 'deltas', get: '/feeds/geos/deltas?after=0&afer=1', status: 200, ...ignored('afer (after?)') },
    { name: 'latest', get: '/feeds/geos/latest?kinds=full', status: 404, ...ignored('kinds (kind?)') },
    { name: 'a manifest', get: '/feeds/geos/snapshots/x/manifest.json?a=1', status: 404, ...ignored('a') },
    { name: 'a file', get: '/feeds/geos/snapshots/x/files/y?a=1', status: 404, ...ignored('a') },
    { name: 'version 2', get: '/locations/1?version=2&foo=1', status: 200, ...ignored('foo') },
    { name: 'HEAD', method: 'HEAD', get: '/locations/1?foo=1', status: 200, ...ignored('foo') },
    { name: '304', get: '/locations/1?foo=1', headers: { 'If-None-Match': '*' }, status: 304, ...ignored('foo') },
    { name: '400', get: '/locations/1?locale=!&foo=1', status: 400, ...ignored('foo') },
    { name: '404', get: '/locations/999?foo=1', status: 404, ...ignored('foo') },
    { name: '401', get: '/locations/1?foo=1', key: null, status: 401, ...ignored(null) },
    {
      name: 'line ends',
      get: '/locations/1?a%0d%0aX-Evil:%201=1',
      status: 200,
      has: { 'x-evil': null, 'ignored-parameters': 'a%0D%0AX-Evil%3A%201' },
    },
    { name: 'undecodable', get: '/locations/1?%zz=1&%E0%A4=2', status: 200, ...ignored('%25zz, %25E0%25A4') },
    {
      name: 'a pollution attempt',
      get: '/locations/1?__proto__=1&constructor=2',
      status: 200,
      ...ignored('__proto__, constructor'),
    },
    { name: 'a name alone', get: '/locations/1?foo&bar=', status: 200, ...ignored('foo, bar') },
    { name: 'no name', get: '/locations/1?=1&&', status: 200, ...ignored(null) },
    {
      name: 'thousands',
      get: `/locations/1?${Array.from({ length: 1400 }, (_, i) => `p${i}`).join('&')}`,
      status: 200,
      ...ignored('p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, ...'),
    },
  ])

  scenarios('are 400 with strict=true', () => world, [
    {
      name: 'a typing error',
      get: nearby('lat=1&lon=1&raduis=2&strict=true'),
      status: 400,
      fields: ['raduis'],
      text: 'Did you mean radius?',
      ...ignored(null),
    },
    {
      name: 'with other errors',
      get: nearby('lat=91&lon=1&foo=2&strict=TRUE&bar'),
      status: 400,
      fields: ['lat', 'foo', 'bar'],
    },
    ...[
      '/locations/1',
      '/locations?ids=1',
      '/locations/1/reviews',
      '/locations/search?query=a',
      '/catalog/locations/1',
      '/catalog/locations/search?query=a',
      `/catalog/locations/nearby?${madrid}`,
      '/recommendations/search?query=a',
      '/feeds',
      '/feeds/geos/latest',
      '/feeds/geos/snapshots',
      '/feeds/geos/deltas?after=0',
      '/feeds/geos/snapshots/x/manifest.json',
      '/feeds/geos/snapshots/x/files/y',
    ].map((path): Row => {
      const get = `${path}${path.includes('?') ? '&' : '?'}nonsense=1&strict=true`
      return { name: path, get, status: 400, fields: ['nonsense'] }
    }),
    { name: 'only known ones', get: nearby(`${madrid}&lng=-3.7038&version=1&strict=true`), status: 200 },
    { name: 'an invalid value', get: '/locations/1?strict=1', status: 400, fields: ['strict'] },
    { name: 'an empty value', get: '/locations/1?strict=', status: 400, fields: ['strict'] },
    { name: 'two values', get: '/locations/1?strict=true&strict=false', status: 400, fields: ['strict'] },
    { name: 'no key', get: '/locations/1?strict=true&foo=1', key: null, status: 401 },
  ])

  test('a key in the query is named where it is ignored, and its value never appears', async () => {
    for (const name of ['key', 'api_key']) {
      const ignoring = await world.get(`/locations/1?${name}=${world.key}`)
      expect(ignoring).toMatchObject({ status: 200, headers: { 'ignored-parameters': name } })
      const strict = await world.get(`/locations/1?${name}=${world.key}&${world.key}=1&strict=true`)
      expect(strict.json()).toMatchObject({ status: 400, field_errors: [{ field: name }, { field: 'peri_live_***' }] })
      for (const { text, headers } of [ignoring, strict])
        expect(text + JSON.stringify(headers)).not.toContain(world.key.slice(12, 30))
      const accepted = await open.get(`/locations/1?${name}=${open.key}&strict=true`, { key: null })
      expect([accepted.status, accepted.headers['ignored-parameters']]).toEqual([200, undefined])
      // The header has precedence, but the name is one that the service takes.
      expect((await open.get(`/locations/1?${name}=x&strict=true`)).status).toBe(200)
    }
  })

  test.each(['language=KEY', 'version=KEY', 'version=1&version=KEY', 'page=1&page=KEY'])(
    'a key in the wrong place is masked in the problem: %s',
    async query => {
      const { status, text } = await world.get(`/locations/1/reviews?${query.replace('KEY', world.key)}&rating_min=x`)
      expect([status, text]).toEqual([400, expect.not.stringContaining(world.key.slice(10, 18))])
    },
  )

  test('browsers may read the header', async () => {
    const { headers } = await open.get('/locations/1?foo=1', { headers: { Origin: 'https://a.example' } })
    expect(headers['access-control-expose-headers']).toContain('Ignored-Parameters')
    expect(headers['ignored-parameters']).toBe('foo')
  })
})

describe('a version in the request header (R-15)', () => {
  const named = (version: string | string[]) => ({ headers: { 'API-Version': version } })
  scenarios('selects like the query', () => world, [
    ...['1', 'v1', ' V1 '].map(
      (value): Row => ({
        name: value,
        get: '/locations/1',
        ...named(value),
        status: 200,
        has: { 'api-version': '1', vary: 'Accept-Encoding, X-API-Key, Authorization, API-Version' },
      }),
    ),
    { name: '2', get: '/locations/1', ...named('2'), status: 200, has: { 'api-version': '2' } },
    { name: 'beta', get: '/locations/1', ...named('beta'), status: 200, has: { 'api-version': 'beta' } },
    { name: 'with the query', get: '/locations/1?version=2', ...named('v2'), status: 200, has: { 'api-version': '2' } },
    { name: 'twice', get: '/locations/1', ...named(['2', 'v2']), status: 200, has: { 'api-version': '2' } },
    ...['0', 'v0'].map(
      (value): Row => ({
        name: value,
        get: '/locations/1',
        ...named(value),
        key: null,
        status: 410,
        has: { sunset: 'Thu, 06 Nov 2025 00:00:00 GMT', 'api-version': null },
        text: 'version=1',
      }),
    ),
    { name: '0 for a feed', get: '/feeds', ...named('0'), status: 410 },
    { name: '0 with the query', get: '/locations/1?api-version=0', ...named('0'), status: 410 },
    ...['9', '', 'latest', '1.0', '1;2', ',', '1,', '__proto__', 'x'.repeat(5000)].map(
      (value): Row => ({
        name: `header ${value.slice(0, 10)}`,
        get: '/locations/1',
        ...named(value),
        status: 400,
        fields: ['version'],
        has: { 'api-version': null },
      }),
    ),
  ])
  scenarios('that contradicts the query', () => world, [
    {
      name: 'version',
      get: '/locations/1?version=1',
      ...named('2'),
      status: 400,
      fields: ['version'],
      text: 'version=1 and API-Version: 2',
    },
    {
      name: 'api-version',
      get: '/locations/1?api-version=beta',
      ...named('1'),
      status: 400,
      text: 'api-version=beta and API-Version: 1',
    },
    {
      name: 'version 0',
      get: '/locations/1?version=1',
      ...named('0'),
      status: 400,
      text: 'version=1 and API-Version: 0',
    },
    {
      name: 'two headers',
      get: '/locations/1',
      ...named(['1', '2']),
      status: 400,
      text: 'API-Version: 1 and API-Version: 2',
    },
  ])

  test('caches keep the responses apart: the version is part of Vary, and a validator belongs to one version', async () => {
    const first = await world.get('/locations/1', named('1'))
    const headers = { 'If-None-Match': first.headers.etag! }
    expect((await world.get('/locations/1', { headers })).status).toBe(304)
    const other = await world.get('/locations/1', { headers: { ...headers, ...named('2').headers } })
    expect([other.status, other.headers['api-version']]).toEqual([200, '2'])
  })

  test('a preflight allows the header', async () => {
    const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' }
    const reply = await open.get('/locations/1', { method: 'OPTIONS', key: null, headers })
    expect(reply.headers['access-control-allow-headers']).toContain('API-Version')
  })
})

scenarios('two versions in the query: the error names both (R-40)', () => world, [
  { name: 'version twice', get: '/locations/1?version=1&version=2', status: 400, text: 'version=1 and version=2' },
  {
    name: 'both names',
    get: '/locations/1?version=v1&api-version=2',
    status: 400,
    text: 'version=v1 and api-version=2',
  },
  { name: 'an unknown one', get: '/locations/1?version=1&version=x', status: 400, text: 'version=1 and version=x' },
  { name: 'an empty one', get: '/locations/1?version=1&version=', status: 400, text: 'version=1 and version=.' },
  {
    name: 'a long one',
    get: `/locations/1?version=1&version=${'9'.repeat(5000)}`,
    status: 400,
    fields: ['version'],
    text: `version=1 and version=${'9'.repeat(20)}….`,
  },
  { name: 'the same twice', get: '/locations/1?version=1&version=v1', status: 200 },
])

describe('403 names the permission and who has it (SPEC §5.3)', () => {
  const ask = (name: string, terms: Parameters<typeof makeKey>[1], path: string, detail: string) => ({
    name,
    terms,
    path,
    detail,
  })
  const recommendations = '/recommendations/search?query=a'
  test.each([
    ask(
      'an add-on',
      {},
      recommendations,
      'This endpoint requires the permission recommendations. The package discover does not have it. Ask the operator for the add-on recommendations or the package innovate or transform.',
    ),
    ask(
      'feeds',
      { packageName: 'growth' },
      '/feeds',
      'This endpoint requires the permission feeds. The package growth does not have it. Ask the operator for the add-on feeds or the package innovate or transform.',
    ),
    ask(
      'feeds of a test key',
      { packageName: 'innovate', test: true },
      '/feeds',
      'This endpoint requires the permission feeds. Test keys have no feeds; use a live key.',
    ),
    ask(
      'feeds of a restricted key',
      { packageName: 'innovate', scope: { countries: ['ES'] } },
      '/feeds',
      'This endpoint requires the permission feeds. A feed contains the complete data set, and this key has a restricted scope.',
    ),
  ])('$name', async ({ terms, path, detail }) => {
    const { secret } = await makeKey(world.config, terms)
    const reply = await world.get(path, { key: secret })
    expect(reply.status).toBe(403)
    expect(reply.json()).toMatchObject({ message: 'API Key does not have access to endpoint', detail })
  })

  test('with packages of the operator', async () => {
    const changed = await startWorld(
      {
        'packages.discover.permissions': ['locations'],
        'packages.scale.permissions': ['locations', 'reviews', 'recommendations'],
        'packages.innovate.permissions': ['locations', 'reviews'],
        'packages.transform.permissions': ['locations'],
        'packages.growth.permissions': ['locations'],
      },
      'empty',
    )
    const { secret } = await makeKey(changed.config)
    const detailOf = async (path: string) =>
      ((await changed.get(path, { key: secret })).json() as { detail: string }).detail
    expect(await detailOf('/locations/1/reviews')).toBe(
      'This endpoint requires the permission reviews. The package discover does not have it. Ask the operator for the package scale or innovate.',
    )
    expect(await detailOf(recommendations)).toMatch(/add-on recommendations or the package scale\.$/)
    expect(await detailOf('/feeds')).toMatch(/Ask the operator for the add-on feeds\.$/)
    await changed.close()
  })
})
