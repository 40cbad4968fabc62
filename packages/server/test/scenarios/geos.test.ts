/** Cities, regions and countries with what they contain, over real HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectDocumented } from '../contract/answers.ts'
import { searchable } from '../searchable.ts'
import { makeKey, startWorld, type World } from '../world.ts'

const at = (lat: number, lon: number, country = 'ES') => ({ lat, lon, country, source: 'atlas' })
const geo = (type: string, population: number) => ({ category: `geo:${type}`, population })

const rows = [
  { id: 1, name: 'Spain', ...at(40, -4), ...geo('country', 48_000_000) },
  { id: 2, name: 'Catalonia', ...at(41.8, 1.5), ...geo('region', 8_000_000) },
  { id: 3, name: 'Barcelona', ...at(41.39, 2.17), ...geo('city', 1_600_000) },
  { id: 4, name: 'Girona', ...at(41.98, 2.82), ...geo('city', 103_000) },
  { id: 5, name: 'Madrid', ...at(40.4168, -3.7038), ...geo('city', 3_300_000) },
  { id: 6, name: 'Gràcia', city: 'Barcelona', ...at(41.402, 2.156), ...geo('suburb', 120_000) },
  { id: 7, name: 'Paris', ...at(48.857, 2.352, 'FR'), ...geo('city', 2_100_000) },
  { id: 10, name: 'Museo Azul', city: 'Barcelona', category: 'museum', ...at(41.385, 2.18) },
  { id: 11, name: 'Hotel Azul', city: 'Barcelona', category: 'hotel', ...at(41.38, 2.17) },
  { id: 12, name: 'Hotel Verde', city: 'Madrid', category: 'hotel', ...at(40.42, -3.7) },
  { id: 13, name: 'Hotel Bleu', city: 'Paris', category: 'hotel', ...at(48.86, 2.35, 'FR') },
]

let world: World
beforeAll(async () => {
  world = await startWorld({}, rows)
  await searchable(world)
})
afterAll(() => world.close())

interface Answer {
  readonly data: {
    readonly location: { readonly id: number }
    readonly ancestors?: readonly { readonly type: string; readonly id?: number; readonly name: string }[]
    readonly categories?: readonly { readonly id: string; readonly count: number }[]
    readonly children?: readonly { readonly id: number }[]
  }
  readonly pagination: { readonly total_elements: number }
}

const read = async (target: string, key = world.key) => {
  const reply = await world.get(target, { key })
  expect({ target, status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  expectDocumented(reply, target)
  const { data, pagination } = reply.json() as Answer
  return {
    children: data.children?.map(({ id }) => id),
    ancestors: data.ancestors?.map(({ type, id, name }) => [type, id, name]),
    counts: Object.fromEntries((data.categories ?? []).map(({ id, count }) => [id, count])),
    total: pagination.total_elements,
    link: reply.headers.link,
    units: reply.headers['x-billed-units'],
  }
}

test('a country has its regions, and the cities of regions that no location represents', async () => {
  const spain = await read('/geos/1')
  expect(spain).toMatchObject({ children: [2, 5], total: 2, ancestors: undefined, units: '1' })
  expect(spain.counts).toMatchObject({ GEO: 5, 'geo:city': 3, HOTEL: 2, ATTRACTION: 1, museum: 1 })
})

test('a region has its cities, the most populous first, and a city its quarters', async () => {
  expect(await read('/geos/2')).toMatchObject({
    children: [3, 4],
    ancestors: [['country', 1, 'Spain']],
    counts: { GEO: 3, HOTEL: 1, museum: 1 },
  })
  expect(await read('/geos/3')).toMatchObject({
    children: [6],
    ancestors: [
      ['country', 1, 'Spain'],
      ['region', 2, 'Catalonia'],
    ],
    counts: { HOTEL: 1, museum: 1 },
  })
  expect((await read('/geos/6')).ancestors?.at(-1)).toEqual(['city', 3, 'Barcelona'])
  expect(await read('/geos/7?locale=de')).toMatchObject({
    ancestors: [
      ['country', undefined, 'Frankreich'],
      ['region', undefined, expect.any(String)],
    ],
  })
})

test('children have pages', async () => {
  const first = await read('/geos/1?size=1')
  expect(first).toMatchObject({ children: [2], total: 2 })
  const { pathname, search } = new URL(String(first.link).slice(1, -'>; rel="next"'.length))
  expect(await read(pathname + search)).toMatchObject({ children: [5], link: undefined })
})

test('a narrowed key sees what is in its scope', async () => {
  const { secret } = await makeKey(world.config, { packageName: 'innovate', scope: { categories: ['GEO', 'HOTEL'] } })
  expect((await read('/geos/1', secret)).counts).toMatchObject({ HOTEL: 2, GEO: 5 })
  expect((await read('/geos/1', secret)).counts).not.toHaveProperty('museum')
  const { secret: french } = await makeKey(world.config, { packageName: 'innovate', scope: { countries: ['FR'] } })
  expect((await world.get('/geos/1', { key: french })).status).toBe(404)
})

test('other locations are 404 with a sentence', async () => {
  const reply = await world.get('/geos/10')
  expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('is not a city, region or country')])
  expect((await world.get('/geos/99')).status).toBe(404)
  expect((await world.get('/geos/x')).status).toBe(400)
  expect((await world.get('/geos/1?fields=names&size=101')).json()).toMatchObject({ field_errors: [{ field: 'size' }] })
})
