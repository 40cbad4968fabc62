import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchRows } from '../search-rows.ts'
import { searchable } from '../searchable.ts'
import { makeKey, startWorld, type World } from '../world.ts'
import { largest } from '../world-rows.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({}, searchRows)
  await searchable(world)
})
afterAll(() => world.close())

interface Item {
  readonly location: { readonly id: number | bigint; readonly coordinates: { latitude: number; longitude: number } }
  readonly bearing: number
  readonly distance_kilometers: number
  readonly distance_miles: number
}
interface Found {
  readonly data: readonly Item[]
  readonly pagination: { readonly total_elements: number }
}
const paths = ['/locations/nearby', '/catalog/locations/nearby']
const search = async (query: string, path = paths[0]!, key = world.key): Promise<Found> => {
  const reply = await world.get(`${path}?${query}`, { key })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json() as Found
}
const idsOf = ({ data }: Found) => data.map(({ location }) => location.id)

const madrid = 'lat=40.4168&lon=-3.7038'
const polygon = (...ring: [number, number][]) =>
  encodeURIComponent(JSON.stringify({ type: 'Polygon', coordinates: [ring] }))
const around = `${madrid}&radius=2&unit=KM`

describe('centres and units (rulings: Operations)', () => {
  test.each([
    ['a circle, nearest first', `${around}&sort=distance,asc`, [11, 5, 2, 4, 3, 1]],
    ['aliases of lat and lon', 'latitude=40.4168&lng=-3.7038&radius=2&unit=KM&sort=distance,asc', [11, 5, 2, 4, 3, 1]],
    ['a small circle', `${madrid}&radius=0.15&unit=km&sort=distance,asc`, [11, 5, 2]],
    ['miles by default', `${madrid}&radius=0.6&sort=distance,asc`, [11, 5, 2, 4, 3]],
    ['kilometres on request', `${madrid}&radius=0.6&unit=KM&sort=distance,asc`, [11, 5, 2, 4, 3]],
    ['around a place: the place itself comes first', 'location_id=4&radius=0.2&unit=KM&sort=distance,asc', [4, 2, 11]],
    ['a box', 'sw_lat=40.4&sw_lon=-3.71&ne_lat=40.4175&ne_lon=-3.695', [4, 5, 11]],
    ['a box across the antimeridian', 'sw_lat=-17&sw_lon=179&ne_lat=-16&ne_lon=-179', [15, 16]],
    ['swapped corners enclose the rest of the world', 'sw_lat=-17&sw_lon=-179&ne_lat=-16&ne_lon=179', []],
    ['a circle across the antimeridian', 'lat=-16.8&lon=179.99&radius=20&unit=KM&sort=distance,asc', [15, 16]],
    ['a circle at the pole', 'lat=-89.9&lon=123&radius=50&unit=KM&sort=distance,asc', [largest]],
    ['a box of the whole world', 'sw_lat=-90&sw_lon=-180&ne_lat=90&ne_lon=180&category=TRANSPORT', [14]],
    ['a box without area', 'sw_lat=40.4168&sw_lon=-3.7038&ne_lat=40.4168&ne_lon=-3.7038', [11]],
    ['no places nearby', 'lat=0&lon=0', []],
    [
      'a polygon',
      `polygon=${polygon([-3.71, 40.4], [-3.69, 40.4], [-3.69, 40.4175], [-3.71, 40.4175], [-3.71, 40.4])}`,
      [1, 4, 5, 11],
    ],
    ['a route', 'route=o_wfF_ywoC_%7CB_%7CB&width=3&unit=KM&sort=distance', [13, 12]],
  ] satisfies [string, string, (number | bigint)[]][])('%s', async (_name, query, expected) => {
    for (const path of paths) {
      const found = await search(query, path)
      const sorted = (list: readonly (number | bigint)[]) => (query.includes('sort') ? list : list.toSorted())
      expect(sorted(idsOf(found))).toEqual(sorted(expected))
      expect(found.pagination.total_elements).toBe(expected.length)
    }
  })

  test.each([
    [`${madrid}`, `${madrid}&radius=5`],
    [`${madrid}&unit=KM`, `${madrid}&radius=5&unit=KM`],
    [`${madrid}&radius=1.609344&unit=KM`, `${madrid}&radius=1`],
  ])('%s is %s', async (short, long) => expect(await search(short)).toEqual(await search(long)))

  test('sorts by confidence-weighted rating by default: one five-star review does not come first', async () => {
    const found = idsOf(await search(around))
    expect(found).toEqual(idsOf(await search(`${around}&sort=rating,desc`)))
    expect(found.indexOf(1)).toBeLessThan(found.indexOf(5))
    expect(found.indexOf(1)).toBeLessThan(found.indexOf(4))
  })
})

describe('filters', () => {
  test.each([
    ['category=hotel', [2]],
    ['category=HOTEL&category=ATTRACTION', [1, 2]],
    ['category=HOTEL,ATTRACTION', [1, 2]],
    ['status=CLOSED', [3]],
    ['status=OPEN', [1, 4, 5, 11]],
    ['min_rating=4.5', [1, 3, 5]],
    ['price_level=CHEAP', [4]],
    ['price_level=cheap,luxury', [2, 4]],
    ['open_now=true', [4]],
    ['category=RESTAURANT&min_rating=3&status=OPEN&open_now=true&price_level=CHEAP', [4]],
    ['category=TRANSPORT', []],
    ['category_id=restaurant', [3]],
    ['category_id=RESTAURANT', [3, 4, 5]],
    ['category_id=Bar,hotel&category_id=museum', [1, 2, 4, 5]],
    ['category_id=historic_site', []],
    ['attribute=cuisine.tapas&attribute=tag.late%20night', [4]],
    ['attribute=cuisine.tapas', [4, 5]],
    ['attribute=cuisine.sushi', []],
    ['open_at=2026-11-24T03:00', [4]],
    ['open_at=2026-11-24T03:00:00Z', [4]],
  ] satisfies [string, number[]][])('%s', async (filter, expected) => {
    for (const path of paths) {
      const found = await search(`${around}&${filter}`, path)
      expect((idsOf(found) as number[]).toSorted((a, b) => a - b)).toEqual(expected)
      expect(found.pagination.total_elements).toBe(expected.length)
    }
  })
})

describe('bearing and distances (rulings: Operations)', () => {
  const earthKm = 6371.0088
  const rad = (degrees: number) => (degrees * Math.PI) / 180

  /** Returns the haversine distance and initial bearing, independently of the implementation. */
  function expected(from: { latitude: number; longitude: number }, to: { latitude: number; longitude: number }) {
    const [a, b] = [rad(from.latitude), rad(to.latitude)]
    const east = rad(to.longitude - from.longitude)
    const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(east / 2) ** 2
    const y = Math.sin(east) * Math.cos(b)
    const x = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(east)
    return { km: 2 * earthKm * Math.asin(Math.sqrt(h)), bearing: ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360 }
  }

  test.each([
    ['a circle', `${around}&sort=distance,asc`, { latitude: 40.4168, longitude: -3.7038 }],
    ['a place', 'location_id=1&radius=5&unit=KM&sort=distance,asc', { latitude: 40.4138, longitude: -3.6925 }],
    ['the antimeridian', 'lat=-16.81&lon=-179.99&radius=50&unit=KM', { latitude: -16.81, longitude: -179.99 }],
    ['the middle of a box', 'sw_lat=-17&sw_lon=179&ne_lat=-16&ne_lon=-179', { latitude: -16.5, longitude: 180 }],
  ])('%s', async (_name, query, centre) => {
    const { data } = await search(query)
    expect(data.length).toBeGreaterThan(1)
    for (const { location, ...facts } of data) {
      const { km, bearing } = expected(centre, location.coordinates)
      expect(facts.distance_kilometers).toBeCloseTo(km, 2)
      expect(facts.distance_miles).toBeCloseTo(km / 1.609344, 2)
      for (const value of Object.values(facts)) expect(Math.round(value * 1000) / 1000).toBe(value)
      if (km < 0.01) continue
      const difference = Math.abs(facts.bearing - bearing)
      expect(Math.min(difference, 360 - difference)).toBeLessThan(0.05)
    }
  })

  test('a place is at distance 0 from itself; bearings are below 360', async () => {
    const { data } = await search('location_id=11&radius=2&unit=KM&sort=distance,asc')
    expect(data[0]).toMatchObject({ distance_kilometers: 0, distance_miles: 0, bearing: 0 })
    for (const { bearing } of data) expect(bearing >= 0 && bearing < 360).toBe(true)
  })
})

describe('paging, projection, scope', () => {
  const inns = 'lat=47.09&lon=15.44&radius=20&unit=KM'

  test.each(['distance,asc', 'rating,desc'])(
    'sorted by %s: pages reach the end with exact totals and no duplicates',
    async sort => {
      const page = async (number: number, size: number) =>
        idsOf(await search(`${inns}&sort=${sort}&page=${number}&size=${size}`)) as number[]
      expect([...(await page(1, 10)), ...(await page(2, 10))]).toEqual(await page(1, 20))
      const all = await Promise.all([1, 2, 3, 4, 5].map(number => page(number, 10)))
      expect(all.map(({ length }) => length)).toEqual([10, 10, 10, 10, 5])
      expect(all.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, i) => 21 + i))
      expect(await search(`${inns}&page=1000000&limit=7`)).toEqual({
        data: [],
        pagination: { page: 1_000_000, size: 7, total_elements: 45, total_pages: 7 },
      })
    },
  )

  test('returns the object of getLocation, and in the catalog its light projection, both by locale', async () => {
    for (const path of paths) {
      const folder = path.replace('/nearby', '')
      const one = (await world.get(`${folder}/1?locale=ja`)).json() as { data: object }
      const { data } = await search(`${madrid}&category=ATTRACTION&locale=ja`, path)
      expect(data[0]!.location).toEqual(one.data)
    }
  })

  test.each([
    [{ countries: ['GR'] }, []],
    [{ categories: ['RESTAURANT'] as const }, [3, 4, 5]],
    [{ sources: ['gazette'] }, []],
  ])('the scope %o filters locations but not the catalog (R-03)', async (scope, expected) => {
    const { secret } = await makeKey(world.config, { scope })
    const found = await search(around, paths[0], secret)
    expect(idsOf(found).toSorted()).toEqual(expected)
    expect(found.pagination.total_elements).toBe(expected.length)
    expect(await search(around, paths[1], secret)).toEqual(await search(around, paths[1]))
  })
})

test('an unchanged response is 304 (R-26)', async () => {
  for (const path of paths) {
    const { headers } = await world.get(`${path}?${around}`)
    const again = await world.get(`${path}?${around}`, { headers: { 'If-None-Match': headers.etag! } })
    expect([again.status, again.text, again.headers['x-billed-units']]).toEqual([304, '', '0'])
  }
})

describe('invalid input', () => {
  test.each([
    ['no centre', '', ['lat']],
    ['lat alone', 'lat=1', ['lon']],
    ['lon alone', 'lon=1', ['lat']],
    ['radius alone', 'radius=1', ['lat']],
    ['three corners', 'sw_lat=1&sw_lon=1&ne_lat=2', ['ne_lon']],
    ['one corner', 'ne_lat=1&ne_lon=1', ['sw_lat', 'sw_lon']],
    ['a point and a place', 'lat=1&lon=1&location_id=1', ['lat', 'lon', 'location_id']],
    ['half a point and a place', 'lat=1&location_id=1', ['lat', 'location_id']],
    ['a place and half a box', 'location_id=1&sw_lat=1', ['location_id', 'sw_lat']],
    [
      'a point and a box',
      'lat=1&lon=1&sw_lat=1&sw_lon=1&ne_lat=2&ne_lon=2',
      ['lat', 'lon', 'sw_lat', 'sw_lon', 'ne_lat', 'ne_lon'],
    ],
    ['a polygon and a point', 'lat=1&lon=1&polygon={}', ['polygon']],
    ['two shapes', `lat=1&lon=1&polygon=${polygon([0, 0], [1, 0], [1, 1], [0, 0])}`, ['lat', 'lon', 'polygon']],
    ['radius with a polygon', `radius=1&polygon=${polygon([0, 0], [1, 0], [1, 1], [0, 0])}`, ['radius']],
    ['a ring that is not closed', `polygon=${polygon([0, 0], [1, 0], [1, 1], [0, 1])}`, ['polygon']],
    ['a route without an end', 'route=_p~iF~ps%7C', ['route']],
    ['a width without a route', `${madrid}&width=3`, ['width']],
    ['a width of 101 km', 'route=_p~iF~ps%7CU_ulLnnqC&width=101&unit=KM', ['width']],
    ['an unknown category', `${madrid}&category_id=pizza`, ['category_id']],
    ['open_at and open_now', `${madrid}&open_at=2026-11-24T03:00&open_now=true`, ['open_at', 'open_now']],
    ['open_at without a time', `${madrid}&open_at=2026-11-24`, ['open_at']],
    ['radius with a box', 'sw_lat=1&sw_lon=1&ne_lat=2&ne_lon=2&radius=3', ['radius']],
    ['sw north of ne', 'sw_lat=3&sw_lon=1&ne_lat=2&ne_lon=2', ['sw_lat']],
    ['distance from a box', 'sw_lat=1&sw_lon=1&ne_lat=2&ne_lon=2&sort=distance,asc', ['sort']],
    ['radius 0', `${madrid}&radius=0`, ['radius']],
    ['radius -1', `${madrid}&radius=-1`, ['radius']],
    ['radius 101 km', `${madrid}&radius=101&unit=KM`, ['radius']],
    ['radius 100.001 km', `${madrid}&radius=100.001&unit=KM`, ['radius']],
    ['radius 62.2 mi', `${madrid}&radius=62.2`, ['radius']],
    ['radius NaN', `${madrid}&radius=NaN`, ['radius']],
    ['radius 1e2', `${madrid}&radius=1e2`, ['radius']],
    ['lat 91', 'lat=91&lon=0', ['lat']],
    ['lon -180.1', 'lat=0&lon=-180.1', ['lon']],
    ['lat Infinity, lon NaN', 'lat=Infinity&lon=NaN', ['lat', 'lon']],
    ['two different latitudes', 'lat=1&latitude=2&lon=0', ['lat']],
    ['location_id 0', 'location_id=0', ['location_id']],
    ['location_id beyond int64', `location_id=${largest + 1n}`, ['location_id']],
    ['unknown location_id', 'location_id=999', ['location_id']],
    ['unit', `${madrid}&unit=M`, ['unit']],
    ['sort', `${madrid}&sort=name`, ['sort']],
    ['sort, descending distance', `${madrid}&sort=distance,desc`, ['sort']],
    ['category', `${madrid}&category=ZOO`, ['category']],
    ['status', `${madrid}&status=SHUT`, ['status']],
    ['min_rating', `${madrid}&min_rating=0`, ['min_rating']],
    ['price_level', `${madrid}&price_level=FREE`, ['price_level']],
    ['open_now', `${madrid}&open_now=1`, ['open_now']],
    ['locale', `${madrid}&locale=%00`, ['locale']],
    ['page 0', `${madrid}&page=0`, ['page']],
    ['size 21', `${madrid}&size=21`, ['size']],
  ])('%s is 400', async (_name, query, fields) => {
    for (const path of paths) {
      const reply = await world.get(`${path}?${query}`)
      expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 400 })
      const { field_errors: errors } = reply.json() as { field_errors: { field: string }[] }
      expect(errors.map(({ field }) => field)).toEqual(fields)
    }
  })

  test.each([`${madrid}&radius=100&unit=KM`, `${madrid}&radius=62.1`, `lat=90&lon=180&radius=1`, `lat=-90&lon=-180`])(
    '%s returns a page',
    async query => {
      for (const path of paths) await search(query, path)
    },
  )

  test('a centre may be outside the scope of the key', async () => {
    const { secret } = await makeKey(world.config, { scope: { sources: ['gazette'] } })
    expect(idsOf(await search('location_id=12', paths[0], secret))).toEqual([13])
  })
})

describe('categories (R-151)', () => {
  interface Listed {
    readonly id: string
    readonly display_name: string
    readonly parent_id?: string
    readonly count: number
  }
  const list = async (query: string, secret = world.key) =>
    ((await world.get(`/categories?${query}`, { key: secret })).json() as { data: Listed[] }).data

  test('are a tree with counts within the scope, and names in the requested language', async () => {
    const all = await list('locale=de')
    const find = (id: string) => all.find(category => category.id === id)
    expect(find('RESTAURANT')).toEqual({
      id: 'RESTAURANT',
      display_name: 'Restaurants',
      top_level_category: 'RESTAURANT',
      count: 5,
    })
    expect(find('bar')).toMatchObject({ display_name: 'Bar', parent_id: 'RESTAURANT', count: 2 })
    expect(find('pizzeria')).toMatchObject({ parent_id: 'restaurant', count: 0 })
    const { secret } = await makeKey(world.config, { scope: { sources: ['gazette'] } })
    const scoped = await list('', secret)
    expect(scoped.filter(({ count }) => count > 0).map(({ id }) => id)).toEqual(['RESTAURANT', 'restaurant'])
    expect(await list('parent=restaurant&country_code=es')).toHaveLength(5)
    for (const { id, count } of all) {
      const { pagination } = await search(`sw_lat=-90&sw_lon=-180&ne_lat=90&ne_lon=180&size=1&category_id=${id}`)
      expect([id, pagination.total_elements]).toEqual([id, count])
    }
  })

  test('that are unknown are named with the nearest', async () => {
    const reply = await world.get('/categories?parent=restorant')
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('restaurant')])
    const search = await world.get('/locations/search?query=x&category_id=pizza')
    expect([search.status, search.text]).toEqual([400, expect.stringContaining('nearest ids are pizzeria,')])
  })
})

test('beta says whether a place is open and when that changes (R-151)', async () => {
  const { data } = (await world.get('/locations?ids=4,5,14&version=beta')).json() as { data: object[] }
  expect(data[0]).toMatchObject({ open_now: true })
  expect(data[0]).not.toHaveProperty('next_close')
  expect(data[1]).not.toHaveProperty('open_now')
})
