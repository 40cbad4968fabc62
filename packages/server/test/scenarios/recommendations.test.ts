import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Row, scenarios } from '../scenario.ts'
import { importRows, makeKey, startWorld, type World } from '../world.ts'

const madrid = { country: 'ES', city: 'Madrid' }
const restaurant = (id: number, name: string, more: object = {}) => ({
  id,
  source: 'guide',
  source_id: `r${id}`,
  name,
  category: 'restaurant',
  lat: 40.41 + id / 10_000,
  lon: -3.7,
  ...madrid,
  ...more,
})

const inTexas = { lat: 33.66, lon: -95.55, country: 'US' }
const locations = [
  {
    id: 1,
    source: 'geo',
    source_id: 'madrid',
    name: 'Madrid',
    category: 'geo:city',
    lat: 40.4168,
    lon: -3.7038,
    country: 'ES',
    population: 3_200_000,
  },
  {
    id: 2,
    source: 'geo',
    source_id: 'paris',
    name: 'Paris',
    category: 'geo:city',
    lat: 48.8566,
    lon: 2.3522,
    country: 'FR',
    population: 2_100_000,
  },
  { id: 3, source: 'geo', source_id: 'lutetia', merged_into: 2 },
  {
    ...{ id: 4, source: 'geo', source_id: 'paris-tx', name: 'Paris', category: 'geo:city' },
    ...inTexas,
    population: 25_000,
  },
  {
    ...{ id: 40, source: 'guide', source_id: 'h40', name: 'Lone Star Inn', category: 'hotel' },
    ...inTexas,
    city: 'Paris',
  },
  restaurant(10, 'Casa Azul'),
  restaurant(11, 'Casa Verde', { rating: 4.9, review_count: 3 }),
  restaurant(12, 'Casa Roja', { rating: 4.6, review_count: 4000, status: 'CLOSED' }),
  restaurant(13, 'Mirador', {
    descriptions: { es: 'Cenas románticas con vistas', en: 'Romantic dinners with a view' },
  }),
  restaurant(14, 'Sushi Sol', { cuisine: 'japanese;sushi', source: 'gazette', source_id: 'sol' }),
  restaurant(15, 'Casa Gris', { status: 'TEMPORARILY_CLOSED' }),
  {
    id: 20,
    source: 'guide',
    source_id: 'h20',
    name: 'Hotel Sur',
    category: 'hotel',
    lat: 40.42,
    lon: -3.69,
    ...madrid,
  },
  {
    id: 21,
    source: 'guide',
    source_id: 'h21',
    name: 'Hotel Norte',
    category: 'hotel',
    lat: 40.43,
    lon: -3.69,
    ...madrid,
  },
  {
    id: 30,
    source: 'guide',
    source_id: 'p30',
    name: 'Chez Nous',
    category: 'restaurant',
    lat: 48.86,
    lon: 2.35,
    country: 'FR',
    city: 'Paris',
    geo: 'Le Marais',
    geo_id: 4711,
    names: [{ value: 'Chez Nous', primary: true }],
  },
  {
    id: 31,
    source: 'guide',
    source_id: 'p31',
    name: 'Louvre',
    category: 'museum',
    lat: 48.8606,
    lon: 2.3376,
    country: 'FR',
  },
]

const review = (id: number, location_id: number, text: string, more: object = {}) => ({
  id,
  source: 'guide',
  source_id: `v${id}`,
  location_id,
  text,
  lang: 'en',
  published_date: '2026-05-01',
  ...more,
})
const filler = 'We came on a Tuesday and had to wait a little for a table by the window. '.repeat(4)
const reviews = [
  review(100, 10, `${filler}A romantic terrace with splendid views of the whole city at night. ${filler}`, {
    rating: 5,
    trip_type: 'COUPLES',
  }),
  review(101, 10, 'Romantic? Not at all. A view of the bins.', { rating: 1, trip_type: 'COUPLES' }),
  review(102, 10, 'Ein romantisches Abendessen mit view auf die Stadt.', {
    rating: 5,
    lang: 'de',
    trip_type: 'COUPLES',
    published_date: '2026-06-01',
  }),
  review(103, 10, 'Romantic place.', { rating: 4, published_date: '2026-07-01' }),
  review(104, 10, 'Romantic too.', { rating: 4, published_date: '2026-07-02' }),
  review(105, 12, 'The most romantic dinner with a view of our lives.', { rating: 5, trip_type: 'COUPLES' }),
  review(106, 20, 'Great for kids, and the family room is large.', { rating: 5, trip_type: 'FAMILY' }),
  review(107, 21, 'Good desk for work.', { rating: 5, trip_type: 'BUSINESS' }),
  review(108, 30, 'Bonne table.', { rating: 4, lang: 'fr' }),
]

let world: World
const keys: Record<string, string> = {}
const path = '/recommendations/search'
const query = 'romantic dinner with a view in Madrid'
const to = (params: Record<string, string | number>) =>
  `${path}?${new URLSearchParams(Object.entries(params).map(([k, v]) => [k, String(v)]))}`

interface Item {
  readonly type: string
  readonly location: { readonly id: number }
  readonly review_sources?: readonly { readonly id: number; readonly snippet: string }[]
}

const recommended = async (params: Record<string, string | number>, key?: string): Promise<readonly Item[]> => {
  const reply = await world.get(to(params), key === undefined ? {} : { key })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return (reply.json() as { data: Item[] }).data
}
const ids = async (params: Record<string, string | number>, key?: string) =>
  (await recommended(params, key)).map(({ location }) => Number(location.id))

beforeAll(async () => {
  world = await startWorld({}, 'empty')
  await importRows(world.config, 'location', locations)
  await importRows(world.config, 'review', reviews)
  keys.discover = (await makeKey(world.config)).secret
  keys.addOn = (await makeKey(world.config, { addOns: ['recommendations'] })).secret
  keys.france = (await makeKey(world.config, { packageName: 'innovate', scope: { countries: ['FR'] } })).secret
  keys.guide = (await makeKey(world.config, { packageName: 'innovate', scope: { sources: ['guide'] } })).secret
  // Wait until the index has the imported rows.
  await vi.waitFor(async () => expect(await ids({ query: 'museum in Paris' })).toEqual([31]), 15_000)
}, 30_000)
afterAll(() => world.close())

describe('recommendations (R-43)', () => {
  test('takes the place from the query and ranks the best match first, without CLOSED places', async () => {
    const found = await ids({ query })
    expect(found.slice(0, 2)).toEqual([10, 13])
    expect(found).not.toContain(12)
    expect(found.every(id => id >= 10 && id < 20)).toBe(true)
    expect(found.at(-1)).toBe(15)
  })

  test('returns at most three reasons that match the query, trip type first, without low ratings', async () => {
    const [first, second] = await recommended({ query })
    expect(first!.type).toBe('location')
    const sources = first!.review_sources!
    expect(sources).toHaveLength(3)
    expect(
      sources
        .map(({ id }) => Number(id))
        .slice(0, 2)
        .sort(),
    ).toEqual([100, 102])
    expect(sources.map(({ id }) => Number(id))).not.toContain(101)
    const { snippet } = sources.find(({ id }) => Number(id) === 100)!
    expect(snippet).toBe('A romantic terrace with splendid views of the whole city at night.')
    expect(second).not.toHaveProperty('review_sources')
  })

  test('prefers reasons in the language of the locale', async () => {
    const [first] = await recommended({ query, locale: 'de' })
    expect(first!.review_sources!.map(({ id }) => Number(id))[0]).toBe(102)
  })

  test('the location member is the location object (R-33)', async () => {
    const [first] = await recommended({ query, limit: 1 })
    const location = (await world.get('/locations/10')).json() as { data: object }
    expect(first!.location).toEqual(location.data)
  })

  test.each<[string, Record<string, string | number>, number[]]>([
    ['geo_id of a city', { query: 'museum', geo_id: 2 }, [31]],
    ['geo_id of a city that was merged (R-24)', { query: 'museum', geo_id: 3 }, [31]],
    ['geo_id of the source, from a place', { query: 'dinner', geo_id: 4711 }, [30]],
    ['geo_name', { query: 'museum', geo_name: 'paris' }, [31]],
    ['a country', { query: 'museum', geo_name: 'Frankreich' }, [31]],
    ['a circle in kilometres', { query: 'museum', lat: 48.86, lon: 2.33, radius: 1, unit: 'KM' }, [31]],
    ['a circle that is too small', { query: 'museum', lat: 48.87, lon: 2.33, radius: 1, unit: 'KM' }, []],
    ['a radius of five miles by default', { query: 'museum', lat: 48.92, lon: 2.33 }, [31]],
    ['an unknown place', { query: 'museum', geo_name: 'Atlantis' }, []],
    ['a parameter takes precedence over the query', { query: 'museum in Madrid', geo_name: 'Paris' }, [31]],
    ['category', { query: 'in Paris', category: 'ATTRACTION' }, [31]],
    ['a cuisine', { query: 'sushi in Madrid', limit: 1 }, [14]],
    ['a trip type', { query: 'hotel in Madrid', trip_type: 'FAMILY' }, [20, 21]],
    ['a kind that only a namesake has', { query: 'hotel in Paris' }, [40]],
    ['near a sight, which is not recommended itself', { query: 'dinner near the Louvre' }, [30]],
    ['another trip type', { query: 'hotel in Madrid', trip_type: 'BUSINESS' }, [21, 20]],
    ['a trip type in words', { query: 'hotel con niños en Madrid' }, [20, 21]],
    ['only punctuation', { query: '?!', geo_name: 'Paris', category: 'ATTRACTION' }, [31]],
    ['an emoji', { query: '🍕', geo_name: 'Paris', category: 'RESTAURANT' }, [30]],
    ['500 letters', { query: 'a'.repeat(500), geo_name: 'Paris', limit: 20 }, [30, 31]],
    ['one letter', { query: 'x', geo_name: 'Paris', limit: 20 }, [30, 31]],
    ['only stop words', { query: 'what is there to do for me and the', geo_name: 'Paris', limit: 20 }, [30, 31]],
    ['only negators', { query: 'not no without never nicht sin', geo_name: 'Paris', limit: 20 }, [30, 31]],
    ['166 negators', { query: 'no '.repeat(166), geo_name: 'Paris', limit: 20 }, [30, 31]],
    ['other scripts', { query: 'مطعم हिन्दी ግዕዝ 𓀀 ​‮', geo_name: 'Paris', limit: 20 }, [30, 31]],
  ])('%s', async (_name, params, expected) => {
    expect(await ids(params)).toEqual(expected)
  })

  test('excludes locations on request', async () => {
    const found = await ids({ query, exclude_location_ids: '10,14' })
    expect(found).toEqual(expect.arrayContaining([11, 13]))
    expect(found).not.toContain(10)
    expect(found).not.toContain(14)
  })

  test('honours limit', async () => {
    expect(await ids({ query, limit: 2 })).toHaveLength(2)
    expect(await ids({ query: 'in Madrid', limit: 20 })).toHaveLength(7)
    expect(await ids({ query: 'in Madrid' })).toHaveLength(5)
  })

  test('honours the scope of the key (R-03)', async () => {
    expect(await ids({ query }, keys.france)).toEqual([])
    expect(await ids({ query: 'museum in Paris' }, keys.france)).toEqual([31])
    expect(await ids({ query: 'sushi in Madrid', limit: 20 }, keys.guide)).not.toContain(14)
  })

  test('returns the same result for the same query', async () => {
    const once = await ids({ query: 'in Madrid', limit: 20 })
    expect(await ids({ query: 'in Madrid', limit: 20 })).toEqual(once)
  })
})

const invalidRequest = (
  name: string,
  params: Record<string, string | number>,
  fields: readonly string[],
  text?: string,
): Row => ({
  name,
  get: to(params),
  status: 400,
  fields,
  ...(text !== undefined && { text }),
})

scenarios('invalid requests for recommendations', () => world, [
  invalidRequest('no place at all', { query: 'romantic dinner with a view' }, ['geo_name'], 'geo_id'),
  invalidRequest('no place in punctuation', { query: '!!!' }, ['geo_name']),
  invalidRequest('two places', { query: 'a', geo_id: 2, geo_name: 'Paris' }, ['geo_id', 'geo_name']),
  invalidRequest('a name and half a circle', { query: 'a', geo_name: 'Paris', lat: 1 }, ['geo_name', 'lat']),
  invalidRequest('latitude alone', { query: 'a', lat: 1 }, ['lon']),
  invalidRequest('longitude alone', { query: 'a', lng: 1 }, ['lat']),
  invalidRequest('a radius alone', { query: 'a', radius: 1 }, ['lat', 'lon']),
  invalidRequest('a radius of 0', { query: 'a', lat: 1, lon: 1, radius: 0 }, ['radius']),
  invalidRequest('over 100 km', { query: 'a', lat: 1, lon: 1, radius: 63 }, ['radius']),
  invalidRequest('an unknown id', { query: 'a', geo_id: 999 }, ['geo_id']),
  invalidRequest('latitude 91', { query: 'a', lat: 91, lon: 1 }, ['lat']),
  invalidRequest('an empty query', { query: '', geo_id: 2 }, ['query']),
  invalidRequest('no query', { geo_id: 2 }, ['query']),
  invalidRequest('501 characters', { query: 'a'.repeat(501), geo_id: 2 }, ['query']),
  invalidRequest('a limit of 21', { query: 'a', geo_id: 2, limit: 21 }, ['limit']),
  invalidRequest('a limit of 0', { query: 'a', geo_id: 2, limit: 0 }, ['limit']),
  invalidRequest('unknown enumeration values', { query: 'a', geo_id: 2, category: 'BAR', trip_type: 'HOLIDAY' }, [
    'category',
    'trip_type',
  ]),
  invalidRequest('an invalid id to exclude', { query: 'a', geo_id: 2, exclude_location_ids: '1,x' }, [
    'exclude_location_ids',
  ]),
])

test('requires a permission: 403 with Discover, 200 with the add-on (SPEC §5.3)', async () => {
  const refusal = await world.get(to({ query }), { key: keys.discover! })
  expect(refusal.status).toBe(403)
  expect(refusal.json()).toMatchObject({ message: expect.stringContaining('API Key does not have access to endpoint') })
  const allowed = await world.get(to({ query }), { key: keys.addOn! })
  expect(allowed.status).toBe(200)
  expect(allowed.headers['x-billed-units']).toBe('1')
})
