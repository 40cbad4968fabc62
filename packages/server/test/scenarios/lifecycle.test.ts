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

const at = (ms: number, path: string, key?: null): Promise<Reply> => {
  clock.ms = ms
  return world.get(path, key === null ? { key } : {})
}
const told = ({ status, headers }: Reply) => [status, headers.deprecation, headers.sunset]
const nothing = (status: number) => [status, undefined, undefined]

describe('version 0, built in (SPEC §9.1, R-16, R-18)', () => {
  const ended = Date.UTC(2025, 10, 6)
  const signals = ['@1730851200', 'Thu, 06 Nov 2025 00:00:00 GMT']

  test('no signal before its deprecation', async () => {
    expect(told(await at(Date.UTC(2024, 10, 6) - 1, '/locations/1?version=0'))).toEqual(nothing(200))
  })
  test('Deprecation and Sunset from that second on, on errors, too', async () => {
    expect(told(await at(Date.UTC(2024, 10, 6), '/locations/1?version=0'))).toEqual([200, ...signals])
    expect(told(await at(ended - 1, '/locations/1?version=v0'))).toEqual([200, ...signals])
    expect(told(await at(ended - 1, '/locations/99?version=0'))).toEqual([404, ...signals])
    expect(told(await at(ended - 1, '/locations/1?version=0', null))).toEqual([401, ...signals])
    expect(told(await at(ended - 1, '/locations/1?version=1'))).toEqual(nothing(200))
  })
  test('410 from the sunset on, with Sunset and Link', async () => {
    const reply = await at(ended, '/locations/1?version=0')
    expect(told(reply)).toEqual([410, ...signals])
    expect(reply.headers.link).toBe(
      '<https://places.example/api/docs/versions#0>; rel="deprecation"; type="text/html", ' +
        '<https://places.example/api/docs/versions#0>; rel="sunset"; type="text/html", ' +
        '<https://places.example/api/locations/1?version=2>; rel="successor-version"',
    )
  })
})

describe('what the operator deprecates (R-18)', () => {
  const signals = ['@1798761600', 'Sat, 01 Jan 2028 00:00:00 GMT']

  test('version 1: exactly from the second on', async () => {
    expect(told(await at(deprecated - 1, '/locations/1?version=1'))).toEqual(nothing(200))
    expect(told(await at(deprecated, '/locations/1?version=1'))).toEqual([200, ...signals])
    expect(told(await at(sunset - second, '/locations/1?version=1'))).toEqual([200, ...signals])
    expect(told(await at(sunset, '/locations/1?version=1'))).toEqual([410, ...signals])
  })
  test('304 and HEAD carry the signals, too', async () => {
    const { headers } = await at(deprecated, '/locations/1?version=1')
    const reply = await world.get('/locations/1?version=1', { headers: { 'If-None-Match': headers.etag! } })
    expect(told(reply)).toEqual([304, ...signals])
    expect(told(await world.get('/locations/1?version=1', { method: 'HEAD' }))).toEqual([200, ...signals])
  })
  test('what was promoted is the default, and beta follows it (R-16, SPEC §9.3)', async () => {
    const reply = await at(deprecated, '/locations/1')
    expect(reply.headers['api-version']).toBe('2')
    expect(told(reply)).toEqual(nothing(200))
    const beta = (await at(deprecated, '/locations/1?version=beta')).json() as { data: object }
    const { data } = reply.json() as { data: object }
    expect(beta.data).toEqual({ ...data, last_updated_ts: expect.any(String) })
  })
  test('an endpoint: in every version, with what comes after it', async () => {
    const path = '/locations/2/reviews'
    expect(told(await at(endpointDeprecated - 1, path))).toEqual(nothing(200))
    for (const query of ['', '?version=1', '?version=beta', '?version=9']) {
      const reply = await at(endpointDeprecated, path + query)
      expect(told(reply).slice(1)).toEqual(['@1780272000', 'Tue, 01 Jun 2027 12:00:00 GMT'])
      expect(reply.headers.link).toContain('<https://places.example/api/locations/search>; rel="successor-version"')
    }
    expect(told(await at(endpointDeprecated, '/locations/2'))).toEqual(nothing(200))
  })
  test('where version and endpoint end, the earlier dates count', async () => {
    expect(told(await at(deprecated, '/locations/2/reviews?version=1'))).toEqual([
      200,
      '@1780272000',
      'Tue, 01 Jun 2027 12:00:00 GMT',
    ])
  })
  test('the endpoint answers 410 from its sunset on, before the key is looked at (R-14, R-30)', async () => {
    expect((await at(endpointSunset - 1, '/locations/2/reviews')).status).toBe(200)
    const reply = await at(endpointSunset, '/locations/2/reviews', null)
    expect(told(reply)).toEqual([410, '@1780272000', 'Tue, 01 Jun 2027 12:00:00 GMT'])
    expect(reply.json()).toMatchObject({ message: 'This endpoint has been retired.' })
    expect((await at(endpointSunset, '/locations/2')).status).toBe(200)
  })
  test('what a client puts into its path cannot break out of Link', async () => {
    const reply = await at(deprecated, '/locations/%3E%22%0D%0Ax>;rel="evil"?version=1')
    expect(reply.status).toBe(400)
    expect(reply.headers.link).toMatch(/^(<[^<>"\s]*>; rel="[a-z-]+"(; type="text\/html")?(, |$))+$/)
  })
})
