/** Requests of browsers and crawlers without a key: pages, files at fixed paths, preflights. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeSite } from '../../src/compose/site.ts'
import { configFor, startWorld, type World } from '../world.ts'

const origin = 'https://app.example'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

let world: World
beforeAll(async () => {
  const flags = {
    'server.basePath': '/places',
    'management.enabled': false,
    'cors.origins': [origin],
    versions: { 2: { status: 'stable' } },
  }
  world = await startWorld(flags, 'empty')
})
afterAll(() => world.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  world.get(`/places${path}`, { key: null, headers, method })

describe('files at fixed paths', () => {
  test('/favicon.ico is an icon with two sizes', async () => {
    const { status, headers, bytes } = await get('/favicon.ico')
    expect([status, headers['content-type']]).toEqual([200, 'image/vnd.microsoft.icon'])
    expect([...bytes.subarray(0, 6)]).toEqual([0, 0, 1, 0, 2, 0])
  })

  test('/robots.txt keeps crawlers away from the API, and from the pages unless the operator allows it', async () => {
    const { status, headers, text } = await get('/robots.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text.split('\n')).toEqual([
      'User-agent: *',
      ...['locations', 'catalog', 'categories', 'geos', 'changes', 'recommendations', 'feeds', ''].map(
        folder => `Disallow: /places/${folder}`,
      ),
      '',
    ])
  })

  test('/openapi.json is the document of the latest stable version (R-16)', async () => {
    const [latest, second] = [await get('/openapi.json'), await get('/openapi/v2.json')]
    expect([latest.status, latest.headers['content-type']]).toEqual([200, 'application/json'])
    expect(latest.json()).toEqual(second.json())
    expect((await get('/openapi.json', { 'If-None-Match': latest.headers.etag! })).status).toBe(304)
  })
})

describe('an unknown path', () => {
  test.each(['/nowhere', '/docs/nothing', '/locationsx', '/icons/nothing.svg', ''])(
    'is a page for a browser: %s',
    async path => {
      const target = path === '' ? '/elsewhere' : `/places${path}`
      const { status, headers, text } = await world.get(target, { key: null, headers: { Accept: browser } })
      expect([status, headers['content-type'], headers.vary]).toEqual([
        404,
        'text/html; charset=utf-8',
        'Accept, Accept-Encoding, Origin',
      ])
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers['x-request-id']).toBeDefined()
      const links = [...text.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link]) => link!)
      expect(links.length).toBeGreaterThan(4)
      for (const link of links) expect([link, (await world.get(link, { key: null })).status]).toEqual([link, 200])
    },
  )

  test.each([
    ['/nowhere', '*/*'],
    ['/nowhere', 'application/json'],
    ['/nowhere', 'application/json, text/html;q=0.9'],
    ['/nowhere', 'image/avif,image/webp,*/*;q=0.8'],
    ['/nowhere', 'text/html;q=0'],
    ['/nowhere', ',;=/'],
    ['/locations/1/x', browser],
    ['/feeds/locations/x/y', browser],
    ['/feeds/schemas/x', browser],
  ])('is a problem at %s for Accept: %s', async (path, accept) => {
    const reply = await get(path, { Accept: accept })
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'application/problem+json'])
  })

  test('is compressed and has no body for HEAD', async () => {
    const coded = await get('/nowhere', { Accept: browser, 'Accept-Encoding': 'gzip, identity;q=0' })
    expect([coded.status, coded.headers['content-encoding']]).toEqual([404, 'gzip'])
    const head = await get('/nowhere', { Accept: browser }, 'HEAD')
    expect([head.status, head.text, head.headers['content-type']]).toEqual([404, '', 'text/html; charset=utf-8'])
  })
})

describe('preflights (R-27)', () => {
  const preflight = (path: string, from: string) =>
    get(
      path,
      { Origin: from, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
      'OPTIONS',
    )

  test.each(['/locations/1', '/catalog/locations/search', '/feeds', '/openapi.json', '/'])('%s', async path => {
    const { status, headers, text } = await preflight(path, origin)
    expect([status, text]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-max-age': '86400',
      allow: 'GET, HEAD, OPTIONS',
      vary: 'Origin',
    })
    expect(headers['access-control-allow-headers']?.split(', ')).toEqual(
      expect.arrayContaining(['X-API-Key', 'Authorization']),
    )
    const refused = await preflight(path, 'https://other.example')
    expect(refused.status).toBe(405)
    expect(Object.keys(refused.headers).filter(name => name.startsWith('access-control'))).toEqual([])
  })

  test('answers to a listed origin expose the headers of limits, errors included', async () => {
    for (const key of [world.key, null]) {
      const { headers } = await world.get('/places/locations/1', { key, headers: { Origin: origin } })
      const exposed = headers['access-control-expose-headers']?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After', 'Ignored-Parameters']),
      )
    }
  })
})

test('a demo says on its pages that no mail is sent, and where webhooks reach', () => {
  const config = configFor('/tmp/x')
  expect(composeSite(config, true).banner).toContain('No mail is sent, and webhooks reach this machine alone.')
  expect(composeSite(config).banner).toBeUndefined()
})
