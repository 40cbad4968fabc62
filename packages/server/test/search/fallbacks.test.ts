import { describe, expect, test } from 'vitest'
import type { SearchQuery } from '../../src/domain/search.ts'
import { ids, indexOf, place, search } from './world.ts'

const geo = (id: number, name: string, country: string, population: number, latitude: number, longitude: number) =>
  place(id, name, { category: 'GEO', categoryIds: ['geo:city'], country, population, latitude, longitude })
const inBerlin = { country: 'DE', surroundings: ['Berlin'], latitude: 52.52, longitude: 13.4 }
const inLyon = { country: 'FR', surroundings: ['Lyon'], latitude: 45.76, longitude: 4.83 }
const inBouake = { country: 'CI', surroundings: ['Bouaké'], latitude: 7.69, longitude: -5.03 }
const hotel = { category: 'HOTEL', categoryIds: ['hotel'] } as const
const restaurant = { category: 'RESTAURANT', categoryIds: ['restaurant'] } as const

/** A world in which famous places are absent, and places with similar names are elsewhere. */
const index = await indexOf([
  geo(1, 'Berlin', 'DE', 3_600_000, 52.52, 13.4),
  geo(2, 'Lyon', 'FR', 520_000, 45.76, 4.83),
  geo(3, 'Arlon', 'BE', 28_000, 49.68, 5.81),
  geo(4, 'Castle Rock', 'US', 50_000, 39.37, -104.86),
  place(5, 'Hotel Arlon', { ...hotel, country: 'BE', latitude: 49.68, longitude: 5.81 }),
  place(6, 'Berlin Bar', { ...restaurant, country: 'US', latitude: 39.5, longitude: -119.8 }),
  place(7, 'Currywurst Eck', { ...restaurant, ...inBerlin }),
  place(8, 'Zum Anker', { ...restaurant, ...inBerlin, latitude: 52.5 }),
  place(9, 'Le Bistrot', { category: 'RESTAURANT', categoryIds: ['bistro'], ...inLyon }),
  place(10, 'Chez Marie', { category: 'HOTEL', categoryIds: ['guesthouse'], ...inLyon }),
  place(11, 'Grand Hotel Palais Lumiere', { ...hotel, ...inLyon }),
  place(17, 'Parc Blandan', { category: 'ATTRACTION', categoryIds: ['park'], ...inLyon }),
  place(12, 'Basilique Notre Dame', { category: 'ATTRACTION', categoryIds: ['church'], ...inBouake }),
  place(13, 'Restaurant Le Baobab', { ...restaurant, ...inBouake, rating: 4.5, ratingCount: 900 }),
  place(14, 'Ivory Roast', { ...restaurant, country: 'US', latitude: 40, longitude: -80 }),
  place(15, 'New Taste of China', { ...restaurant, country: 'US', latitude: 41, longitude: -81 }),
  place(16, 'Schloss Sanssouci', { country: 'DE', latitude: 52.4, longitude: 13.03 }),
])

const answer = (text: string, more: Partial<SearchQuery> = {}) => {
  const found = search(index, text, { explain: true, ...more })
  return [ids(found), found.interpretation?.fallbacks]
}

describe('what a search answers if nothing matches (R-156)', () => {
  test.each<[string, string, number[], readonly string[]]>([
    ['the place, not a name like an absent one', 'hotel adlon berlin', [1], ['place_only']],
    ['the place, not what has its name elsewhere', 'noma berlin', [1], ['place_only']],
    ['nothing, although there are other castles', 'neuschwanstein castle', [], []],
    ['the place of a kind that it does not have', 'museums in berlin', [1], ['place_only']],
    ['a similar kind', 'pizzerias in lyon', [9], ['kind_widened']],
    ['any place to stay, if there is no similar one', 'campgrounds in lyon', [10, 11], ['kind_widened']],
    ['the place of what may be a name', 'lyon opera house', [2], ['place_only']],
    ['any food, if a place has none of a dish', 'sushi in berlin', [7, 8], ['kind_widened']],
    ['places of a kind, without words that only describe', 'romantic restaurants berlin', [7, 8], []],
    ['places of a country without a location', 'ivory coast', [13, 12], ['place_only']],
    ['nothing in a country without places', 'bhutan', [], ['place_only']],
    ['a name in the place with some of the words', 'palais lumiere qqxzv lyon', [11], ['partial']],
    ['an entire name with an unknown word', 'new taste of china qqxzv', [15], ['partial']],
    ['a name of the country behind a comma, outside the place', 'schloss sanssouci, berlin', [16], ['partial']],
    ['what was asked for', 'hotel arlon', [5], []],
  ])('%s: %s', (_, text, expected, fallbacks) => expect(answer(text)).toEqual([expected, fallbacks]))

  test('filters remove results, and lead to no other fallback', () => {
    expect(answer('museums in berlin', { categories: ['HOTEL'] })).toEqual([[], ['place_only']])
  })

  test('nothing is guessed while a text is typed', () => {
    expect(ids(search(index, 'hotel adlon berlin', { isTyping: true }))).toEqual([])
  })
})
