/** The public pages about places, opened by visitors without a key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlacePages } from '../../src/http/site/places/pages.ts'
import type { PlacePages } from '../../src/http/site/places/parts.ts'
import { ThreadUnavailable } from '../../src/kit/thread-unavailable.ts'
import { loadAssets } from '../../src/web/asset-files.ts'
import { settableClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { startWorld, type World } from '../world.ts'
import { largest } from '../world-rows.ts'

// A Monday, 09:30 in Madrid.
const clock = settableClock(Date.parse('2026-11-16T08:30:00Z'))

let world: World
beforeAll(async () => {
  const flags = { 'site.places': true, 'server.trustedProxies': ['127.0.0.1'], 'management.enabled': false }
  world = await startWorld(flags, 'world', clock)
  await eventually(async () => expect((await world.get('/readyz')).text).not.toContain('index'))
})
afterAll(() => world.close())

let visitors = 0
const get = (path: string, address = `198.51.100.${++visitors % 250}.`.slice(0, -1)) =>
  world.get(path, { key: null, headers: { 'X-Forwarded-For': address, Accept: 'text/html' } })
const textOf = async (path: string) => (await get(path)).text
/** Returns the ids of the places in the list. */
const listed = (text: string) => [...text.matchAll(/<li class="place" data-place="(\d+)"/g)].map(match => match[1])

describe('/places', () => {
  test('finds places by text, with their facts and pins', async () => {
    const { status, headers, text } = await get('/places?q=dawn+museum')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(listed(text)[0]).toBe('1')
    expect(text).toContain('<a href="/places/1"><span lang="es">Museo del Alba</span></a>')
    expect(text).toContain('4.6 of 5, 1,200 reviews')
    expect(text).toContain('Open until 13:00')
    expect(text).toContain('&quot;id&quot;:&quot;1&quot;,&quot;at&quot;:[40.41381,-3.692524]')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  test.each([
    ['', ['best rated first', '1']],
    ['?box=40,-4,41,-3', ['in this area', '1']],
    ['?near=40.414,-3.692', ['within 10 km, nearest first', '1']],
    ['?category=attraction&min_rating=4.5', ['best rated first', '1']],
    ['?open=now', ['best rated first', '1']],
    ['?price=moderate&category=ATTRACTION', ['best rated first', '1']],
  ])('%s', async (search, [words, first]) => {
    const text = await textOf(`/places${search}`)
    expect(text).toContain(words)
    expect(listed(text)[0]).toBe(first)
  })

  test('filters leave out what does not match', async () => {
    expect(listed(await textOf('/places?box=40,-4,41,-3&category=hotel'))).toEqual([])
    expect(listed(await textOf('/places?min_rating=4.5')).sort()).toEqual(['1', String(largest)])
  })

  test.each([
    'box=1,2,3',
    'box=5,0,1,0',
    'near=91,0',
    'near=x',
    'min_rating=9',
    'page=0',
    'page=x',
    'price=free',
    'open=maybe',
    'category=moon',
    'id=x',
    'id=999',
    `q=${'x'.repeat(501)}`,
  ])('leaves out %s and says so', async parameter => {
    const { status, text } = await get(`/places?${parameter}`)
    expect(status).toBe(200)
    expect(text).toContain(`These parameters were not understood and are ignored: ${parameter.split('=')[0]}.`)
    expect(listed(text).length).toBeGreaterThan(3)
  })

  test('says what was understood when nothing is found, and offers three other searches', async () => {
    const text = await textOf('/places?q=xyzzy+plugh&category=hotel')
    expect(text).toContain('Searched for the text “xyzzy plugh”, the category Hotels.')
    const links = /<ul class="plain-list">(.*?)<\/ul>/s.exec(text)![1]!.match(/<li>/g)
    expect(links).toHaveLength(3)
    expect(await textOf('/places?q=museum&page=7')).toContain('The first page of these results')
  })

  test('shows the place of the URL in a panel, and escapes what visitors enter', async () => {
    const text = await textOf('/places?q=%3Cb%3E&id=21')
    expect(text).toContain('<h2 id="chosen-title" tabindex="-1">')
    expect(text).toContain('Gasthof Linde')
    expect(text).toContain('value="&lt;b&gt;"')
    expect(text).not.toContain('<b>')
  })

  test('names of maps are those in the box', async () => {
    const reply = await get('/places/names.json?box=40,-4,41,-3&zoom=14')
    expect(reply.headers['content-type']).toBe('application/json')
    expect(reply.json()).toEqual({ names: [{ name: 'Museo del Alba', at: [40.41381, -3.692524], kind: 'place' }] })
    expect((await get('/places/names.json?box=40,-4,41,-3&zoom=9')).json()).toEqual({ names: [] })
    expect((await get('/places/names.json')).status).toBe(404)
  })
})

describe('/places/{id}', () => {
  test('has hours, ratings, facts, sources, previews of links, and its call', async () => {
    const text = await textOf('/places/1')
    for (const part of [
      '<strong>Open until 13:00</strong>',
      '<tr class="today"><th scope="row">Monday',
      '09:00 to 13:00, 16:00 to 20:00',
      '24 Dec 2026</th><td>09:00 to 12:00',
      '25 Dec 2026</th><td>Closed',
      'Calle del Alba, 1, 28014 Madrid',
      '<a href="https://alba.example/" rel="noreferrer nofollow">alba.example</a>',
      '<span lang="ja">暁の美術館</span>',
      '<a href="https://atlas.example/1" rel="noreferrer">atlas, CC BY 4.0</a>',
      '<meta property="og:title" content="Museo del Alba">',
      `<meta property="og:url" content="${world.url}/places/1">`,
      '<figcaption>curl</figcaption>',
      `&quot;${world.url}/locations/1?version=1&quot;`,
      '<figcaption>Go</figcaption>',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Permanently closed')
  })

  test('hours follow the clock of the place', async () => {
    const before = clock.ms
    for (const [moment, words] of [
      ['2026-11-16T12:30:00Z', 'Opens 16:00'],
      ['2026-11-20T12:00:00Z', 'Opens tomorrow 22:00'],
      ['2026-11-18T12:00:00Z', 'Opens Saturday 22:00'],
      ['2026-11-21T21:30:00Z', 'Open until 02:00'],
    ] as const) {
      clock.ms = Date.parse(moment)
      expect(await textOf('/places/1')).toContain(words)
    }
    clock.ms = before
  })

  test('a place that is not in business has a badge and no opening state', async () => {
    expect(await textOf('/places/4')).toContain('<span class="badge bad">Permanently closed</span>')
    expect(await textOf('/places/3')).toContain('Temporarily closed')
  })

  test('the JSON keeps all digits of an id', async () =>
    expect(await textOf(`/places/${largest}`)).toContain(`&quot;id&quot;: ${largest},`))

  test('the id of a merged place leads to its survivor', async () => {
    for (const [path, target] of [
      ['/places/20', '/places/21'],
      ['/places/70/reviews', '/places/21/reviews'],
    ] as const) {
      const { status, headers } = await get(path)
      expect([status, headers.location]).toEqual([308, target])
    }
  })

  test.each(['/places/999', '/places/30', '/places/abc', '/places/-1', '/places/999/reviews'])(
    '%s is a page with a search',
    async path => {
      const { status, text, headers } = await get(path)
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain('action="/places"')
    },
  )
})

describe('/places/{id}/reviews', () => {
  test('lists, filters and sorts, and shows the call of the selection', async () => {
    const all = await textOf('/places/2/reviews')
    expect(all.match(/<li class="review">/g)).toHaveLength(3)
    expect(all).toContain('Response from the owner')
    const best = await textOf('/places/2/reviews?rating=5&sort=rating')
    expect(best.match(/<li class="review">/g)).toHaveLength(1)
    expect(best).toContain('rating_min=5')
    expect(best).toContain('1 review found')
    expect(await textOf('/places/2/reviews?language=xx')).toContain('No reviews match')
    expect(await textOf('/places/4/reviews')).toContain('No reviews yet')
  })

  test.each(['rating=6', 'trip_type=moon', 'sort=worst', 'page=0', 'language=!'])('leaves out %s', async parameter => {
    const { status, text } = await get(`/places/2/reviews?${parameter}`)
    expect(status).toBe(200)
    expect(text).toContain(`ignored: ${parameter.split('=')[0]}.`)
  })
})

test('pages are not metered, and limited per visitor', async () => {
  const replies = await Promise.all(Array.from({ length: 60 }, () => get('/places/2/reviews', '203.0.113.7')))
  const refused = replies.filter(({ status }) => status === 429)
  expect(replies.length - refused.length).toBeGreaterThanOrEqual(20)
  expect(refused[0]?.headers['retry-after']).toBe('1')
  expect(refused[0]?.text).toContain('Try again in 1 second.')
  expect((await get('/places/2/reviews', '203.0.113.8')).status).toBe(200)
  expect(await world.get('/account/usage').then(reply => reply.json())).toMatchObject({ data: { calls: 0, rows: [] } })
})

// After the test above, because these calls are metered.
test.each([
  '',
  '?q=museum&near=40.4,-3.7&category=attraction',
  '?box=40,-4,41,-3&min_rating=3.5&open=now',
  '?near=40.414,-3.692&price=moderate',
])('shows the call of the API that finds the same: %s', async search => {
  const text = await textOf(`/places${search}`)
  const [, call] = /&quot;(http[^&]*(?:&amp;[^&]*)*)&quot;/.exec(text)!
  const { pathname, search: parameters } = new URL(call!.replaceAll('&amp;', '&'))
  const reply = await world.get(`${pathname}${parameters}&strict=true`)
  const { data } = JSON.parse(reply.text, (name, value, context?: { source?: string }) =>
    name === 'id' ? (context?.source ?? value) : value,
  ) as { data: { location: { id: string } }[] }
  expect(data.map(({ location }) => location.id)).toEqual(listed(text))
})

test('places are closed unless the operator opens them', async () => {
  const closed = await startWorld({ 'management.enabled': false }, 'empty')
  try {
    for (const path of ['/places', '/places/1', '/places/names.json', '/places/1/reviews'])
      expect((await closed.get(path, { key: null })).status).toBe(404)
  } finally {
    await closed.close()
  }
})

test('visitors share one place in the queue of long queries; without a place, the page is 503', async () => {
  const subjects = new Set<string>()
  const busy = (_query: unknown, { subject }: { readonly subject: string }) => {
    subjects.add(subject)
    return Promise.reject(new ThreadUnavailable('Too many jobs are waiting.', 1000))
  }
  const index = { notReady: () => undefined, nearby: busy, search: busy }
  const site = { name: 'Test', basePath: '', zone: 'UTC', has: {}, map: {}, assets: loadAssets() }
  const parts = { index, clock, settings: { site, publicUrl: 'http://localhost' } } as unknown as PlacePages
  const [list] = createPlacePages(parts)
  for (const address of ['198.51.100.1', '198.51.100.2']) {
    const query = new URLSearchParams({ q: 'a' })
    const request = { params: {}, query, headers: {}, address, isGone: () => false }
    const answer = await list!.get(request)
    expect(answer).toMatchObject({
      response: { status: 503, headers: { 'Retry-After': '1' } },
      fault: 'search_unavailable',
    })
  }
  expect([...subjects]).toEqual(['visitors'])
})
