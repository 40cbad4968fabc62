import { expect, test } from 'vitest'
import { completenessOf, type NotableFields, notabilityOf } from './notability.ts'
import { popularity, prominence } from './popularity.ts'

const text = (length: number) => [{ value: 'x'.repeat(length) }]
const kind = (id: string) => [{ id, displayName: id, topLevelCategory: 'ATTRACTION' as const }]
const named = (languages: number) =>
  Array.from({ length: languages }, (_, i) => ({ language: `l${i}`, value: `name ${i}` }))
const plain: NotableFields = { names: [{ value: 'Tower' }], categories: kind('attraction') }

test.each<[string, Partial<NotableFields>, number]>([
  ['nothing', {}, 0],
  ['one language', { names: named(1) }, 0],
  ['more languages than count', { names: named(200) }, 0.35],
  ['a category of world heritage', { categories: kind('world_heritage') }, 0.52],
  ['an award of world heritage', { awards: [{ name: 'UNESCO World Heritage Site' }] }, 0.52],
  ['another award', { awards: [{ name: 'Michelin' }] }, 0.06],
  ['an entry in Wikidata', { externalIds: [{ source: 'wikidata', id: 'Q1' }] }, 0.12],
  ['an id of another source', { externalIds: [{ source: 'osm', id: 'n1' }] }, 0],
  ['a short description', { descriptions: text(200) }, 0],
  ['a long description', { descriptions: text(4000) }, 0.12],
  ['a museum', { categories: kind('museum') }, 0.08],
  ['an airport', { categories: kind('airport') }, 0],
  ['an airport with a code', { categories: kind('airport'), externalIds: [{ source: 'IATA', id: 'LHR' }] }, 0.08],
  [
    'an international airport',
    {
      names: [{ value: 'Flughafen Leipzig International' }],
      categories: kind('airport'),
      externalIds: [{ source: 'iata', id: 'LEJ' }],
    },
    1 - 0.92 * 0.88,
  ],
  ['photos', { photos: { totalCount: 3 } }, 0.06],
  ['five stars', { accommodation: { starRating: 5 } }, 0.06],
  ['four stars', { accommodation: { starRating: 4 } }, 0],
])('%s has a notability (R-146)', (_, fields, notability) =>
  expect(notabilityOf({ ...plain, ...fields })).toBeCloseTo(notability, 10),
)

test('facts combine as probabilities, up to a city of a million', () => {
  const facts = { names: named(61), categories: kind('world_heritage') }
  expect(notabilityOf({ ...plain, ...facts })).toBeCloseTo(1 - 0.65 * 0.48, 10)
  const all = { ...facts, externalIds: [{ source: 'wikidata', id: 'Q1' }], descriptions: text(9000) }
  expect(notabilityOf({ ...plain, ...all })).toBe(0.72)
})

test('a record is complete with all facts', () => {
  expect(completenessOf(plain, false)).toBe(0)
  const complete: NotableFields = {
    names: named(3),
    categories: [],
    descriptions: text(1),
    openingHours: { periods: [] },
    phoneNumbers: [{ value: '1' }],
    urls: { official: 'https://a.example' },
    photos: { totalCount: 1 },
    priceLevel: 'CHEAP',
  }
  expect(completenessOf(complete, true)).toBe(1)
})

test('cities are prominent by their population, other places also by their notability (R-146)', () => {
  const place = {
    id: 1n,
    names: [],
    primaryName: 0,
    codes: [],
    categoryIds: [],
    labels: [],
    addresses: [],
    surroundings: [],
    latitude: 0,
    longitude: 0,
    ratingCount: 0,
    population: 0,
    source: 'test',
  }
  const city = {
    ...place,
    category: 'GEO' as const,
    population: 1_000_000,
    notability: 0.7,
    rating: 5,
    ratingCount: 900,
  }
  expect(prominence(city)).toBe(popularity(undefined, 0, 1_000_000))
  expect(prominence({ ...city, categoryIds: ['geo:county'] })).toBe(popularity(undefined, 0, 200_000))
  const sight = { ...place, category: 'ATTRACTION' as const, notability: 0.6 }
  expect(prominence(sight)).toBe(0.6)
  expect(prominence({ ...sight, completeness: 0.5 })).toBeCloseTo(0.62, 10)
  expect(prominence({ ...sight, rating: 5, ratingCount: 100_000, notability: 0.72 })).toBe(0.9)
})
