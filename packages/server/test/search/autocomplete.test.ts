import { expect, test } from 'vitest'
import type { AutocompleteQuery, Suggestion } from '../../src/domain/autocomplete.ts'
import { Budget } from '../../src/search/index/budget.ts'
import type { IndexView } from '../../src/search/index/index-view.ts'
import { autocompletePlaces } from '../../src/search/query/autocomplete-places.ts'
import { listedIndexOf, partedIndexOf, place } from './world.ts'

const city = (id: number, name: string, country: string, population: number, at: [number, number]) =>
  place(id, name, {
    category: 'GEO',
    categoryIds: ['geo:city'],
    country,
    population,
    latitude: at[0],
    longitude: at[1],
  })

const hostel = (id: number, name: string, at: [number, number]) =>
  place(id, name, {
    category: 'HOTEL',
    categoryIds: ['hostel'],
    country: 'CA',
    locality: ['Halifax', 'Nova Scotia'],
    surroundings: ['Halifax', 'Nova Scotia'],
    latitude: at[0],
    longitude: at[1],
  })

const documents = [
  { ...city(812, 'Halifax', 'CA', 400_000, [44.65, -63.57]), region: 'CA-NS' },
  city(813, 'Halifax', 'GB', 80_000, [53.72, -1.86]),
  place(814, 'Haliç', { names: ['Haliç', 'Golden Horn'], nameLanguages: ['tr', 'en'], country: 'TR' }),
  hostel(820, 'Halifax Backpackers', [44.66, -63.58]),
  hostel(821, 'Old Hostel', [44.64, -63.57]),
  place(822, 'Halifax Grill', { category: 'RESTAURANT', categoryIds: ['restaurant'], status: 'CLOSED', country: 'CA' }),
  ...Array.from({ length: 40 }, (_, i) => place(900 + i, `Halo ${i}`, { latitude: i, longitude: i })),
]
const index = await listedIndexOf(documents, 10)

const suggest = (text: string, more: Partial<AutocompleteQuery> = {}, view: IndexView = index): readonly Suggestion[] =>
  autocompletePlaces(view, { text, locales: [], limit: 5, ...more }, Budget.unlimited()).suggestions
const idsOf = (suggestions: readonly Suggestion[]) =>
  suggestions.map(one => (one.type === 'location' ? Number(one.id) : one.text))

test('a beginning suggests places with what is typed, and the frequent kind of the best city', () => {
  const [first, ...others] = suggest('halif')
  expect(first).toEqual({
    type: 'location',
    id: 812n,
    name: { value: 'Halifax' },
    highlights: [{ start: 0, length: 5 }],
    secondaryText: 'Nova Scotia, Canada',
    categoryId: 'geo:city',
    coordinates: { latitude: 44.65, longitude: -63.57 },
  })
  expect(idsOf(others)).toEqual([813, 814, 820, 'Hostels in Halifax'])
  expect(others.at(-1)).toEqual({ type: 'category', text: 'Hostels in Halifax', categoryIds: ['hostel'], geoId: 812n })
})

test('CLOSED places are left out, and words that nothing has give nothing', () => {
  expect(idsOf(suggest('halifax grill'))).not.toContain(822)
  expect(suggest('halifax zzzz')).toEqual([])
  expect(suggest('?!')).toEqual([])
})

test('the name is shown in the requested language, and the matched name next to it', () => {
  expect(suggest('golden', { locales: ['tr'] })).toMatchObject([
    {
      id: 814n,
      name: { language: 'tr', value: 'Haliç' },
      highlights: [],
      matched: { language: 'en', value: 'Golden Horn', highlights: [{ start: 0, length: 6 }] },
      secondaryText: 'Türkiye',
    },
  ])
  expect(suggest('golden', { locales: ['en'] })).toMatchObject([{ name: { value: 'Golden Horn' } }])
})

test.each([
  ['hostels', ['Hostels', 820]],
  ['host', [821, 'Hostels']],
  ['hostels in hal', ['Hostels in Halifax', 821]],
])('%s suggests a kind of place', (text, expected) => {
  expect(idsOf(suggest(text)).slice(0, 2)).toEqual(expected)
})

test('a place that follows a suggested city of its name is left out, unless the city is (R-154)', async () => {
  const county = { ...city(811, 'Halifax', 'CA', 450_000, [44.7, -63.5]), categoryIds: ['geo:county'] }
  const view = await listedIndexOf([...documents, county], 10)
  expect(idsOf(suggest('halifax', { limit: 10 }, view))).toEqual([812, 813, 820, 'Hostels in Halifax'])
  expect(idsOf(suggest('halifax', { categoryIds: ['geo:county'] }, view))).toEqual([811])
})

test.each([
  ['hostels', { categories: ['RESTAURANT'] }, []],
  ['hostels in hal', { categories: ['RESTAURANT'] }, []],
  ['hostels in hal', { scope: { categories: ['GEO'] } }, []],
  ['hostels in hal', { categoryIds: ['museum'] }, []],
  ['hostels in hal', { categoryIds: ['HOTEL'] }, ['Hostels in Halifax']],
  ['hostels in hal', { categories: ['HOTEL'], scope: { categories: ['HOTEL', 'GEO'] } }, ['Hostels in Halifax']],
] satisfies [string, Partial<AutocompleteQuery>, string[]][])(
  '%s with %o suggests the kinds %j',
  (text, more, kinds) => {
    expect(idsOf(suggest(text, more)).filter(one => typeof one === 'string')).toEqual(kinds)
  },
)

test.each([
  ['a state without a city', { region: 'DE-BY' }, 'Bavaria, Germany'],
  ['a state that the record lacks', { region: 'DE-BY', locality: ['Nürnberg'] }, 'Nürnberg, Bavaria, Germany'],
  ['no state that the record has', { region: 'DE-BY', locality: ['Fürth', 'Bayern'] }, 'Fürth, Bayern, Germany'],
  ['the name of a state that is a code', { region: 'DE-BY', locality: ['Fürth', 'BY'] }, 'Fürth, Bavaria, Germany'],
  ['no state of the same name', { region: 'DE-HH', locality: ['Hamburg'] }, 'Hamburg, Germany'],
])('the second text has %s', async (_name, more, expected) => {
  const view = await listedIndexOf([place(1, 'Christkindlesmarkt', { country: 'DE', ...more })], 10)
  expect(suggest('christ', {}, view)).toMatchObject([{ secondaryText: expected }])
})

test('a bias prefers what is near, among all places within 30 km', () => {
  const near = { latitude: 30, longitude: 30 }
  const [first] = suggest('hal', { near })
  expect(first).toMatchObject({ id: 930n, distanceKm: 0 })
})

test('parts and an overlay suggest what one segment suggests', async () => {
  const parted = await partedIndexOf(documents, 7, 10)
  for (const text of ['h', 'ha', 'hal', 'halif', 'halifax b', 'golden', 'hostels in hal', 'halifxa']) {
    for (const near of [undefined, { latitude: 44.6, longitude: -63.5 }])
      expect(suggest(text, { ...(near && { near }) }, parted), text).toEqual(suggest(text, { ...(near && { near }) }))
  }
})
