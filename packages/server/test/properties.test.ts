import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toLongJson } from '../src/kit/long-json.ts'
import { importRows, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({}, 'empty')
})
afterAll(() => world.close())

/** Text that is not blank, with any Unicode characters except lone surrogates. */
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 30 })
  .filter(value => value.trim() !== '' && value.isWellFormed())
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
/** Generates objects with optional members; at least one member is present. */
const someMembers = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [] }).filter(value => Object.keys(value).length > 0)
const list = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 3 })
const long = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n })
const language = fc.constantFrom('en', 'en_GB', 'es_MX', 'zh_Hant_TW', 'ar', 'ja', 'sr_Latn')
const date = fc
  .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map(value => value.toISOString().slice(0, 10))
const count = fc.nat({ max: 1_000_000 })
const rating = fc.integer({ min: 100, max: 500 }).map(hundredths => hundredths / 100)
const image = someMembers({ key: text, url: text })
const time = fc.tuple(fc.nat(23), fc.nat(59)).map(parts => parts.map(part => String(part).padStart(2, '0')).join(':'))
const number = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map(value => value + 0)

/** Generates localized texts; exactly one is marked as primary. */
const localizedTexts = (min = 1) =>
  fc
    .array(fc.record({ language: optional(language), value: text }), { minLength: min, maxLength: 4 })
    .chain(texts =>
      fc.nat(Math.max(0, texts.length - 1)).map(at => texts.map((one, i) => ({ ...one, primary: i === at }))),
    )

const status = fc.oneof(
  fc.constant({ value: 'OPEN' }),
  fc.record({ value: fc.constant('CLOSED'), closed_date: date }, { requiredKeys: ['value'] }),
  fc.record(
    { value: fc.constant('TEMPORARILY_CLOSED'), closed_date: date, reopen_date: date },
    { requiredKeys: ['value'] },
  ),
)

const subratingTypes = fc.uniqueArray(fc.constantFrom('value', 'service', 'rooms', 'sleep_quality', 'my_own_2'), {
  minLength: 1,
  maxLength: 3,
})
const subratingsOf = <T extends object>(more: fc.Arbitrary<T>) =>
  subratingTypes.chain(types => fc.tuple(...types.map(type => more.map(rest => ({ type, ...rest })))))

/** A location in the shape of SPEC §2 and rulings: Operations, with every member that a record can have. */
const location = fc.record(
  {
    names: localizedTexts(),
    descriptions: list(fc.record({ language: optional(language), value: text })),
    geo: text,
    geo_id: long,
    status,
    addresses: list(
      someMembers({
        language,
        street_address: text,
        street_address2: text,
        city: text,
        state: text,
        postal_code: text,
        country_name: text,
        country_code: fc.constantFrom('ES', 'GB', 'JP'),
        formatted: text,
      }),
    ),
    coordinates: fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }).map(value => value + 0),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }).map(value => value + 0),
    }),
    categories: list(
      fc.record({
        id: text,
        display_name: text,
        hierarchy: optional(list(text)),
        top_level_category: fc.constantFrom('HOTEL', 'RESTAURANT', 'ATTRACTION', 'GEO', 'TRANSPORT', 'OTHER'),
      }),
    ),
    attributes: list(fc.record({ id: text, name: text, type: optional(text), type_id: optional(text) })),
    opening_hours: someMembers({
      periods: list(fc.record({ day_of_week: fc.constantFrom('MONDAY', 'SUNDAY'), opens: time, closes: time })),
      special_days: list(fc.oneof(fc.record({ date }), fc.record({ date, opens: time, closes: time }))),
      formatted: list(text),
      timezone: fc.constantFrom('Europe/Madrid', 'UTC', 'America/Argentina/Ushuaia'),
    }),
    phone_numbers: list(fc.record({ type: optional(text), value: text })),
    official_email: text,
    urls: someMembers({ official: text, menu: text }),
    price_level: fc.constantFrom('CHEAP', 'MODERATE', 'EXPENSIVE', 'LUXURY'),
    accommodation: someMembers({
      brand: text,
      chain: text,
      star_rating: number,
      room_count: count,
      prices: list(someMembers({ currency: text, min_rate: number, max_rate: number })),
    }),
    recommended_visit_length: text,
    photos: fc.record({ total_count: count }),
    attributions: list(someMembers({ source: text, license: text, url: text })),
    neighborhoods: list(fc.record({ geo_id: optional(long), name: text })),
    awards: list(someMembers({ type: text, name: text, category: text, geo: text, year: count, image })),
    rankings: list(
      someMembers({ rank: count, total: count, category: text, geo: text, geo_id: long, display_text: text }),
    ),
    traveler_ratings: someMembers({
      overall: fc.record({ rating, count: fc.integer({ min: 1, max: 1_000_000 }) }),
      subratings: subratingsOf(fc.record({ rating, count: optional(count) })),
      breakdowns: list(fc.record({ rating: fc.constantFrom(1, 2, 3, 4, 5), count })),
      language_counts: list(fc.record({ language, count })),
    }),
    external_ids: fc.uniqueArray(fc.record({ source: text, id: text }), {
      minLength: 1,
      maxLength: 3,
      selector: one => `${one.source}\n${one.id}`,
    }),
  },
  { requiredKeys: ['names', 'status', 'coordinates', 'categories'] },
)

/** A review in the shape of SPEC §2.3. */
const review = fc
  .record(
    {
      publish_ts: fc
        .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map(value => value.toISOString().replace('.000Z', 'Z')),
      travel_date: fc.oneof(
        date,
        date.map(day => day.slice(0, 7)),
      ),
      trip_type: fc.constantFrom('BUSINESS', 'COUPLES', 'FAMILY', 'FRIENDS', 'SOLO', 'NONE'),
      rating,
      title: localizedTexts(),
      text: localizedTexts(),
      url: text,
      user: someMembers({ username: text, avatar_url: image, geo: text, geo_id: long }),
      subratings: subratingsOf(fc.record({ rating })),
      owner_response: fc.record({
        id: optional(long),
        text: localizedTexts(),
        publish_date: optional(date),
        username: optional(text),
      }),
    },
    { requiredKeys: [] },
  )
  .filter(value => value.text !== undefined || value.rating !== undefined)

/** Returns a value as parsed from JSON: without undefined members; bigints that fit a double become numbers. */
function asParsed(value: unknown): unknown {
  if (typeof value === 'bigint') return typeof toLongJson(value) === 'number' ? Number(value) : value
  if (Array.isArray(value)) return value.map(asParsed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== undefined)
      .map(([name, child]) => [name, asParsed(child)]),
  )
}

/** Removes the members that the service adds. */
function withoutAdditions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAdditions)
  if (typeof value !== 'object' || value === null) return value
  const added = ['icon_url', 'type_name', 'rating_name', 'rating_icon_url']
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !added.includes(name))
      .map(([name, child]) => [name, withoutAdditions(child)]),
  )
}

const runs = 12
const rowsPerRun = 20

test('serves any valid location as it was imported', async () => {
  let nextId = 1
  await fc.assert(
    fc.asyncProperty(fc.array(location, { minLength: rowsPerRun, maxLength: rowsPerRun }), async locations => {
      const rows = locations.map(one => ({ id: nextId++, ...one }))
      const { rejected } = await importRows(world.config, 'location', rows)
      expect(rejected).toEqual([])
      const reply = await world.get(`/locations?ids=${rows.map(row => row.id)}`)
      const { data } = reply.json() as { data: unknown[] }
      expect(withoutAdditions(data)).toEqual(rows.map(asParsed))
    }),
    { numRuns: runs, seed: 7 },
  )
})

test('serves any valid review as it was imported', async () => {
  let nextId = 2n ** 63n - 1n
  let place = 1_000_000
  await fc.assert(
    fc.asyncProperty(fc.array(review, { minLength: rowsPerRun, maxLength: rowsPerRun }), async reviews => {
      const locationId = place++
      await importRows(world.config, 'location', [{ id: locationId, name: 'x', lat: 0, lon: 0 }])
      const rows = reviews.map(one => ({ id: nextId--, location_id: locationId, ...one }))
      const { rejected } = await importRows(world.config, 'review', rows)
      expect(rejected).toEqual([])
      const reply = await world.get(`/locations/${locationId}/reviews?size=100`)
      const { data } = reply.json() as { data: { id: bigint }[] }
      const sorted = data
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .map(one => {
          const { traveler_ratings: _, ...rest } = withoutAdditions(one) as Record<string, unknown>
          return rest
        })
      expect(sorted).toEqual(rows.map(asParsed))
    }),
    { numRuns: runs, seed: 7 },
  )
})
