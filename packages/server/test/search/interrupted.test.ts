import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NearbyQuery, SearchQuery } from '../../src/domain/search.ts'
import { Budget, withinBudget } from '../../src/search/index/budget.ts'
import { type IndexQuery, runQuery } from '../../src/search/keep/query.ts'
import { indexOf, place, randomPlaces } from './world.ts'

const zones = ['Europe/Madrid', 'Asia/Tokyo', 'America/Lima', 'Africa/Cairo', 'Australia/Perth', 'Pacific/Fiji']
const documents = randomPlaces(4000, 3).map((document, i) => ({
  ...document,
  surroundings: [...document.surroundings, `Area ${i % 900}`],
  openingHours: { periods: [{ dayOfWeek: 'THURSDAY' as const, opens: '09:00', closes: '17:00' }] },
  timezone: zones[i % zones.length]!,
}))
const index = await indexOf([
  ...documents,
  place(9000, 'Athens', { category: 'GEO', country: 'GR', population: 600_000 }),
])

const page = { offset: 0, limit: 20 }
const world = { box: { south: -90, west: -180, north: 90, east: 180 } }
const letters = Array.from({ length: 250 }, (_, i) => String.fromCharCode(97 + (i % 26))).join(' ')
const misspelt = Array.from({ length: 32 }, (_, i) => `${'kalomirates'.slice(i % 4, (i % 4) + 7)}${i}`).join(' ')
const ofSearch = (query: Partial<SearchQuery>): IndexQuery => ({
  kind: 'search',
  query: { text: 'hotel', ...page, ...query },
})
const ofNearby = (query: Partial<NearbyQuery>): IndexQuery => ({
  kind: 'nearby',
  query: { within: world, sort: 'rating', ...page, ...query },
})
const ofShortlist = (text: string, geoName?: string): IndexQuery => ({
  kind: 'shortlist',
  query: {
    text,
    excluded: [],
    scope: {},
    languages: [],
    limit: 5,
    nowMs: 0,
    ...(geoName && { destination: { geoName } }),
  },
})

/**
 * Queries with the steps that they must exceed, because each does at least so much work of the kind that its name says.
 */
const hostile: readonly (readonly [work: string, steps: number, query: IndexQuery])[] = [
  ['the length of the text', 500, ofSearch({ text: 'ﷺ'.repeat(500) })],
  ['misspellings', 4000, ofSearch({ text: misspelt })],
  [
    'splits of words',
    1500,
    ofSearch({ text: 'hotelgrandmuseumbarparkold kalomirateskalomirateskalo tesborvinhaldrotesborvin' }),
  ],
  ['one-letter words', 3000, ofSearch({ text: letters, type: 'COMBINED' })],
  [
    'areas of a geo_name',
    800,
    ofSearch({ text: 'h', geoName: Array.from({ length: 60 }, (_, i) => `area ${i}`).join() }),
  ],
  ['time zones', 1800, ofSearch({ text: 'kal', openAtMs: 0 })],
  ['places of the world that are open', 10_000, ofNearby({ openAtMs: 0 })],
  ['the last page by rating', 6000, ofNearby({ offset: 3980 })],
  ['the last page by distance', 6000, ofNearby({ offset: 3980, sort: 'distance' })],
  ['areas of a destination', 2000, ofShortlist('nice', 'area, area, zzz')],
  ['words that may be destinations', 2500, ofShortlist(letters)],
]

describe('a budget covers', () => {
  test.each(hostile)('%s', (_, steps, query) => {
    const budget = new Budget({ steps, ms: Number.POSITIVE_INFINITY })
    expect(withinBudget(budget, () => runQuery(index, query, budget))).toBeUndefined()
  })
})

test('a query that was interrupted anywhere leaves no trace in the next one', () => {
  const common = fc.constantFrom<IndexQuery>(
    ...hostile.map(([, , query]) => query),
    ofSearch({}),
    ofSearch({ text: 'grand museum kalo' }),
    ofSearch({ text: 'kalmo mirat', near: { latitude: 3, longitude: 4 } }),
    ofSearch({ text: 'wrnog nmae hotle' }),
    ofNearby({ sort: 'distance', minRating: 3 }),
    ofShortlist('hotels in athens'),
  )
  const expected = new Map<IndexQuery, unknown>()
  const full = (query: IndexQuery) => runQuery(index, query, Budget.unlimited())
  fc.assert(
    fc.property(common, common, fc.nat(20_000), (interrupted, next, steps) => {
      if (!expected.has(next)) expected.set(next, full(next))
      const budget = new Budget({ steps, ms: Number.POSITIVE_INFINITY })
      const inline = withinBudget(budget, () => runQuery(index, interrupted, budget))
      if (inline !== undefined) expect(inline).toEqual(full(interrupted))
      expect(full(next)).toEqual(expected.get(next))
    }),
    { numRuns: 150 },
  )
})
