import { describe, expect, test } from 'vitest'
import type { SearchQuery } from '../../src/domain/search.ts'
import { ids, indexOf, place, search } from './world.ts'

const hotel = {
  category: 'HOTEL',
  categoryIds: ['hotel'],
  surroundings: ['Lyon'],
  country: 'FR',
  latitude: 45.76,
  longitude: 4.83,
} as const
/** Open on Fridays until three at night, by the clock of the place. */
const openingHours = { periods: [{ dayOfWeek: 'FRIDAY' as const, opens: '22:00', closes: '03:00' }] }
const open = Date.parse('2026-11-20T23:30:00Z')
const closed = Date.parse('2026-11-20T20:30:00Z')

const index = await indexOf([
  place(1, 'Lyon', { ...hotel, category: 'GEO', categoryIds: ['geo:city'], population: 520_000 }),
  place(10, 'Alba', { ...hotel, notability: 0.3 }),
  place(11, 'Bora', { ...hotel, priceLevel: 'CHEAP' }),
  place(12, 'Cora', { ...hotel, priceLevel: 'LUXURY' }),
  place(13, 'Dora', { ...hotel, stars: 5 }),
  place(14, 'Etna', { ...hotel, stars: 4.5, labels: ['Piscina'] }),
  place(15, 'Fara', { ...hotel, openingHours, timezone: 'Europe/Paris' }),
  place(16, 'Gala', { ...hotel, labels: ['Family rooms', 'Romantic getaway'] }),
  place(17, 'Hera', { ...hotel, stars: 3, labels: ['Meeting rooms'] }),
])
const hotels = [10, 11, 12, 13, 14, 15, 16, 17]
const found = (text: string, more: Partial<SearchQuery> = {}) => ids(search(index, text, { nowMs: open, ...more }))

describe('what a text wants raises places that agree (R-144)', () => {
  test.each<[string, readonly number[]]>([
    ['hotels in lyon', [10]],
    ['cheap hotels in lyon', [11, 10]],
    ['hoteles baratos en lyon', [11, 10]],
    ['luxury hotels in lyon', [12, 13, 10]],
    ['5 star hotels in lyon', [13, 10]],
    ['five-star hotels in lyon', [13, 10]],
    ['4 Sterne Hotels in Lyon', [14, 10]],
    ['vier sterren hotels in lyon', [14, 10]],
    ['hôtels quatre étoiles à lyon', [14, 10]],
    ['5 yıldızlı otel lyon', [13, 10]],
    ['пятизвездочный отель lyon', [13, 10]],
    ['三星級 酒店 lyon', [17, 10]],
    ['hotels in lyon with a pool', [14, 10]],
    ['hotels in lyon open now', [15, 10]],
    ['hotels in lyon with kids', [16, 10]],
    ['hôtels pour couples à lyon', [16, 10]],
    ['hotels in lyon for business', [17, 10]],
    ['hotels in lyon with friends', [10]],
  ])('%s', (text, first) => expect(found(text).slice(0, first.length)).toEqual(first))

  test.each(['cheap hotels in lyon', '5 star hotels in lyon', 'hotels in lyon with kids', 'hotels in lyon open now'])(
    '"%s" finds all hotels, and pages agree',
    text => {
      expect(found(text).toSorted()).toEqual(hotels)
      const pages = [0, 3, 6].flatMap(offset => found(text, { offset, limit: 3 }))
      expect(pages).toEqual(found(text))
    },
  )

  test('no place loses, and each of several wants counts in part', () => {
    const scores = (text: string) =>
      new Map(search(index, text, { nowMs: open }).hits.map(({ id, score }) => [Number(id), score]))
    const [plain, one, two] = ['luxury', 'cheap', 'cheap 5 star'].map(want => scores(`${want} hotels in lyon`))
    expect(one!.get(10)).toBe(plain!.get(10))
    expect(one!.get(11)! - plain!.get(11)!).toBeCloseTo(0.08)
    expect(two!.get(11)! - plain!.get(11)!).toBeCloseTo(0.04)
  })

  test('"open now" is the time of the request by the clock of the place; without a time it says nothing', () => {
    expect(found('hotels in lyon open now', { nowMs: closed })[0]).toBe(10)
    expect(ids(search(index, 'hotels in lyon open now'))[0]).toBe(10)
  })

  test('a name with such words is found as typed', async () => {
    const named = await indexOf([
      place(1, 'Cheap Monday'),
      place(2, 'Monday', { priceLevel: 'CHEAP' }),
      place(3, 'Five Star Diner'),
    ])
    expect([ids(search(named, 'cheap monday')), ids(search(named, 'five star diner'))]).toEqual([[1], [3]])
  })
})

describe('near me', () => {
  const near = { latitude: 45.76, longitude: 4.83 }
  const at = (id: number, kilometres: number, more = {}) =>
    place(id, `Bistro ${id}`, {
      category: 'RESTAURANT',
      categoryIds: ['restaurant'],
      latitude: near.latitude + kilometres / 111.2,
      longitude: near.longitude,
      ...more,
    })
  test('finds the nearest first, up to 25 km away', async () => {
    const around = await indexOf([
      at(1, 9, { rating: 4.9, ratingCount: 9000, notability: 0.7 }),
      at(2, 3, { rating: 4, ratingCount: 300 }),
      at(3, 1),
      at(4, 30, { rating: 4.9, ratingCount: 9000 }),
      at(5, 2, { priceLevel: 'CHEAP' }),
    ])
    const foundNear = (text: string) => ids(search(around, text, { near }))
    expect(foundNear('restaurants near me')).toEqual([3, 5, 2, 1])
    expect(foundNear('cheap restaurants near me')).toEqual([5, 3, 2, 1])
  })
})
