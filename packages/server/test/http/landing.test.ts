import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demo, periplus } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { send } from '../http-client.ts'
import { configFor, importRows, makeKey, scratch, startWorld } from '../world.ts'

const places = [
  {
    id: 7,
    source: 'atlas',
    source_id: 'prado',
    name: 'Museo Nacional del Prado',
    names: { es: 'Museo Nacional del Prado', en: 'Prado Museum', ja: 'プラド美術館' },
    category: 'museum',
    lat: 40.41381,
    lon: -3.692524,
    country: 'ES',
    city: 'Madrid',
    address: 'Paseo del Prado, s/n',
    rating: 4.6,
    review_count: 1200,
    status: 'OPEN',
  },
  {
    id: 9007199254740993n,
    source: 'atlas',
    source_id: 'cafe',
    name: 'Café Prado',
    lat: 40.42,
    lon: -3.7,
    status: 'CLOSED',
  },
  { id: 9, source: 'atlas', source_id: 'script', name: 'Prado <b onclick="x()">bold</b>', lat: 41, lon: -3 },
]

const folder = scratch()
const config = configFor(folder.path)
let served: Awaited<ReturnType<typeof demo>>
beforeAll(async () => {
  await importRows(config, 'location', places)
  const { secret } = await makeKey(config, { agreement: {} })
  // A data folder of an earlier release's demo has its keys, but not the landing page's key.
  writeFileSync(join(folder.path, 'demo-keys.json'), JSON.stringify({ discover: secret }))
  served = await demo(folder.path)
  await eventually(async () => expect((await send(served.url, '/readyz')).text).not.toContain('index'))
})
afterAll(async () => {
  await served.stop()
  folder.remove()
})

describe('the demo (rulings: Commands)', () => {
  test('keeps its keys and creates a separate key for the landing page', async () => {
    const file = join(folder.path, 'demo-landing-key.json')
    const { key } = JSON.parse(readFileSync(file, 'utf8')) as { key: string }
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await send(served.url, '/')).text).toContain(key)
    const reply = await send(served.url, '/locations/search?query=prado', { headers: { 'X-API-Key': key } })
    expect(reply.headers).toMatchObject({ 'ratelimit-policy': '"search";q=50;w=1' })
    // A token comes back every 20 ms, so a slow machine reports 50 again.
    expect(reply.headers.ratelimit).toMatch(/^"search";r=(49;t=1|50)$/)
  })

  test('logs requests alone, so that nothing precedes its text on a terminal', () => {
    const lines = served
      .log()
      .split('\n')
      .filter(line => line !== '')
    expect(lines.filter(line => (JSON.parse(line) as { msg: string }).msg !== 'request')).toEqual([])
  })

  test('prints calls of places that exist, and addresses on the host of the links', async () => {
    const text = served.printed()
    expect(text).toContain(`${served.url}/locations/7?version=1`)
    expect(text).toContain(`${served.url}/locations?ids=7,9&version=1`)
    const pages = served.url.replace('127.0.0.1', 'localhost')
    expect(text).toContain(`Search as you type: ${pages}/`)
    const [link] = new RegExp(`${pages}/portal/link/[\\w-]+`).exec(text)!
    // Another demo of the same folder is refused, and leaves the links of this one.
    expect(await periplus(['demo', '--data', folder.path, '--port', '0'])).toMatchObject({ code: 1 })
    expect((await send(served.url, new URL(link).pathname)).status).toBe(200)
  })

  test('/status shows the state of requests and search, the age of the data, and that feeds are missing', async () => {
    const { status, text } = await send(served.url, '/status')
    expect(status).toBe(200)
    for (const part of [
      '<strong>The service works normally.</strong>',
      'Requests by id</p><p class="tile-value">Available',
      'Search</p><p class="tile-value">Available',
      'No feed has been published yet.',
      'No version or endpoint has an announced sunset.',
    ])
      expect(text).toContain(part)
    expect(text).toMatch(
      /Newest change of the data<\/p><p class="tile-value"><time datetime="[^"]+" title="[^"]+" class="distance">/,
    )
  })

  test('shows the search, the places on a map, and a test of a limit', async () => {
    const { text, headers } = await send(served.url, '/')
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(text).toContain('Search 3 places')
    expect(text).toContain('action="/places"')
    expect(text).toContain(
      '&quot;label&quot;:&quot;Museo Nacional del Prado&quot;,&quot;href&quot;:&quot;/places/7&quot;',
    )
    expect(text).toContain('&quot;href&quot;:&quot;/places/9007199254740993&quot;')
    expect(text).toContain('Prado &lt;b onclick=')
    expect(text).not.toContain('<b onclick')
    expect(text).toContain('The 3 best-known places.')
    expect(text).toContain('id="burst-button"')
    expect(text).toContain(`${served.url}/locations/7?version=1`)
  })

  test('the samples of the documentation call places that exist', async () => {
    const known = new Set(places.map(({ id }) => String(id)))
    const called = new Set<string>()
    for (const page of [
      '',
      '/limits',
      '/guide',
      '/getLocation',
      '/getLocations',
      '/listReviews',
      '/getCatalogLocation',
    ]) {
      const { text } = await send(served.url, `/docs${page}`)
      const samples = [...text.matchAll(/&quot;http:[^\s]*?\/locations(?:\/|\?ids=)([\d,]+)/g)]
      expect([page, samples.length > 0]).toEqual([page, true])
      for (const [, ids] of samples) for (const id of ids!.split(',')) called.add(id)
    }
    expect([...called].filter(id => !known.has(id))).toEqual([])
  })

  test('shows its places to visitors without a key', async () => {
    const { status, text } = await send(served.url, '/places?q=museo+prdo')
    expect([status, text.includes('Museo Nacional del Prado')]).toEqual([200, true])
  })

  test('serves only the listed assets', async () => {
    for (const [name, type] of [
      ['landing.js', 'text/javascript; charset=utf-8'],
      ['places.js', 'text/javascript; charset=utf-8'],
      ['leaflet.css', 'text/css; charset=utf-8'],
      ['countries-110m.json', 'application/json'],
      ['periplus.css', 'text/css; charset=utf-8'],
      ['mark.svg', 'image/svg+xml'],
    ])
      expect((await send(served.url, `/assets/${name}`)).headers['content-type']).toBe(type)
    for (const path of ['nothing.js', '../package.json', '..%2fpackage.json', ''])
      expect((await send(served.url, `/assets/${path}`)).status).toBe(404)
  })
})

describe('outside a demo', () => {
  test('the page is complete without settings: no key, links that work, the command of the first import', async () => {
    const world = await startWorld({ 'server.basePath': '/places', 'management.enabled': false }, 'empty')
    try {
      await eventually(async () => expect((await world.get('/places/readyz')).text).not.toContain('index'))
      const { text, headers } = await world.get('/places', { key: null })
      expect(text).not.toMatch(/peri_live|burst|id="q"/)
      expect(text).toContain('periplus import places.ndjson')
      expect(headers['content-security-policy']).not.toContain('unsafe')
      const links = [...text.matchAll(/(?:href|src)="([^"#]+)"/g)].map(match => new URL(match[1]!, world.url))
      expect(links.length).toBeGreaterThan(4)
      for (const link of links) expect((await world.get(link.pathname, { key: null })).status).toBe(200)
      const measured = await world.get('/places/status', { key: null })
      expect(measured.text).toContain('Newest change of the data</p><p class="tile-value">No data yet')
    } finally {
      await world.close()
    }
  })

  test("the operator's name, text, colour, contact and terms are on the pages and in the OpenAPI documents", async () => {
    const flags = {
      'site.name': 'Atlas & Co',
      'site.intro': 'For <guides>.',
      'site.logo': '/logo.svg',
      'site.accent': '#7a0044',
      'site.contact.email': 'api@atlas.example',
      'site.contact.url': 'https://atlas.example/keys',
      'site.terms': 'https://atlas.example/terms',
      'site.privacy': '/privacy',
      'site.index': true,
      'management.enabled': false,
      'packages.growth.price': 'EUR 49 a month',
    }
    const world = await startWorld(flags)
    try {
      const get = async (path: string) => (await world.get(path, { key: null })).text
      await eventually(async () => expect(await get('/readyz')).not.toContain('index'))
      for (const path of [
        '/',
        '/status',
        '/docs',
        '/docs/getLocation',
        '/docs/guide',
        '/docs/errors',
        '/changelog/v1',
      ]) {
        const text = await get(path)
        expect(text).toContain('Atlas &amp; Co</title>')
        expect(text).toContain(`<meta property="og:url" content="${world.url}${path}">`)
        for (const part of ['src="/logo.svg"', 'mailto:api@atlas.example', 'https://atlas.example/terms', '"/privacy"'])
          expect([path, text.includes(part)]).toEqual([path, true])
      }
      const text = await get('/')
      for (const part of [
        'For &lt;guides&gt;.',
        '<a class="button primary" href="https://atlas.example/keys">Get a key</a>',
      ])
        expect(text).toContain(part)
      expect(text).toContain('EUR 49 a month')
      expect(text).not.toContain('/places')
      expect(await get(/\/assets\/periplus\.[0-9a-f]+\.css/.exec(text)![0])).toContain(
        '--accent: light-dark(#7a0044, #',
      )
      expect(await get('/robots.txt')).not.toMatch(/^Disallow: \/$/m)
      for (const document of ['/openapi/v1.json', '/openapi/feeds.json']) {
        const { info } = JSON.parse(await get(document)) as { info: object }
        expect(info).toMatchObject({
          title: expect.stringMatching(/^Atlas & Co /),
          contact: { name: 'Atlas & Co', email: 'api@atlas.example', url: 'https://atlas.example/keys' },
          termsOfService: 'https://atlas.example/terms',
        })
      }
    } finally {
      await world.close()
    }
  })
})
