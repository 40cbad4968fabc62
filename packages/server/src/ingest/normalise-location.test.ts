import { describe, expect, it, test } from 'vitest'
import { normaliseLocation } from './normalise-location.ts'

const options = { defaultSource: 'file', defaultStatus: 'OPEN', thisYear: 2026 } as const

/** The canonical location of a record, and its notes. */
function put(more: object) {
  const record = normaliseLocation({ id: 1, name: 'Place', lat: 1, lon: 2, ...more }, options)
  if ('reason' in record) throw new Error(record.detail)
  if (record.op !== 'put') throw new Error(record.op)
  return record
}

describe('names (R-25)', () => {
  const primary = (value: string, language?: string) => ({ ...(language && { language }), value, primary: true })
  it.each<[string, object, object[]]>([
    ['a bare one has no language', {}, [primary('Place')]],
    ['the language of the record', { lang: 'de' }, [primary('Place', 'de')]],
    [
      'the language of an equal text',
      { names: { it: 'Luogo', en: 'Place' } },
      [primary('Place', 'en'), { language: 'it', value: 'Luogo' }],
    ],
    [
      "of several equal ones the country's",
      { country: 'ES', names: { pt: 'Place', es: 'Place', en: 'Place' } },
      [primary('Place', 'es'), { language: 'pt', value: 'Place' }, { language: 'en', value: 'Place' }],
    ],
    [
      'tags are made canonical',
      { names: { zh_tw: 'x', 'EN-gb': 'y' } },
      [primary('Place'), { language: 'zh-TW', value: 'x' }, { language: 'en-GB', value: 'y' }],
    ],
    [
      'blank ones are left out',
      { names: { fr: ' ', de: 'Ort' } },
      [primary('Place'), { language: 'de', value: 'Ort' }],
    ],
    [
      'nested: the marked one is primary',
      {
        names: [
          { language: 'en', value: 'a' },
          { language: 'de', value: 'b', primary: true },
        ],
      },
      [{ language: 'en', value: 'a' }, primary('b', 'de')],
    ],
    [
      'nested: none marked, the first is',
      { names: [{ language: 'en', value: 'a' }, { value: 'b' }] },
      [primary('a', 'en'), { value: 'b' }],
    ],
    [
      'nested: two marked, the first is',
      {
        names: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      },
      [primary('a'), { value: 'b' }],
    ],
    ['nested and empty: the bare one', { names: [] }, [primary('Place')]],
  ])('%s', (_name, given, names) => expect(put(given).location.names).toEqual(names))

  it('keeps texts without a language for search only', () => {
    expect(put({ names: { xx_bad_tag_: 'Other' }, alt_name: 'Alias' })).toMatchObject({
      location: { alternateNames: ['Alias', 'Other'] },
      notes: ['unknown_language'],
    })
  })
})

describe('classification (rulings: Operations, §6)', () => {
  it.each<[string, object, string, string[]]>([
    ['a known word', { category: 'Wine Bar' }, 'RESTAURANT', []],
    ['an unknown word', { category: 'dentist' }, 'OTHER', ['unknown_category']],
    ['none', {}, 'OTHER', []],
    ['nested', { categories: [{ id: 'x', top_level_category: 'geo' }] }, 'GEO', []],
    ['nested, known by its id', { categories: [{ id: 'museum' }] }, 'ATTRACTION', []],
  ])('%s', (_name, given, top, notes) => {
    const { location, facts, notes: found } = put(given)
    expect([location.categories[0]?.topLevelCategory, facts.category, found]).toEqual([top, top, notes])
  })

  it.each([
    ['€€', 'MODERATE'],
    ['$$$$', 'LUXURY'],
    ['¥', 'CHEAP'],
    ['€$', undefined],
    ['$$$$$', undefined],
    ['120', undefined],
    ['2', undefined],
    ['luxury', 'LUXURY'],
  ])('price %s is %s', (price, level) => expect(put({ price }).location.priceLevel).toBe(level))
  it.each([
    [1, 'CHEAP'],
    ['4', 'LUXURY'],
    [5, undefined],
    [0, undefined],
  ])('price_level %s is %s', (level, expected) =>
    expect(put({ price_level: level }).location.priceLevel).toBe(expected),
  )
})

describe('addresses', () => {
  it.each<[string, object, object[] | undefined]>([
    ['none', {}, undefined],
    ['a country alone', { country: 'es' }, [{ countryName: 'Spain', countryCode: 'ES', formatted: 'Spain' }]],
    [
      'in parts',
      { address: 'Calle 1', city: 'Madrid', postal_code: 28014, country: 'ES' },
      [
        {
          streetAddress: 'Calle 1',
          city: 'Madrid',
          postalCode: '28014',
          countryName: 'Spain',
          countryCode: 'ES',
          formatted: 'Calle 1, 28014 Madrid, Spain',
        },
      ],
    ],
    [
      'whole in one line',
      { address: 'Calle 1, 28014 Madrid', city: 'Madrid' },
      [{ city: 'Madrid', formatted: 'Calle 1, 28014 Madrid' }],
    ],
    ['nested', { addresses: [{ city: 'Madrid', country_code: 'es' }, {}] }, [{ city: 'Madrid', countryCode: 'ES' }]],
  ])('%s', (_name, given, addresses) => expect(put(given).location.addresses).toEqual(addresses))

  it('an invalid country is dropped with a note and is not part of the scope facts', () => {
    const { facts, notes } = put({ country: 'Atlantis' })
    expect([facts.country, notes]).toEqual([undefined, expect.arrayContaining(['unknown_country'])])
  })
})

describe('opening hours (R-35)', () => {
  const day = (more: object) => ({
    opening_hours: { periods: [{ day_of_week: 'mo', opens: '9:00', closes: '24:00', ...more }] },
  })
  it.each<[string, object, object | undefined]>([
    ['normalized', day({}), { periods: [{ dayOfWeek: 'MONDAY', opens: '09:00', closes: '00:00' }] }],
    [
      'a day by number',
      day({ day_of_week: 7, closes: '17:30:00' }),
      { periods: [{ dayOfWeek: 'SUNDAY', opens: '09:00', closes: '17:30' }] },
    ],
    ['an unknown day', day({ day_of_week: 8 }), undefined],
    ['an invalid time', day({ opens: '25:00' }), undefined],
    ['text of no known syntax stays text', { opening_hours: 'by appointment' }, { formatted: ['by appointment'] }],
    [
      'text in the syntax of OpenStreetMap',
      { hours: 'Sa 9-2', timezone: 'Europe/Madrid' },
      {
        periods: [{ dayOfWeek: 'SATURDAY', opens: '09:00', closes: '02:00' }],
        formatted: ['Sa 9-2'],
        timezone: 'Europe/Madrid',
      },
    ],
    [
      'a day off',
      { opening_hours: { special_days: [{ date: '2026-12-25' }] } },
      { specialDays: [{ date: '2026-12-25' }] },
    ],
    [
      'a zone of the record',
      { timezone: 'Europe/Rome', ...day({}) },
      { periods: expect.anything(), timezone: 'Europe/Rome' },
    ],
    ['an unknown zone', { timezone: 'Europe/Atlantis', ...day({}) }, { periods: expect.anything() }],
    ['nothing', { opening_hours: {} }, undefined],
  ])('%s', (_name, given, hours) => expect(put(given).location.openingHours).toEqual(hours))

  it('one unreadable period makes all hours unknown, never closed', () => {
    const periods = [
      { day_of_week: 'MONDAY', opens: '09:00', closes: '17:00' },
      { day_of_week: 'someday', opens: '1', closes: '2' },
    ]
    expect(put({ opening_hours: { periods, formatted: ['as they say'] } })).toMatchObject({
      location: { openingHours: { formatted: ['as they say'] } },
      notes: ['opening_hours_not_understood'],
    })
  })
})

describe('ratings (R-23)', () => {
  it.each<[object, object | undefined]>([
    [{ rating: 4.275, review_count: 3 }, { overall: { rating: 4.28, count: 3 } }],
    [{ rating: 1.005 }, { overall: { rating: 1.01 } }],
    [{ rating: 4.2749 }, { overall: { rating: 4.27 } }],
    [{ rating: 0, review_count: 0 }, undefined],
    [{ rating: null }, undefined],
    [
      { subratings: { 'Sleep Quality': 4, value: null, '!': 3 } },
      { subratings: [{ type: 'sleep_quality', rating: 4 }] },
    ],
    [
      { traveler_ratings: { overall: { rating: 4, count: 2, subratings: [{ type: 'value', rating: 3 }] } } },
      { overall: { rating: 4, count: 2 }, subratings: [{ type: 'value', rating: 3 }] },
    ],
  ])('%o', (given, ratings) => expect(put(given).location.ownRatings).toEqual(ratings))
})

describe('deletions, merges and single fields', () => {
  it.each<[object, object]>([
    [{ deleted: true }, { op: 'delete' }],
    [{ deleted: false }, { op: 'put' }],
    [{ deleted: 'true' }, { op: 'delete' }],
    [{ deleted: 1 }, { op: 'delete' }],
    [{ deleted: 1n }, { op: 'delete' }],
    [{ deleted: '0' }, { op: 'put' }],
    [{ deleted: null }, { op: 'put' }],
    [{ deleted: 'maybe' }, { reason: 'invalid_value', field: 'deleted' }],
    [{ deleted: 2 }, { reason: 'invalid_value', field: 'deleted' }],
    [{ deleted: { at: 1 } }, { reason: 'invalid_value', field: 'deleted' }],
    [{ merged_into: 7 }, { op: 'merge', into: { id: 7n } }],
    [{ merged_into: '9223372036854775807' }, { op: 'merge', into: { id: 9223372036854775807n } }],
    [{ merged_into: { source: 's', source_id: 'x' } }, { op: 'merge', into: { source: 's', sourceId: 'x' } }],
    [{ merged_into_source_id: 'x' }, { op: 'merge', into: { source: 'file', sourceId: 'x' } }],
    [{ merged_into: null }, { op: 'put' }],
  ])('%o', (given, expected) => {
    expect(normaliseLocation({ id: 1, name: 'x', lat: 1, lon: 1, ...given }, options)).toMatchObject(expected)
  })

  it('a record without a status gets the configured default, if any (R-22)', () => {
    expect(put({}).location.status).toEqual({ value: 'OPEN' })
    const none = normaliseLocation({ id: 1, name: 'x', lat: 1, lon: 1 }, { ...options, defaultStatus: undefined })
    expect(none).toMatchObject({ op: 'put' })
    expect('location' in none && none.location.status).toBeUndefined()
  })

  it('words in numeric fields are dropped with a note', () => {
    expect(put({ stars: 'many', rooms: {}, population: [[]] })).toMatchObject({
      notes: ['stars_not_a_number', 'population_not_a_number'],
    })
    expect(put({ stars: '4.5' }).location.accommodation).toEqual({ starRating: 4.5 })
  })

  it('external ids with a blank source are ignored (R-19)', () => {
    expect(put({ concordances: { '': 'x', ' ': 'y', osm: 'n1' } }).location.externalIds).toEqual([
      { source: 'osm', id: 'n1' },
    ])
  })
})

describe('dates', () => {
  it.each(['2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31 10:00:00+00'])(
    '%s is a day, as files and databases write it',
    closed_date => {
      const { location } = put({ status: 'CLOSED', closed_date })
      expect(location.status).toEqual({ value: 'CLOSED', closedDate: '2026-01-31' })
    },
  )

  it('another format is rejected with an example of a valid date', () => {
    expect(() => put({ status: 'CLOSED', closed_date: '31.01.2026' })).toThrow('such as 2026-01-31: 31.01.2026')
  })
})

test('a category map puts words into the tree, and keeps them (R-151)', () => {
  const categoryMap = new Map([
    ['izakaya', 'restaurant'],
    ['climbing_hall', 'ATTRACTION'],
  ])
  const read = (more: object) => {
    const found = normaliseLocation({ id: 1, name: 'x', lat: 1, lon: 1, ...more }, { ...options, categoryMap })
    const { location, notes } = found as Extract<typeof found, { op: 'put' }>
    return { ids: location.categories.map(({ id }) => id), top: location.categories[0]!.topLevelCategory, notes }
  }
  expect(read({ category: 'Izakaya' })).toEqual({ ids: ['izakaya', 'restaurant'], top: 'RESTAURANT', notes: [] })
  expect(read({ category: 'climbing hall' })).toEqual({ ids: ['climbing_hall'], top: 'ATTRACTION', notes: [] })
  expect(read({ categories: [{ id: 'izakaya' }, { id: 'restaurant' }] }).ids).toEqual(['izakaya', 'restaurant'])
  expect(read({ category: 'dentist' })).toEqual({ ids: ['dentist'], top: 'OTHER', notes: ['unknown_category'] })
})
