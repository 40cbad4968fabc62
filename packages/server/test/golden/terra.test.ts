/** Answers of the Terra profile, over real HTTP. `npm run bless` rewrites the recorded ones. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchable } from '../searchable.ts'
import { importRows, makeKey, startWorld, type World } from '../world.ts'
import { expectGolden, type Recorded, recorded } from './recorded.ts'

const folder = fileURLToPath(new URL('./terra/', import.meta.url))

const madrid = { source: 'atlas', lat: 40.4168, lon: -3.7038, country: 'ES' }
const rows = [
  { id: 900, source_id: 'spain', name: 'Spain', ...madrid, category: 'geo:country', population: 48_000_000 },
  { id: 901, source_id: 'madrid', name: 'Madrid', ...madrid, category: 'geo:city', population: 3_300_000 },
  {
    ...madrid,
    id: 910,
    source_id: 'casa',
    name: 'Casa Nube',
    lat: 40.42,
    category: 'restaurant',
    city: 'Madrid',
    price_level: 'LUXURY',
    attributions: [{ source: 'atlas', license: 'CC BY 4.0' }],
    photos: [
      { url: 'https://pictures.example/front.jpg', width: 1600, height: 1200, caption: 'At dawn', attribution: 'Zoe' },
    ],
  },
]
const review = {
  id: 9100,
  source: 'voices',
  location_id: 910,
  rating: 5,
  text: 'A quiet, romantic dinner.',
  lang: 'en',
  publish_ts: '2026-01-03T10:00:00Z',
  photos: ['https://pictures.example/plate.jpg'],
}

const json = { 'Content-Type': 'application/json' }
const post = (body: object): Recorded => ({ method: 'POST', headers: json, body: JSON.stringify(body) })

const requests: Record<string, [target: string, more?: Recorded]> = {
  location: ['/api/locations/1?version=1'],
  'location-restaurant': ['/api/locations/910'],
  'location-locales': ['/api/locations/1?locale=es-MX&locale=en-US'],
  locations: ['/api/locations?id=910,99'],
  catalog: ['/api/catalog/locations/1'],
  reviews: ['/api/locations/2/reviews'],
  'reviews-primary': ['/api/locations/2/reviews?language=primary&size=1'],
  photos: ['/api/locations/910/photos'],
  geo: ['/api/geos/901'],
  search: ['/api/locations/search?query=Casa%20Nube&geo_name=Madrid&category=RESTAURANT&country_code=ES'],
  'search-catalog': ['/api/catalog/locations/search?query=Casa%20Nube&size=1'],
  nearby: ['/api/locations/nearby?lat=40.42&lon=-3.7038&radius=1&unit=KM&sort=distance,asc&category=RESTAURANT'],
  'nearby-catalog': ['/api/catalog/locations/nearby?sw_lat=40&sw_lon=-4&ne_lat=41&ne_lon=-3&category=RESTAURANT'],
  recommendations: [
    '/api/recommendations/search?version=1',
    post({
      query: 'romantic dinner',
      geo: { name: 'Madrid' },
      top_level_categories: ['Eat & Drink'],
      limit: 1,
      response_preference: 'speed',
    }),
  ],
  'error-400': ['/api/locations/search?version=1&size=21'],
  'error-400-body': ['/api/recommendations/search', post({ geo: { city: 'Paris' }, limit: 'five', budget: 30 })],
  'error-400-version': ['/api/locations/1?version=2'],
  'error-401': ['/api/locations/1', { key: 'none' }],
  'error-403': [
    '/api/recommendations/search',
    { ...post({ query: 'romantic dinner in Madrid', geo: {} }), key: 'discover' },
  ],
  'error-404': ['/api/locations/99'],
  'recommendations-get': ['/api/recommendations/search?query=romantic%20dinner%20in%20Madrid&limit=1'],
  'error-405': ['/api/locations/1', { method: 'POST' }],
  'error-410': ['/api/locations/1?version=0'],
}

let world: World
const keys: Record<string, string | null> = { none: null }
const read = (target: string, { key, ...sent }: Recorded = {}) =>
  world.get(target, { ...(key !== undefined && { key: keys[key]! }), ...sent })

beforeAll(async () => {
  world = await startWorld({ 'server.publicUrl': 'https://places.example', 'server.profile': 'terra' })
  await importRows(world.config, 'location', rows)
  await importRows(world.config, 'review', [review])
  keys.discover = (await makeKey(world.config)).secret
  await searchable(world, 'Casa Nube', 1)
})
afterAll(() => world.close())

describe('the Terra profile (R-171)', () => {
  test.each(Object.entries(requests))('%s', async (name, [target, more = {}]) => {
    expectGolden(folder, name, recorded(await read(target, more), target, more))
  })

  test('every golden file belongs to a request', () => {
    const known = Object.keys(requests).map(name => `${name}.json`)
    expect(readdirSync(folder).filter(file => !known.includes(file))).toEqual([])
  })

  test('the own paths answer as without it, and next pages stay below /api', async () => {
    const own = (await read('/locations/910')).json() as { data: { price_level: string } }
    expect(own.data.price_level).toBe('LUXURY')
    const { headers } = await read('/api/locations/21/reviews?language=primary&size=1')
    expect(headers.link).toMatch(
      /^<https:\/\/places\.example\/api\/locations\/21\/reviews\?language=primary&size=1&cursor=/,
    )
  })

  test('beta adds to the form of Terra', async () => {
    const reply = await read('/api/locations/910?version=beta')
    expect(reply.json()).toMatchObject({ price_level: 'Fine Dining', timezone: 'Europe/Madrid' })
    expect(reply.headers['api-version']).toBe('beta')
  })

  test('a parameter that only Terra has is ignored and listed', async () => {
    const { status, headers } = await read('/api/locations/910/photos?locale=es-MX')
    expect({ status, ignored: headers['ignored-parameters'] }).toEqual({ status: 200, ignored: 'locale' })
  })

  test('an answer that has not changed is 304, and a body of another type 415', async () => {
    const { etag } = (await read('/api/locations/910')).headers
    expect((await read('/api/locations/910', { headers: { 'If-None-Match': etag! } })).status).toBe(304)
    const form = await read('/api/recommendations/search', {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(form.status).toBe(415)
    expect(form.json()).toMatchObject({
      trace_id: form.headers['x-request-id'],
      detail: expect.stringContaining('query'),
    })
  })

  test('an area in the body is preferred to an id and a name, as Terra has it', async () => {
    const geo = {
      search_area: { centroid_latitude: 40.42, centroid_longitude: -3.7, search_radius_meters: 2000 },
      id: 1,
      name: 'Nowhere',
    }
    const reply = await read('/api/recommendations/search', post({ query: 'romantic dinner', geo }))
    expect(reply.json()).toMatchObject({ search_results: [{ type: 'location', location: { id: 910 } }] })
    const excluding = post({ query: 'romantic dinner', geo: { id: 901 }, exclude_location_ids: [910] })
    const { search_results: others } = (await read('/api/recommendations/search', excluding)).json() as {
      search_results: { location: { id: number } }[]
    }
    expect(others.map(({ location }) => location.id)).not.toContain(910)
  })
})
