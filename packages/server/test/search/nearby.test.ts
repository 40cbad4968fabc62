import { describe, expect, test } from 'vitest'
import type { NearbyQuery } from '../../src/domain/search.ts'
import { createRandom } from '../../src/kit/random.ts'
import type { SearchDocument } from '../../src/search/index/document.ts'
import { ids, indexOf, nearby, place, randomPlaces } from './world.ts'

/** Returns the haversine distance, independently of the implementation. */
function kilometres(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180
  const h =
    Math.sin(rad(lat2 - lat1) / 2) ** 2 +
    Math.cos(rad(lat1)) * Math.cos(rad(lat2)) * Math.sin(rad(lon2 - lon1) / 2) ** 2
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(h)))
}

const random = createRandom(7)
const between = (from: number, to: number) => from + random() * (to - from)
/** Returns a random point: half of them anywhere, half near the poles and the antimeridian. */
const randomPoint = (): [latitude: number, longitude: number] => {
  const kind = random()
  if (kind < 0.5) return [between(-90, 90), between(-180, 180)]
  if (kind < 0.65) return [between(89, 90), between(-180, 180)]
  if (kind < 0.8) return [between(-90, -89), between(-180, 180)]
  return [between(-60, 60), random() < 0.5 ? between(179, 180) : between(-180, -179)]
}
const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7
const documents: SearchDocument[] = [
  ...Array.from({ length: 3000 }, (_, i) => {
    const [latitude, longitude] = randomPoint()
    return place(i + 1, 'x', { latitude: rounded(latitude), longitude: rounded(longitude) })
  }),
  place(3001, 'x', { latitude: 90, longitude: 0 }),
  place(3002, 'x', { latitude: -90, longitude: 77 }),
  place(3003, 'x', { latitude: 0, longitude: 180 }),
  place(3004, 'x', { latitude: 0, longitude: -180 }),
]
const index = await indexOf(documents)

test('circles match brute force, including at the poles and the antimeridian', () => {
  for (let i = 0; i < 2000; i++) {
    const edge = [
      [90, 0],
      [-90, 10],
      [0, 180],
      [0, -180],
      [89.99, 179.99],
    ][i] as [number, number] | undefined
    const [latitude, longitude] = edge ?? randomPoint()
    const radiusKm = random() < 0.5 ? between(0.1, 100) : between(100, 2000)
    const expected = documents.filter(d => kilometres(latitude, longitude, d.latitude, d.longitude) <= radiusKm)
    const found = nearby(index, { within: { centre: { latitude, longitude }, radiusKm }, limit: 3100 })
    expect(found.total).toBe(expected.length)
    expect(ids(found).sort((a, b) => a - b)).toEqual(expected.map(({ id }) => Number(id)))
  }
})

test('boxes match brute force, including across the antimeridian', () => {
  for (let i = 0; i < 2000; i++) {
    const [south, north] = [between(-90, 90), between(-90, 90)].sort((a, b) => a - b) as [number, number]
    const [west, east] = [between(-180, 180), between(-180, 180)]
    const inside = (d: SearchDocument) =>
      d.latitude >= south &&
      d.latitude <= north &&
      (Math.abs(d.longitude) === 180
        ? west > east
        : west <= east
          ? d.longitude >= west && d.longitude <= east
          : d.longitude >= west || d.longitude <= east)
    const found = nearby(index, { within: { box: { south, west, north, east } }, limit: 3100 })
    expect(found.total).toBe(documents.filter(inside).length)
  }
})

test('180° and -180° are the same meridian', () => {
  for (const [west, east] of [
    [170, 180],
    [-180, -170],
    [170, -170],
  ] as const) {
    const box = { south: -1e-9, west, north: 1e-9, east }
    expect(ids(nearby(index, { within: { box } }))).toEqual(expect.arrayContaining([3003, 3004]))
  }
})

describe('order and results', () => {
  const centre = { latitude: 48.8584, longitude: 2.2945 }
  const at = (id: number, north: number, more: Partial<SearchDocument> = {}) =>
    place(id, 'x', { latitude: centre.latitude + north, longitude: centre.longitude, ...more })
  const around = [
    at(1, 0.02, { rating: 4.6, ratingCount: 3000, category: 'HOTEL' }),
    at(2, 0.01, { rating: 5, ratingCount: 1, category: 'HOTEL' }),
    at(3, -0.005),
    at(4, 0.03, { rating: 4.6, ratingCount: 3000, category: 'RESTAURANT', country: 'FR' }),
  ]
  const search = async (query: Partial<NearbyQuery>) =>
    nearby(await indexOf(around), { within: { centre, radiusKm: 8 }, ...query })

  test('sorts by distance', async () => expect(ids(await search({ sort: 'distance' }))).toEqual([3, 2, 1, 4]))
  test('sorts by confidence-weighted rating, then by popularity and id', async () =>
    expect(ids(await search({ sort: 'rating' }))).toEqual([1, 4, 2, 3]))
  test('sorts by popularity, with CLOSED places last', async () => {
    expect(ids(await search({ sort: 'popularity' }))).toEqual([1, 4, 2, 3])
    const more = await indexOf([...around, at(5, 0, { population: 3_000_000, status: 'CLOSED' }), at(6, 1)])
    const popular = (query: Partial<NearbyQuery>) =>
      nearby(more, { within: { centre, radiusKm: 8 }, sort: 'popularity', ...query })
    expect(popular({ offset: 3, limit: 3 })).toMatchObject({ total: 5 })
    expect(ids(popular({ offset: 3, limit: 3 }))).toEqual([3, 5])
    expect(ids(popular({ categories: ['HOTEL'] }))).toEqual([1, 2])
  })
  test('applies filters', async () => {
    expect(ids(await search({ categories: ['HOTEL'] }))).toEqual([2, 1])
    expect(ids(await search({ minRating: 4.7 }))).toEqual([2])
    expect(ids(await search({ scope: { countries: ['FR'] } }))).toEqual([4])
  })
  test('returns pages with an exact total', async () => {
    const pages = [
      await search({ offset: 0, limit: 3 }),
      await search({ offset: 3, limit: 3 }),
      await search({ offset: 6, limit: 3 }),
    ]
    expect(pages.map(ids)).toEqual([[3, 2, 1], [4], []])
    expect(pages.map(({ total }) => total)).toEqual([4, 4, 4])
  })
  test('returns bearing and distance', async () => {
    const { hits } = await search({ sort: 'distance' })
    expect(hits[0]).toMatchObject({ bearing: 180 })
    expect(hits[1]).toMatchObject({ bearing: 0 })
    expect(hits[1]!.distanceKm).toBeCloseTo(1.1119, 3)
  })
  test('measures distances from the middle of a box', async () => {
    const box = { south: 48.8, west: 2.2, north: 48.9168, east: 2.389 }
    expect((await search({ within: { box } })).hits.map(({ id }) => Number(id))).toEqual([3, 2, 1, 4])
  })
})

test('pages of a large circle join without duplicates', async () => {
  const many = await indexOf(randomPlaces(3000, 3))
  const within = { centre: { latitude: 0, longitude: 0 }, radiusKm: 12_000 }
  for (const sort of ['distance', 'rating', 'popularity'] as const) {
    const all = ids(nearby(many, { within, sort, limit: 3000 }))
    const pages = Array.from({ length: 15 }, (_, i) => ids(nearby(many, { within, sort, offset: i * 200, limit: 200 })))
    expect(pages.flat()).toEqual(all)
    expect(new Set(all).size).toBe(all.length)
  }
})
