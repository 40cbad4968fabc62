import { describe, expect, test } from 'vitest'
import type { SearchQuery } from '../../src/domain/search.ts'
import { Budget } from '../../src/search/index/budget.ts'
import { searchPlaces } from '../../src/search/query/search-places.ts'
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

const index = await indexOf([
  city(1, ['Madrid', 'Мадрид', '马德里', 'マドリード'], 'ES', 3_200_000, [40.4168, -3.7038]),
  city(2, ['Athína', 'Athens', 'Αθήνα', 'Athen', '雅典'], 'GR', 660_000, [37.98, 23.73]),
  city(3, ['Athens'], 'US', 120_000, [33.96, -83.38]),
  city(4, ['Paris', 'París', 'パリ'], 'FR', 2_100_000, [48.86, 2.35]),
  city(5, ['Paris'], 'US', 25_000, [33.66, -95.55]),
  city(6, ['Tōkyō', 'Tokyo', '東京', 'โตเกียว', '도쿄'], 'JP', 9_700_000, [35.68, 139.69]),
  place(10, 'Museo Nacional del Prado', {
    category: 'ATTRACTION',
    categoryIds: ['museum'],
    country: 'ES',
    surroundings: ['Madrid', 'Comunidad de Madrid'],
    addresses: ['Calle de Ruiz de Alarcón 23, 28014'],
    postalCode: '28014',
    latitude: 40.4138,
    longitude: -3.6921,
    names: ['Museo Nacional del Prado', 'Prado Museum', 'プラド美術館'],
    nameLanguages: ['es', 'en'],
    rating: 4.7,
    ratingCount: 9000,
    status: 'OPEN',
    priceLevel: 'MODERATE',
  }),
  place(11, 'Café Prado', {
    category: 'RESTAURANT',
    categoryIds: ['cafe'],
    country: 'CO',
    surroundings: ['Bogotá'],
    status: 'OPEN',
  }),
  place(12, 'Hotel Ritz', {
    category: 'HOTEL',
    categoryIds: ['hotel'],
    country: 'ES',
    surroundings: ['Madrid'],
    rating: 4.5,
    ratingCount: 800,
    latitude: 40.4155,
    longitude: -3.6925,
  }),
  place(13, 'Hotel Ritz', {
    category: 'HOTEL',
    categoryIds: ['hotel'],
    country: 'FR',
    surroundings: ['Paris'],
    rating: 4.6,
    ratingCount: 900,
    latitude: 48.868,
    longitude: 2.328,
  }),
  place(14, 'Taverna Platanos', {
    category: 'RESTAURANT',
    categoryIds: ['restaurant'],
    country: 'GR',
    surroundings: ['Athína'],
    rating: 4.4,
    ratingCount: 300,
    labels: ['Greek'],
  }),
  place(15, 'Psaras', {
    category: 'RESTAURANT',
    categoryIds: ['restaurant'],
    country: 'GR',
    surroundings: ['Athína'],
    rating: 4.1,
    ratingCount: 20,
  }),
  place(16, 'The Grit', {
    category: 'RESTAURANT',
    categoryIds: ['restaurant'],
    country: 'US',
    surroundings: ['Athens'],
    rating: 4.1,
    ratingCount: 25,
  }),
  place(17, 'John F. Kennedy International Airport', {
    category: 'TRANSPORT',
    categoryIds: ['airport'],
    codes: ['JFK', 'KJFK'],
    country: 'US',
    surroundings: ['New York'],
  }),
  place(18, 'Jfkson Diner', {
    category: 'RESTAURANT',
    categoryIds: ['restaurant'],
    country: 'US',
    rating: 5,
    ratingCount: 5000,
  }),
  place(19, 'Ritz Bar', {
    category: 'RESTAURANT',
    categoryIds: ['bar'],
    country: 'ES',
    surroundings: ['Madrid'],
    status: 'CLOSED',
    rating: 4.9,
    ratingCount: 5000,
  }),
  place(20, 'Smørrebrød Łódź', { category: 'RESTAURANT', categoryIds: ['restaurant'], country: 'PL' }),
  place(21, 'Gasthaus Zur Sonne', {
    category: 'RESTAURANT',
    categoryIds: ['restaurant'],
    country: 'DE',
    surroundings: ['München'],
    addresses: ['Hauptstraße 5, 80331'],
    postalCode: '80331',
  }),
  place(22, 'Hostal Sol', {
    category: 'HOTEL',
    categoryIds: ['hostel'],
    country: 'ES',
    surroundings: ['Madrid'],
    rating: 3.9,
    ratingCount: 40,
  }),
  place(23, 'Night Owl', {
    category: 'RESTAURANT',
    categoryIds: ['bar'],
    country: 'ES',
    surroundings: ['Madrid'],
    latitude: 40.4,
    longitude: -3.7,
    openingHours: { periods: [{ dayOfWeek: 'FRIDAY', opens: '22:00', closes: '03:00' }] },
  }),
  place(24, 'Owl Without Hours', { category: 'RESTAURANT', country: 'ES', surroundings: ['Madrid'] }),
  place(26, 'Park Hyatt', { category: 'HOTEL', categoryIds: ['hotel'], country: 'JP', surroundings: ['Tokyo'] }),
  place(25, 'Roma', { primaryName: 1, names: ['Rome', 'Roma'], category: 'GEO', country: 'IT' }),
])

describe('the first result', () => {
  test.each<[string, string, number, Partial<SearchQuery>?]>([
    ['a name', 'museo nacional del prado', 10],
    ['an alternate name', 'Prado Museum', 10],
    ['Japanese', 'プラド美術館', 10],
    ['a part of a Japanese name', 'プラド', 10],
    ['Chinese', '马德里', 1],
    ['Cyrillic', 'мадрид', 1],
    ['Greek without its accent', 'Αθηνα', 2],
    ['Thai', 'โตเกียว', 6],
    ['Hangul', '도쿄', 6],
    ['an unfinished syllable', '도ㅋ', 6],
    ['without diacritics', 'smorrebrod lodz', 20],
    ['upper case', 'TŌKYŌ', 6],
    ['a letter missing', 'musoe nacional del prado', 10],
    ['an extra letter', 'madridd', 1],
    ['a wrong letter', 'madrit', 1],
    ['swapped letters', 'ahtens', 2],
    ['two edits in a long word', 'smorebrdo', 20],
    ['words swapped', 'prado nacional museo', 10],
    ['an unfinished last word', 'museo nacional del pr', 10],
    ['a missing space', 'hotelritz', 13],
    ['an extra space', 'pla tanos', 14],
    ['name and city', 'prado madrid', 10],
    ['name and another city', 'prado bogota', 11],
    ['city and name', 'paris ritz', 13],
    ['name and city in another language', 'platanos athen', 14],
    ['name and country', 'ritz spain', 12],
    ['name and country in another language', 'ritz frankreich', 13],
    ['the more popular of two', 'paris', 4],
    ['the closer of two', 'paris', 5, { near: { latitude: 33, longitude: -95 } }],
    ['the closer of two with words', 'hotel ritz', 12, { near: { latitude: 40.4, longitude: -3.7 } }],
    ['the beginning of any word, nearby', 'nac prado', 10, { near: { latitude: 40.4, longitude: -3.7 } }],
    ['category and place', 'restaurants in Athens', 14],
    ['category and place, Spanish', 'hoteles en Madrid', 12],
    ['category and place, German', 'Museen in Madrid', 10],
    ['category and place, French', 'restaurants à Athènes', 14],
    ['category and place, Chinese', '雅典 餐厅', 14],
    ['category and place without "in"', 'athens restaurants', 14],
    ['category and place, Japanese, without spaces', 'マドリードのホテル', 12],
    ['category and place, Chinese, without spaces', '马德里酒店', 12],
    ['category near place, Japanese', 'マドリード周辺の美術館', 10],
    ['category and place, Korean', '도쿄 호텔', 26],
    ['a name that consists of a city and a kind of place', '雅典餐厅', 14],
    ['category and country', 'restaurants in Poland', 20],
    ['attribute and place', 'greek athens', 14],
    ['an IATA code', 'JFK', 17],
    ['an ICAO code', 'kjfk', 17],
    ['an address', 'ruiz de alarcon 23', 10, { type: 'ADDRESS' }],
    ['an address with a sharp s', 'hauptstrasse 5', 21, { type: 'ADDRESS' }],
    ['a misspelt address', 'huaptstrasse 5 munchen', 21, { type: 'ADDRESS' }],
    ['name and address', 'prado alarcon', 10, { type: 'COMBINED' }],
    ['a name with COMBINED', 'prado museum', 10, { type: 'COMBINED' }],
    ['an extra word', 'hotel ritz xylophone paris', 13],
  ])('%s: %s', (_, text, first, more) => expect(ids(search(index, text, more))[0]).toBe(first))

  test('returns the name that matched, with its language', () => {
    expect(search(index, 'prado museum').hits[0]).toMatchObject({
      id: 10n,
      matchedName: { language: 'en', value: 'Prado Museum' },
    })
    expect(search(index, 'museo nacional del prado').hits[0]).toMatchObject({
      matchedName: { value: 'Museo Nacional del Prado' },
    })
    expect(search(index, 'rome').hits[0]).toMatchObject({ id: 25n, matchedName: { value: 'Rome' } })
    expect(search(index, 'JFK').hits[0]).not.toHaveProperty('matchedName')
  })

  test('lists restaurants of the larger Athens, best first, and none of the smaller (R-144)', () => {
    expect(ids(search(index, 'restaurants in athens'))).toEqual([14, 15])
  })

  test('does not find an address by name or a name by address', () => {
    expect(ids(search(index, 'ruiz de alarcon'))).toEqual([])
    expect(ids(search(index, 'museo nacional', { type: 'ADDRESS' }))).toEqual([])
  })
})

describe('filters', () => {
  test.each<[string, string, Partial<SearchQuery>, number[]]>([
    ['country', 'ritz', { countryCode: 'es' }, [12, 19]],
    ['category', 'ritz', { categories: ['HOTEL'] }, [13, 12]],
    ['several categories', 'ritz', { categories: ['HOTEL', 'RESTAURANT'] }, [13, 12, 19]],
    ['no status: CLOSED comes last', 'ritz', {}, [13, 12, 19]],
    ['status', 'ritz', { statuses: ['CLOSED'] }, [19]],
    ['rating', 'hotel', { minRating: 4.6 }, [13]],
    ['price', 'prado', { priceLevels: ['MODERATE'] }, [10]],
    ['geo name', 'ritz', { geoName: 'Paris' }, [13]],
    ['geo name in another language', 'restaurant', { geoName: 'Athens' }, [14, 16, 15]],
    ['geo name with its country', 'restaurant', { geoName: 'Athens, Greece' }, [14, 15]],
    ['geo name without places', 'ritz', { geoName: 'Narnia' }, []],
    ['geo name that is a country', 'ritz', { geoName: 'Francia' }, [13]],
    ['postal code', 'prado', { postalCode: '28 014' }, [10]],
    ['postal code takes precedence over geo name', 'prado', { postalCode: '28014', geoName: 'Paris' }, [10]],
    ['an unknown postal code', 'prado', { postalCode: '99999' }, []],
    ['scope by country', 'ritz', { scope: { countries: ['FR'] } }, [13]],
    ['scope by category', 'ritz', { scope: { categories: ['RESTAURANT'] } }, [19]],
    ['scope by source', 'ritz', { scope: { sources: ['other'] } }, []],
    ['open on Friday night in Madrid', 'owl', { openAtMs: Date.parse('2026-11-20T22:30:00Z') }, [23]],
    ['open past midnight', 'owl', { openAtMs: Date.parse('2026-11-21T01:30:00Z') }, [23]],
    ['after closing time', 'owl', { openAtMs: Date.parse('2026-11-21T02:30:00Z') }, []],
  ])('%s', (_, text, filters, expected) => {
    const result = search(index, text, filters)
    expect(ids(result)).toEqual(expected)
    expect(result.total).toBe(expected.length)
  })
})

test('an empty index returns no results', async () => {
  const empty = await indexOf([])
  expect(search(empty, 'paris')).toMatchObject({ hits: [], total: 0, revision: 1 })
})

describe('hostile queries', () => {
  const hostile = [
    'a'.repeat(500),
    '東'.repeat(500),
    '!'.repeat(500),
    '😀'.repeat(250),
    '\ud800\udfff\ud800',
    '\u0000\u0001\u007f',
    'a '.repeat(250),
    'hotel '.repeat(83),
    'x'.repeat(250) + ' '.repeat(250),
    'restaurants in in in in',
    'in',
    '%',
    '*',
    '""',
    "' OR 1=1 --",
    '\u202e\u200b\ufeff',
    'é'.repeat(500),
    '\u0301'.repeat(500),
    'ﷺ'.repeat(50),
    'ก'.repeat(500),
    '가'.repeat(166),
    '1'.repeat(500),
    '__proto__',
    'constructor',
  ]
  test.each(hostile.map((text, i) => [i, text] as const))('number %i stays within the budget', (_, text) => {
    const variants: Partial<SearchQuery>[] = [
      {},
      { near: { latitude: 90, longitude: 180 }, geoName: text, postalCode: text },
      { type: 'COMBINED' },
    ]
    for (const more of variants)
      expect(
        searchPlaces(
          index,
          { text, offset: 0, limit: 20, ...more },
          new Budget({ steps: 20_000, ms: Number.POSITIVE_INFINITY }),
        ),
      ).toBeDefined()
  })
})
