import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchRows } from '../search-rows.ts'
import { searchable } from '../searchable.ts'
import { makeKey, startWorld, type World } from '../world.ts'

const rows = [
  ...searchRows,
  {
    id: 201,
    source: 'atlas',
    source_id: 'arts',
    name: 'Hotel de las Artes',
    category: 'hotel',
    lat: 40.42,
    lon: -3.7,
    country: 'ES',
    city: 'Madrid',
    postal_code: '28004',
    address: 'Calle del Alba, 12',
    phone: '+34 915 550 123',
    wikidata: 'Q201',
    url: 'https://artes.example/',
  },
  {
    id: 202,
    source: 'gazette',
    source_id: 'dup',
    name: 'Hotel Las Artes Madrid',
    category: 'hotel',
    lat: 40.4201,
    lon: -3.7001,
    country: 'ES',
    city: 'Madrid',
    phone: '915 550 123',
  },
  {
    id: 203,
    source: 'gazette',
    source_id: 'two',
    name: 'Hotel Dos Mares',
    category: 'hotel',
    lat: 36.01,
    lon: -5.6,
    country: 'ES',
    concordances: { 'gn:id': 7, 'wd:id': 'Q203' },
  },
  { id: 204, source: 'atlas', source_id: 'Q203', name: 'Sea', category: 'beach', lat: 36, lon: -5.6, wikidata: 'Q203' },
]

let world: World
beforeAll(async () => {
  world = await startWorld({}, rows)
  await searchable(world)
})
afterAll(() => world.close())

interface Answer {
  readonly data: readonly { readonly id: number }[]
  readonly missing_external_ids?: readonly string[]
}

describe('locations by ids in other sources (R-147)', () => {
  const look = async (query: string, key = world.key) => {
    const reply = await world.get(`/locations?version=beta&${query}`, { key })
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    const { data, missing_external_ids: missing } = reply.json() as Answer
    return { ids: data.map(({ id }) => id), missing, units: reply.headers['x-billed-units'] }
  }

  test.each([
    ['one id', 'external_id=wikidata:Q201', [201], undefined],
    [
      'several, in their order, without those that no location has',
      'external_id=wikidata:Q9&external_id=wd:id:Q203&external_id=iata:JFK',
      [203, 14],
      ['wikidata:Q9'],
    ],
    [
      'the source in any case, and an id twice',
      'external_id=WikiData:Q201&external_id=wikidata:Q201',
      [201],
      undefined,
    ],
    ['ids exactly', 'external_id=wikidata:q201', [], ['wikidata:q201']],
    ["a record's own source", 'external_id=gazette:dup', [202], undefined],
  ])('%s', async (_name, query, ids, missing) => {
    expect(await look(query)).toEqual({ ids, missing, units: String(ids.length) })
  })

  test('a location outside the scope is missing, and v1 has no member for missing ids', async () => {
    const { secret } = await makeKey(world.config, { packageName: 'innovate', scope: { sources: ['gazette'] } })
    expect(await look('external_id=wikidata:Q201', secret)).toMatchObject({ ids: [], missing: ['wikidata:Q201'] })
    const reply = await world.get('/locations?version=1&external_id=wikidata:Q9')
    expect(reply.json()).toEqual({ data: [] })
  })

  test.each([
    ['ids=1&external_id=wikidata:Q1', 'Send either ids or external_id, not both.'],
    ['', 'ids is required'],
    ['external_id=:tel:915550123', 'external_id must be a source and an id'],
    ['external_id=Q201', 'external_id must be a source and an id'],
    [Array.from({ length: 101 }, (_, i) => `external_id=a:${i}`).join('&'), 'at most 100 are allowed'],
  ])('refuses %s', async (query, sentence) => {
    const reply = await world.get(`/locations?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(sentence)
  })
})

interface Matches {
  readonly data: readonly {
    readonly location: { readonly id: number }
    readonly decision: string
    readonly score: number
    readonly reasons: readonly { readonly field: string }[]
  }[]
}

describe('matches of a record (R-148)', () => {
  const match = async (query: Record<string, string>) => {
    const reply = await world.get(`/locations/match?version=1&${new URLSearchParams(query)}`)
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    return (reply.json() as Matches).data
  }
  const summary = async (query: Record<string, string>) =>
    (await match(query)).map(({ location, decision }) => [location.id, decision])

  test.each([
    ['another form of the name, nearby', { name: 'Hotel Dos Maresh', lat: '36.0101', lon: '-5.6001' }, [[203, 'same']]],
    ['an external id', { name: 'Dos Mares', external_id: 'wd:id:Q203' }, [[203, 'same']]],
    [
      'name, street and city',
      { name: 'Museo del Prado', address: 'Paseo de las Pinturas 23', city: 'Madrid', country_code: 'es' },
      [[1, 'same']],
    ],
    [
      'an equal id under another name, 50 km off, is only possible',
      { name: 'Harbour Inn', lat: '36.5', lon: '-5.6', external_id: 'wd:id:Q203' },
      [[203, 'possible']],
    ],
    ['the name elsewhere', { name: 'Hotel Dos Mares', lat: '48.8', lon: '2.3' }, []],
    ['another class', { name: 'Hotel Dos Mares', lat: '36.01', lon: '-5.6', category_id: 'museum' }, []],
  ])('%s', async (_name, query, expected) => {
    expect(await summary(query as unknown as Record<string, string>)).toEqual(expected)
  })

  test('two records of one place stay the same place, and reasons come with their measures', async () => {
    const found = await match({ name: 'Hotel Las Artes', lat: '40.42', lon: '-3.7', phone: '0034915550123' })
    expect(found.map(({ location }) => location.id).sort()).toEqual([201, 202])
    expect(found[0]).toMatchObject({ decision: 'same' })
    const [{ reasons }] = found as [Matches['data'][number]]
    expect(reasons).toContainEqual({ field: 'phone', agrees: true })
    expect(reasons.find(({ field }) => field === 'distance')).toMatchObject({ agrees: true })
  })

  test.each([
    [{ name: 'Prado' }, 'name alone is not enough'],
    [{ name: 'Prado', lat: '40' }, 'lon is required with lat.'],
    [{ name: 'Prado', city: 'Madrid' }, 'country_code is required with city.'],
    [{ lat: '40', lon: '3' }, 'name is required.'],
    [{ name: 'Prado', postal_code: '28014', size: '6' }, 'size must be an integer from 1 to 5.'],
  ])('refuses %j', async (query, sentence) => {
    const reply = await world.get(`/locations/match?${new URLSearchParams(query as unknown as Record<string, string>)}`)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(sentence)
  })
})
