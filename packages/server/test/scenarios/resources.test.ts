import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Row, scenarios } from '../scenario.ts'
import { startWorld, type World } from '../world.ts'
import { largest, unroundable } from '../world-rows.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const icon = (path: string) => expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/icons/${path}\\.svg$`))
const image = (key: string, path: string) => ({ key, url: icon(path) })
const es = { language: 'es', value: 'Museo del Alba', primary: true }
const mx = { language: 'es_MX', value: 'Museo del Alba (MX)', primary: false }
const en = { language: 'en', value: 'Dawn Museum', primary: false }
const ja = { language: 'ja', value: '暁の美術館', primary: false }
const hant = { language: 'zh_Hant', value: '黎明博物館', primary: false }

scenarios('ratings (SPEC §2.1–2.3, R-23)', () => world, [
  {
    name: 'a larger source count supplies overall, breakdowns and subratings; languages come from reviews',
    get: '/locations/1',
    status: 200,
    body: {
      data: {
        traveler_ratings: {
          overall: { rating: 4.6, count: 1200, icon_url: icon('ratings/4\\.5') },
          subratings: [
            { type: 'value', rating: 4.5, count: 800, icon_url: icon('subratings/value'), type_name: 'Value' },
          ],
          breakdowns: [
            { rating: 5, count: 900, rating_name: 'Excellent' },
            { rating: 4, count: 300, rating_name: 'Very good' },
          ],
          language_counts: [{ language: 'en', count: 1 }],
        },
      },
    },
  },
  {
    name: 'with more reviews than the source count, all ratings come from the reviews, with two decimals',
    get: '/locations/2',
    status: 200,
    body: {
      data: {
        traveler_ratings: {
          overall: { rating: 4.33, count: 3, icon_url: icon('ratings/4\\.5') },
          subratings: [
            { type: 'service', rating: 4, count: 1, icon_url: icon('subratings/service'), type_name: 'Service' },
            { type: 'value', rating: 4.5, count: 2, icon_url: icon('subratings/value'), type_name: 'Value' },
          ],
          breakdowns: [5, 4, 3, 2, 1].map((rating, i) =>
            expect.objectContaining({ rating, count: [1, 2, 0, 0, 0][i] }),
          ),
          language_counts: [
            { language: 'en_GB', count: 1 },
            { language: 'fr', count: 1 },
            { language: 'zh', count: 1 },
          ],
        },
      },
    },
  },
  {
    name: 'without ratings and reviews there is no traveler_ratings',
    get: '/locations/40',
    status: 200,
    text: /^(?!.*traveler_ratings)/,
  },
  {
    name: 'reviews without ratings supply only their languages',
    get: '/locations/50',
    status: 200,
    body: {
      data: {
        traveler_ratings: {
          language_counts: [
            { language: 'bs', count: 1 },
            { language: 'en', count: 1 },
          ],
        },
      },
    },
    text: /^(?!.*"overall")/,
  },
  {
    name: 'a review repeats the ratings of its location, with ImageUrl icons (SPEC §2.3)',
    get: '/locations/2/reviews?size=1',
    status: 200,
    body: {
      data: [
        {
          rating: 5,
          rating_icon_url: icon('ratings/5\\.0'),
          subratings: [
            { type: 'value', rating: 5, icon_url: image('subrating_value', 'subratings/value'), type_name: 'Value' },
            {
              type: 'service',
              rating: 4,
              icon_url: image('subrating_service', 'subratings/service'),
              type_name: 'Service',
            },
          ],
          traveler_ratings: {
            overall: { rating: 4.33, count: 3, icon_url: image('rating_4.5', 'ratings/4\\.5') },
            subratings: [
              { type: 'service', icon_url: image('subrating_service', 'subratings/service') },
              { type: 'value', icon_url: image('subrating_value', 'subratings/value') },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'a review without a rating has no rating_icon_url',
    get: '/locations/50/reviews',
    status: 200,
    text: /^(?!.*rating_icon_url)/,
  },
])

scenarios('a review as a whole (SPEC §2.3)', () => world, [
  {
    name: 'all fields of a review',
    get: '/locations/2/reviews?size=1',
    status: 200,
    body: {
      data: [
        {
          id: 101,
          location_id: 2,
          publish_ts: '2026-01-03T10:00:00Z',
          travel_date: '2025-12',
          trip_type: 'COUPLES',
          title: [{ language: 'fr', value: 'Parfait', primary: true }],
          text: [{ language: 'fr', value: 'Le meilleur café.', primary: true }],
          url: 'https://voices.example/101',
          user: { username: 'Zoé' },
          owner_response: {
            id: 900,
            text: [{ language: 'fr', value: 'Merci !', primary: true }],
            publish_date: '2026-01-04',
            username: 'Patron',
          },
        },
      ],
    },
  },
  {
    name: 'the id of a user at the source is not served',
    get: '/locations/2/reviews',
    status: 200,
    text: /^(?!.*"u1")/,
  },
  {
    name: 'texts in several languages with the original marked; a timestamp keeps its fraction',
    get: '/locations/1/reviews',
    status: 200,
    body: {
      data: [
        {
          publish_ts: '2026-02-01T21:59:59.500Z',
          text: [
            { language: 'en', value: 'Closed when I came.', primary: true },
            { language: 'es', value: 'Cerrado cuando vine.', primary: false },
          ],
          user: { username: 'Max', geo: 'Graz', geo_id: largest, avatar_url: { key: 'max' } },
        },
      ],
    },
  },
])

scenarios('absence and 64-bit ids (R-19, R-20)', () => world, [
  {
    name: 'a location without optional data has no further members',
    get: '/locations?ids=5',
    status: 200,
    data: [
      {
        id: 5,
        names: [{ value: 'Bare', primary: true }],
        status: { value: 'OPEN' },
        coordinates: { latitude: 0, longitude: 0 },
        categories: [
          { id: 'other', display_name: 'Other', hierarchy: ['Other', 'Other'], top_level_category: 'OTHER' },
        ],
        external_ids: [{ source: 'gazette', id: 'bare' }],
      },
    ],
  },
  {
    name: '2^63-1 as a location id, digit for digit',
    get: `/locations/${largest}`,
    status: 200,
    text: `{"data":{"id":${largest},`,
  },
  {
    name: '2^63-1 as a review id',
    get: `/locations/${largest}/reviews`,
    status: 200,
    text: `{"data":[{"id":${largest},"location_id":${largest},`,
  },
  {
    name: '2^63-1 in the catalog',
    get: `/catalog/locations/${largest}`,
    status: 200,
    text: `{"data":{"id":${largest},`,
  },
  {
    name: '2^63-1 among missing ids',
    get: `/locations?ids=${largest - 1n}`,
    status: 200,
    text: `"missing_ids":[${largest - 1n}]`,
  },
  {
    name: 'ids within a record, beyond 2^53',
    get: '/locations/1',
    status: 200,
    text: new RegExp(`"geo_id":${unroundable},.*"geo_id":${largest},`),
  },
  { name: '2^63 is not an id', get: `/locations/${largest + 1n}`, status: 400, fields: ['id'] },
])

const localeRows: [query: string, names: object[]][] = [
  ['', [es, mx, en, ja, { language: 'ar', value: 'متحف الفجر', primary: false }, hant]],
  ['locale=en', [en, es]],
  ['locale=en-GB', [en, es]],
  ['locale=EN_us', [en, es]],
  ['locale=es_MX', [mx, es]],
  ['locale=es-mx', [mx, es]],
  ['locale=es-AR', [es]],
  ['locale=zh-Hant-TW', [hant, es]],
  ['locale=zh', [hant, es]],
  ['locale=de', [es]],
  ['locale=ja,en', [ja, en, es]],
  ['locale=en&locale=ja', [en, ja, es]],
  ['locale=en&locale=en-GB&locale=es', [en, es]],
]

scenarios('locales (R-25)', () => world, [
  ...localeRows.map(([query, names]) => ({
    name: `${query || 'none asked'}: ${names.length} names`,
    get: `/locations/1?${query}`,
    status: 200,
    body: { data: { names } },
  })),
  {
    name: 'a description in the requested language',
    get: '/locations/1?locale=pt',
    status: 200,
    body: { data: { descriptions: [{ language: 'pt_BR', value: 'Pinturas antes do café da manhã.' }] } },
  },
  {
    name: 'in a multi-GET',
    get: '/locations?ids=1,2&locale=th',
    status: 200,
    body: { data: [{ names: [es] }, { names: [{ language: 'th' }, { language: 'fr', primary: true }] }] },
  },
  { name: 'in the catalog', get: '/catalog/locations/1?locale=ja', status: 200, body: { data: { names: [ja, es] } } },
  ...['x', 'en--GB', 'deutsch', 'en;q=1', '12', '-', '<script>', ''].map(
    (value): Row => ({
      name: `nonsense: ${JSON.stringify(value)}`,
      get: `/locations/1?locale=${encodeURIComponent(value)}`,
      status: 400,
      fields: ['locale'],
    }),
  ),
])

test('every icon that a response references exists (R-34, R-23)', async () => {
  const texts = await Promise.all(['/locations/1', '/locations/2', '/locations/2/reviews'].map(path => world.get(path)))
  const urls = new Set(texts.flatMap(({ text }) => text.match(/http:[^"]*\/icons\/[^"]*/g) ?? []))
  expect(urls.size).toBeGreaterThan(3)
  for (const url of urls) {
    const reply = await world.get(new URL(url).pathname, { key: null })
    expect([url, reply.status, reply.headers['content-type']]).toEqual([url, 200, 'image/svg+xml'])
  }
})
