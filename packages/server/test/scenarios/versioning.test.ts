import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Row, scenarios } from '../scenario.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const served = [
  '',
  'version=1',
  'version=v1',
  'version=V1',
  'version=%201',
  'api-version=1',
  'api-version=v1',
  'version=1&api-version=v1',
  'version=1&version=1',
]
const retired = ['version=0', 'version=v0', 'version=V0', 'api-version=0', 'version=0&api-version=v0']
const unknown = [
  'version=3',
  'version=',
  'version=1.0',
  'version=01',
  'version=latest',
  'version=1&version=0',
  'version=1&api-version=0',
  'api-version=x',
  'version=__proto__',
  'version=constructor',
]

const everywhere = ['/locations/1', '/locations?ids=1', '/locations/1/reviews', '/catalog/locations/1']

scenarios('values of version (SPEC §9.1, R-15, R-16)', () => world, [
  ...served.flatMap(query =>
    everywhere.map((path): Row => {
      const get = path + (path.includes('?') ? '&' : '?') + query
      return { name: get, get, status: 200, has: { 'api-version': '1' } }
    }),
  ),
  ...unknown.map(
    (query): Row => ({
      name: query,
      get: `/locations/1?${query}`,
      status: 400,
      fields: ['version'],
      has: { 'api-version': null },
    }),
  ),
  {
    name: 'the error lists the accepted values',
    get: '/locations/1?version=9',
    status: 400,
    text: /must be one of 1, v1/,
  },
])

describe('version 0 is gone (SPEC §7, §9.1, R-14, R-18)', () => {
  const paths = [
    ...everywhere,
    '/locations/abc',
    '/locations/99',
    '/locations/search',
    '/feeds',
    '/recommendations/search',
  ]
  scenarios('with and without a key', () => world, [
    ...retired.flatMap(query =>
      paths.flatMap(path =>
        [undefined, null, 'nonsense'].map((key): Row => {
          const get = path + (path.includes('?') ? '&' : '?') + query
          return {
            name: `${get}, key ${key === undefined ? 'good' : key}`,
            get,
            ...(key !== undefined && { key }),
            status: 410,
            has: { sunset: 'Thu, 06 Nov 2025 00:00:00 GMT', 'api-version': null },
            text: 'version=1',
          }
        }),
      ),
    ),
    { name: 'HEAD', method: 'HEAD', get: '/locations/1?version=0', key: null, status: 410 },
    { name: 'an unknown path stays 404', get: '/nowhere?version=0', key: null, status: 404 },
    { name: 'another method stays 405', method: 'POST', get: '/locations/1?version=0', key: null, status: 405 },
  ])
})

test('errors include API-Version, too, once the version is selected (R-15)', async () => {
  for (const [target, key] of [
    ['/locations/99', undefined],
    ['/locations/abc', undefined],
    ['/locations/1', null],
  ] as const) {
    const reply = await world.get(target, key === null ? { key } : {})
    expect([reply.status >= 400, reply.headers['api-version']]).toEqual([true, '1'])
  }
})

test('requests for version 1 and without a version return the same response (SPEC §9.1)', async () => {
  for (const path of everywhere) {
    const explicit = await world.get(`${path}${path.includes('?') ? '&' : '?'}version=1`)
    const byDefault = await world.get(path)
    expect([explicit.text, explicit.headers.etag]).toEqual([byDefault.text, byDefault.headers.etag])
  }
})
