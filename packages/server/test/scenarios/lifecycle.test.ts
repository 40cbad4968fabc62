import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settableClock } from '../clock.ts'
import type { Reply } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'

const second = 1000
const deprecated = Date.UTC(2027, 0, 1)
const sunset = Date.UTC(2028, 0, 1)
const endpointDeprecated = Date.UTC(2026, 5, 1)
const endpointSunset = Date.UTC(2027, 5, 1, 12)

const clock = settableClock(0)
let world: World
beforeAll(async () => {
  world = await startWorld(
    {
      'server.publicUrl': 'https://places.example/api',
      versions: { 1: { deprecated: '2027-01-01', sunset: '2028-01-01T00:00:00Z' }, 2: { status: 'stable' } },
      'endpoints.listReviews': {
        deprecated: '2026-06-01',
        sunset: '2027-06-01T12:00:00Z',
        successor: '/locations/search',
      },
    },
    'world',
    clock,
  )
})
afterAll(() => world.close())

const getAt = (ms: number, path: string, key?: null): Promise<Reply> => {
  clock.ms = ms
  return world.get(path, key === null ? { key } : {})
}
const lifecycleHeaders = ({ status, headers }: Reply) => [status, headers.deprecation, headers.sunset]
const withoutSignals = (status: number) => [status, undefined, undefined]

describe('version 0, built in (SPEC §9.1, R-16, R-18)', () => {
  const ended = Date.UTC(2025, 10, 6)
  const signals = ['@1730851200', 'Thu, 06 Nov 2025 00:00:00 GMT']

  test('has no deprecation headers before its deprecation', async () => {
    expect(lifecycleHeaders(await getAt(Date.UTC(2024, 10, 6) - 1, '/locations/1?version=0'))).toEqual(
      withoutSignals(200),
    )
  })
  test('has Deprecation and Sunset from that second on, including on errors', async () => {
    expect(lifecycleHeaders(await getAt(Date.UTC(2024, 10, 6), '/locations/1?version=0'))).toEqual([200, ...signals])
    expect(lifecycleHeaders(await getAt(ended - 1, '/locations/1?version=v0'))).toEqual([200, ...signals])
    expect(lifecycleHeaders(await getAt(ended - 1, '/locations/99?version=0'))).toEqual([404, ...signals])
    expect(lifecycleHeaders(await getAt(ended - 1, '/locations/1?version=0', null))).toEqual([401, ...signals])
    expect(lifecycleHeaders(await getAt(ended - 1, '/locations/1?version=1'))).toEqual(withoutSignals(200))
  })
  test('answers 410 with Sunset and Link from its sunset on', async () => {
    const reply = await getAt(ended, '/locations/1?version=0')
    expect(lifecycleHeaders(reply)).toEqual([410, ...signals])
    expect(reply.headers.link).toBe(
      '<https://places.example/api/docs/versions#0>; rel="deprecation"; type="text/html", ' +
        '<https://places.example/api/docs/versions#0>; rel="sunset"; type="text/html", ' +
        '<https://places.example/api/locations/1?version=2>; rel="successor-version"',
    )
  })
})

describe('deprecations by the operator (R-18)', () => {
  const signals = ['@1798761600', 'Sat, 01 Jan 2028 00:00:00 GMT']

  test('version 1 is deprecated and retired exactly on time', async () => {
    expect(lifecycleHeaders(await getAt(deprecated - 1, '/locations/1?version=1'))).toEqual(withoutSignals(200))
    expect(lifecycleHeaders(await getAt(deprecated, '/locations/1?version=1'))).toEqual([200, ...signals])
    expect(lifecycleHeaders(await getAt(sunset - second, '/locations/1?version=1'))).toEqual([200, ...signals])
    expect(lifecycleHeaders(await getAt(sunset, '/locations/1?version=1'))).toEqual([410, ...signals])
  })
  test('304 and HEAD responses have the headers, too', async () => {
    const { headers } = await getAt(deprecated, '/locations/1?version=1')
    const reply = await world.get('/locations/1?version=1', { headers: { 'If-None-Match': headers.etag! } })
    expect(lifecycleHeaders(reply)).toEqual([304, ...signals])
    expect(lifecycleHeaders(await world.get('/locations/1?version=1', { method: 'HEAD' }))).toEqual([200, ...signals])
  })
  test('the promoted version is the default, and beta is based on it (R-16, SPEC §9.3)', async () => {
    const reply = await getAt(deprecated, '/locations/1')
    expect(reply.headers['api-version']).toBe('2')
    expect(lifecycleHeaders(reply)).toEqual(withoutSignals(200))
    const beta = (await getAt(deprecated, '/locations/1?version=beta')).json() as { data: object }
    const { data } = reply.json() as { data: object }
    expect(beta.data).toMatchObject({ ...data, last_updated_ts: expect.any(String), open_now: expect.any(Boolean) })
  })
  test('an endpoint is deprecated in every version, with its successor', async () => {
    const path = '/locations/2/reviews'
    expect(lifecycleHeaders(await getAt(endpointDeprecated - 1, path))).toEqual(withoutSignals(200))
    for (const query of ['', '?version=1', '?version=beta', '?version=9']) {
      const reply = await getAt(endpointDeprecated, path + query)
      expect(lifecycleHeaders(reply).slice(1)).toEqual(['@1780272000', 'Tue, 01 Jun 2027 12:00:00 GMT'])
      expect(reply.headers.link).toContain('<https://places.example/api/locations/search>; rel="successor-version"')
    }
    expect(lifecycleHeaders(await getAt(endpointDeprecated, '/locations/2'))).toEqual(withoutSignals(200))
  })
  test('the earlier dates apply when both version and endpoint are deprecated', async () => {
    expect(lifecycleHeaders(await getAt(deprecated, '/locations/2/reviews?version=1'))).toEqual([
      200,
      '@1780272000',
      'Tue, 01 Jun 2027 12:00:00 GMT',
    ])
  })
  test('the endpoint answers 410 from its sunset on, before the key is checked (R-14, R-30)', async () => {
    expect((await getAt(endpointSunset - 1, '/locations/2/reviews')).status).toBe(200)
    const reply = await getAt(endpointSunset, '/locations/2/reviews', null)
    expect(lifecycleHeaders(reply)).toEqual([410, '@1780272000', 'Tue, 01 Jun 2027 12:00:00 GMT'])
    expect(reply.json()).toMatchObject({ message: 'This endpoint has been retired.' })
    expect((await getAt(endpointSunset, '/locations/2')).status).toBe(200)
  })
  test('a request path cannot inject into the Link header', async () => {
    const reply = await getAt(deprecated, '/locations/%3E%22%0D%0Ax>;rel="evil"?version=1')
    expect(reply.status).toBe(400)
    expect(reply.headers.link).toMatch(/^(<[^<>"\s]*>; rel="[a-z-]+"(; type="text\/html")?(, |$))+$/)
  })
})

describe('a successor always answers (R-18)', () => {
  const past = { deprecated: '2024-01-01', sunset: '2025-01-01' }
  const now = Date.UTC(2027, 0, 1)
  /** Returns the successors in the Link header of a response, without the address of the service. */
  const successorsOf = ({ headers }: Reply) =>
    [...String(headers.link).matchAll(/<([^>]*)>; rel="successor-version"/g)].map(([, url]) =>
      url!.replace('https://places.example/api', ''),
    )
  const startAt = (flags: Parameters<typeof startWorld>[0]) =>
    startWorld({ 'server.publicUrl': 'https://places.example/api', ...flags }, 'empty', settableClock(now))

  test('versions: two retired versions lead to the one that is served', async () => {
    const several = await startAt({ versions: { 1: past, 2: { status: 'stable' } } })
    for (const version of [0, 1]) {
      const reply = await several.get(`/locations/1?version=${version}`)
      expect([reply.status, successorsOf(reply)]).toEqual([410, ['/locations/1?version=2']])
    }
    await several.close()
  })

  test('versions: without a version that is served, Link names no successor, and the detail neither', async () => {
    const ended = await startAt({ versions: { 1: { deprecated: '2024-01-01', sunset: '2026-12-31' } } })
    for (const query of ['version=0', 'version=1', '']) {
      const reply = await ended.get(`/locations/1?${query}`)
      expect([reply.status, successorsOf(reply)]).toEqual([410, []])
      expect(reply.headers.link).toContain('rel="sunset"')
      expect((reply.json() as { detail: string }).detail).toMatch(/^Version [01] was retired on [^.]+\.$/)
    }
    await ended.close()
  })

  test('endpoints: a chain leads to the first that is served, or to no address', async () => {
    const chained = await startAt({
      versions: { 1: { deprecated: '2026-12-01', sunset: '2028-12-01' }, 2: { status: 'stable' } },
      'feeds.endedVersions': ['2'],
      'endpoints.listReviews': { ...past, successor: '/catalog/locations/search' },
      'endpoints.searchCatalog': { ...past, successor: 'https://places.example/api/locations/search?x=1' },
      'endpoints.getLocations': { ...past, successor: '/recommendations/search?version=0' },
      'endpoints.getLocation': { ...past, successor: '/catalog/locations/{id}' },
      'endpoints.getCatalogLocation': { ...past, successor: '/locations/{id}' },
      'endpoints.nearbyLocations': { ...past, successor: '/locations/nearby' },
      'endpoints.nearbyCatalog': { ...past, successor: '/docs/versions?version=0' },
      'endpoints.listFeeds': { ...past, successor: 'https://other.example/locations/nearby' },
      'endpoints.searchRecommendations': {
        deprecated: '2026-01-01',
        sunset: '2028-01-01',
        successor: '/locations?ids=1',
      },
    })
    const expected: [path: string, ...successors: string[]][] = [
      ['/locations/1/reviews', '/locations/search?x=1'],
      ['/locations/1/reviews?version=0', '/locations/search?x=1'],
      ['/locations/1/reviews?version=1', '/locations/search?x=1'],
      ['/catalog/locations/search', '/locations/search?x=1'],
      ['/locations'],
      ['/locations/1'],
      ['/catalog/locations/1'],
      ['/locations/nearby'],
      ['/catalog/locations/nearby', '/docs/versions?version=0'],
      ['/feeds', 'https://other.example/locations/nearby'],
      ['/locations/search?version=0', '/locations/search?version=2'],
      // The version is deprecated, and the feed has ended in every version.
      ['/feeds/locations/latest?version=1'],
      ['/feeds/locations/latest?version=0', '/docs/versions#2'],
    ]
    for (const [path, ...successors] of expected) {
      const reply = await chained.get(path)
      expect([path, reply.status, ...successorsOf(reply)]).toEqual([path, 410, ...successors])
      for (const successor of successors.filter(url => url.startsWith('/')))
        expect((await chained.get(successor)).status).not.toBe(410)
    }
    // Not 410 itself, but its successor is.
    const reply = await chained.get('/recommendations/search?query=a')
    expect([reply.status === 410, reply.headers.deprecation, ...successorsOf(reply)]).toEqual([false, '@1767225600'])
    expect(successorsOf(await chained.get('/feeds/hotels/latest?version=1'))).toEqual(['/docs/versions#2'])
    await chained.close()
  })
})
