import { describe, expect, test } from 'vitest'
import type { SearchQuery } from '../../src/domain/search.ts'
import { Budget } from '../../src/search/index/budget.ts'
import type { SearchDocument } from '../../src/search/index/document.ts'
import { parseQuery } from '../../src/search/query/parse-query.ts'
import { understand } from '../../src/search/query/understand/understand.ts'
import { ids, indexOf, place, search } from './world.ts'

const city = (id: number, names: string[], country: string, population: number, at: [number, number]) =>
  place(id, names[0]!, {
    names,
    category: 'GEO',
    categoryIds: ['geo:city'],
    country,
    population,
    latitude: at[0],
    longitude: at[1],
  })
const at = (latitude: number, longitude: number) => ({ latitude, longitude })
const hotel = (id: number, name: string, more: Partial<SearchDocument>) =>
  place(id, name, { category: 'HOTEL', categoryIds: ['hotel'], ...more })

const prague = { country: 'CZ', surroundings: ['Praha'] }
const granada = { country: 'ES', surroundings: ['Granada'] }

/** A world of namesakes: cities, words that are also names, and places that say no city. */
const index = await indexOf([
  city(1, ['Praha', 'Prague', 'Prag', 'Praga', 'Прага'], 'CZ', 1_300_000, [50.08, 14.42]),
  city(2, ['Granada'], 'ES', 230_000, [37.18, -3.6]),
  city(3, ['Granada'], 'NI', 105_000, [11.93, -85.95]),
  city(4, ['Nice'], 'FR', 340_000, [43.7, 7.27]),
  city(5, ['Best'], 'NL', 30_000, [51.51, 5.39]),
  city(6, ['Las Vegas'], 'US', 640_000, [36.17, -115.14]),
  city(7, ['New York', 'New York City'], 'US', 8_400_000, [40.71, -74]),
  city(8, ['York'], 'GB', 150_000, [53.96, -1.08]),
  city(9, ['Me'], 'US', 5_000, [45, -69]),
  place(10, 'Hostel One', {
    ...prague,
    category: 'HOTEL',
    categoryIds: ['hostel'],
    priceLevel: 'CHEAP',
    ...at(50.09, 14.42),
  }),
  place(11, 'Meininger', { country: 'CZ', category: 'HOTEL', categoryIds: ['hostel'], ...at(50.1, 14.4) }),
  hotel(12, 'Hotel Kampa', { ...prague, ...at(50.085, 14.41) }),
  hotel(13, 'Cheap Hostels Hotel', { country: 'AU', ...at(-33, 151) }),
  hotel(14, 'Alhambra Palace', { ...granada, ...at(37.17, -3.59) }),
  hotel(15, 'Plaza Colon', { country: 'NI', surroundings: ['Granada'], ...at(11.93, -85.95) }),
  place(16, 'Best Western', { category: 'HOTEL', categoryIds: ['hotel'], country: 'US', ...at(30, -90) }),
  place(17, 'New York Pizza', {
    category: 'RESTAURANT',
    categoryIds: ['restaurant'],
    country: 'US',
    surroundings: ['Las Vegas'],
    ...at(36.17, -115.14),
  }),
  place(18, 'Museo del Hielo', {
    category: 'ATTRACTION',
    categoryIds: ['museum'],
    country: 'NI',
    surroundings: ['Granada'],
    ...at(11.93, -85.95),
  }),
  place(19, 'Restaurants in Praha', {
    category: 'RESTAURANT',
    categoryIds: ['restaurant'],
    country: 'US',
    ...at(40, -80),
  }),
  place(20, 'Lokál', { ...prague, category: 'RESTAURANT', categoryIds: ['restaurant'], ...at(50.088, 14.425) }),
  place(22, 'Pražský hrad', {
    ...prague,
    names: ['Pražský hrad', 'Prague Castle'],
    category: 'ATTRACTION',
    categoryIds: ['castle'],
    ...at(50.0905, 14.4005),
  }),
  place(23, 'Václav Havel Airport Prague', {
    country: 'CZ',
    codes: ['PRG'],
    category: 'TRANSPORT',
    categoryIds: ['airport'],
    ...at(50.1, 14.26),
  }),
  hotel(24, 'Airport Stay', { country: 'CZ', ...at(50.105, 14.27) }),
  place(25, 'Sakura', {
    ...prague,
    category: 'RESTAURANT',
    categoryIds: ['restaurant'],
    labels: ['Japonesa'],
    ...at(50.087, 14.43),
  }),
  place(26, 'Japanese Garden', { ...prague, category: 'ATTRACTION', categoryIds: ['garden'], ...at(50.07, 14.4) }),
  hotel(21, 'Closed Inn', { ...prague, status: 'CLOSED', ...at(50.08, 14.42) }),
])

interface Read {
  readonly place?: number | string
  readonly words?: string
  readonly kinds?: readonly string[]
  readonly role?: 'in' | 'near'
  readonly ignored?: string
}

function read(text: string, more: Partial<SearchQuery> = {}): Read {
  const query = { text, offset: 0, limit: 20, ...more }
  const { typed, stripped, place: whole } = understand(index, query, parseQuery(text), Budget.unlimited())
  const { name, inPlace } = stripped ?? typed
  const reading = inPlace?.reading ?? name
  const { kinds, words, ignored, role } = reading
  const of = inPlace?.reading.place ?? whole
  return {
    ...(of && { place: of.id === undefined ? of.country! : Number(of.id) }),
    words: words.map(word => word.text).join(' '),
    ...(kinds.length > 0 && { kinds }),
    ...(role === 'near' && { role }),
    ...(ignored.length > 0 && { ignored: ignored.join(' ') }),
  }
}

describe('the reading of a query (R-144)', () => {
  test.each<[string, Read]>([
    ['hostels in praha', { place: 1, words: 'hostels', kinds: ['hostel'] }],
    ['Hostels near Prague', { place: 1, words: 'hostels', kinds: ['hostel'], role: 'near' }],
    ['prague hotels', { place: 1, words: 'hotels', kinds: ['HOTEL'] }],
    ['hotel kampa prague', { place: 1, words: 'hotel kampa' }],
    ['hotel kampa, prague', { place: 1, words: 'hotel kampa' }],
    ['show me cheap hostels in praha', { place: 1, words: 'hostels', kinds: ['hostel'], ignored: 'show me' }],
    ['best restaurants in prague', { place: 1, words: 'restaurants', kinds: ['RESTAURANT'], ignored: 'best' }],
    ['best restaurants', { words: 'restaurants', ignored: 'best' }],
    ['nice hotels', { words: 'hotels', ignored: 'nice' }],
    ['hotels nice', { place: 4, words: 'hotels', kinds: ['HOTEL'] }],
    ['new york', { place: 7, words: 'new york' }],
    ['granada, nicaragua', { place: 3, words: 'granada nicaragua' }],
    ['museums in granada nicaragua', { place: 3, words: 'museums attraction', kinds: ['museum'] }],
    ['museums in spain', { place: 'ES', words: 'museums attraction', kinds: ['museum'] }],
    ['5 star hotels in nice with pool', { place: 4, words: 'hotels', kinds: ['HOTEL'] }],
    ['paris', { words: 'paris' }],
    ['things to do near PRG', { place: 23, words: 'things to do', kinds: ['ATTRACTION'], role: 'near' }],
    ['hotels near the castle', { place: 22, words: 'hotels', kinds: ['HOTEL'], role: 'near' }],
    ['hostels in der Nähe von Prag', { place: 1, words: 'hostels', kinds: ['hostel'], role: 'near' }],
    ['cheap hotels close to prague airport', { place: 23, words: 'hotels', kinds: ['HOTEL'], role: 'near' }],
    ['hotels near PRG', { place: 23, words: 'hotels', kinds: ['HOTEL'], role: 'near' }],
    ['hotels near prague castle czechia', { place: 22, words: 'hotels', kinds: ['HOTEL'], role: 'near' }],
    ['hotels near me', { words: 'hotels' }],
    ['museums in antarctica', { place: 'AQ', words: 'museums attraction', kinds: ['museum'] }],
    ['que voir à prague', { place: 1, words: 'que voir', kinds: ['ATTRACTION'], ignored: 'a' }],
    ['hotels near me in prague', { place: 1, words: 'hotels', kinds: ['HOTEL'] }],
    ['sushi in prague', { place: 1, words: 'sushi restaurant', kinds: ['RESTAURANT'] }],
    ['italienisches Restaurant Prag', { place: 1, words: 'italienisches restaurant', kinds: ['RESTAURANT'] }],
    [
      'restaurante de comida peruana en prague',
      { place: 1, words: 'restaurante peruana', kinds: ['RESTAURANT'], ignored: 'de en' },
    ],
    ['mexico restaurant nice', { place: 4, words: 'mexico restaurant', kinds: ['RESTAURANT'] }],
    ['food near the castle', { place: 22, words: 'restaurant', kinds: ['RESTAURANT'], role: 'near' }],
    ['japanese garden prague', { place: 1, words: 'japanese garden' }],
    ['thai airways prague', { place: 1, words: 'thai airways' }],
    ['museos cerca de mí', { words: 'museos' }],
    ['Hotels in meiner Nähe', { words: 'hotels' }],
    ['weather in prague', { words: 'prague', ignored: 'weather in' }],
    ['ruhige Hotels in Prag', { place: 1, words: 'hotels', kinds: ['HOTEL'], ignored: 'ruhige' }],
    ['waterfalls in prague', { place: 1, words: 'waterfalls attraction', kinds: ['waterfall'] }],
    ['palace hotel prague', { place: 1, words: 'palace hotel' }],
    ['hotele w Pradze', { place: 1, words: 'hotele', kinds: ['HOTEL'] }],
    ['отели Праги', { place: 1, words: 'отели', kinds: ['HOTEL'] }],
    ['new york sushi', { place: 7, words: 'sushi restaurant', kinds: ['RESTAURANT'] }],
    ['Hotels am Flughafen Prag', { place: 23, words: 'hotels', kinds: ['HOTEL'], role: 'near' }],
    ['jack in the best box las vegas', { place: 6, words: 'jack in box', ignored: 'the best' }],
    ['hostels in Pragua', { place: 1, words: 'hostels', kinds: ['hostel'] }],
    ['hotels near Pargue', { place: 1, words: 'hotels', kinds: ['HOTEL'], role: 'near' }],
    ['hotels by prague castle', { place: 22, words: 'hotels', kinds: ['HOTEL'], role: 'near' }],
    ['garden by bay', { words: 'garden by bay' }],
    ['alberghi di Praga', { place: 1, words: 'alberghi', kinds: ['HOTEL'] }],
    ['hostels Granada, Nicaragua', { place: 3, words: 'hostels', kinds: ['hostel'] }],
    ['museum of spain, granada', { place: 2, words: 'museum of spain' }],
  ])('%s', (text, expected) => expect(read(text)).toEqual(expected))
})

describe('results of readings', () => {
  test.each<[string, string, number[], Partial<SearchQuery>?]>([
    ['a city takes in what is close and says no city', 'hostels in praha', [10, 11]],
    ['words that name nothing', 'show me cheap hostels in praha', [10, 11]],
    ['the name of a brand of such words', 'best western', [16]],
    ['a place elsewhere with all words in its name', 'new york pizza las vegas', [17]],
    ['no other city of that name', 'hotels in granada', [14]],
    ['the next city of that name, if the first has nothing', 'museums in granada', [18]],
    ['the city close to the bias', 'hotels in granada', [15], { near: at(12, -86) }],
    ['places near a sight, without it', 'hotels near prague castle', [12, 11, 10]],
    ['places near an airport', 'hotels near PRG', [24]],
    ['a name of all words, after the places of the kind', 'restaurants in praha', [20, 25, 19]],
    ['a cuisine by its label in another language', 'japanisches Restaurant in Prag', [25]],
    ['a whole name with such words, behind words that ask', 'show me restaurants in praha', [20, 25, 19]],
    ['a cuisine without a place', 'cocina japonesa', [25]],
    ['a kind of sight in another language', 'jardins à prague', [26]],
    ['the name of a garden, not a cuisine', 'japanese garden prague', [26]],
    ['places that say the city, then others, closed places last', 'hotels in praha', [12, 10, 11, 24, 21]],
  ])('%s: %s', (_, text, expected, more) =>
    expect(ids(search(index, text, more)).slice(0, expected.length)).toEqual(expected),
  )
})

describe('what a result says about the reading that gave it', () => {
  const wants = { priceLevels: [], openNow: false, nearMe: false, labels: [] }
  const inPrague = { id: 1n, name: 'Praha', role: 'in', countryCode: 'CZ' }
  const interpreted = (text: string, more: Partial<SearchQuery> = {}) =>
    search(index, text, { explain: true, ...more }).interpretation

  test.each<[string, object, Partial<SearchQuery>?]>([
    [
      'show me cheap hostels in praha',
      {
        kind: 'category_in_place',
        categoryIds: ['hostel'],
        place: inPrague,
        wants: { ...wants, priceLevels: ['CHEAP'] },
        ignored: ['show', 'me'],
      },
    ],
    ['museums in praha', { kind: 'category_in_place', categoryIds: ['museum'], place: inPrague }],
    ['hotels near prague castle', { kind: 'category_near', place: { id: 22n, name: 'Pražský hrad', role: 'near' } }],
    ['museums in granada', { kind: 'category_in_place', place: { id: 3n, countryCode: 'NI' } }],
    ['museums in spain', { place: { name: 'Spain', role: 'in', countryCode: 'ES' } }],
    ['best restaurants', { kind: 'category', categoryIds: ['restaurant'], ignored: ['best'] }],
    ['best western', { kind: 'name', categoryIds: [], ignored: [] }],
    ['hotel kampa prague', { kind: 'name_in_place', place: inPrague }],
    ['new york', { kind: 'place', place: { id: 7n, name: 'New York', role: 'in' } }],
    ['hotel kampa qqxzv', { kind: 'partial' }],
    ['hostel', { kind: 'category' }, { type: 'NAME' }],
    ['hostel', { kind: 'address' }, { type: 'ADDRESS' }],
  ])('%s', (text, expected, more) => expect(interpreted(text, more)).toMatchObject(expected))

  test('a place outside the scope of the key is not shown (R-03)', () => {
    expect(interpreted('hostels in praha', { scope: { categories: ['HOTEL'] } })).toEqual({
      kind: 'category_in_place',
      categoryIds: ['hostel'],
      wants,
      ignored: [],
      fallbacks: [],
      corrected: [],
      alternatives: [],
      needs: [],
    })
  })
})
