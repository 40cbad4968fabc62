import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectDocumented } from '../contract/answers.ts'
import { exchange } from '../http-client.ts'
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
    ['an external id in another country', { name: 'Dos Mares', external_id: 'wd:id:Q203', country_code: 'FR' }, []],
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

describe('matches of several records (R-148)', () => {
  const json = { 'Content-Type': 'application/json' }
  const post = (body: string, target = '/locations/match?version=1', headers: Record<string, string> = json) =>
    world.get(target, { method: 'POST', headers, body })
  const hotel = { name: 'Hotel Dos Mares', lat: 36.01, lon: -5.6 }

  test('answers each record in its order, and charges each', async () => {
    const reply = await post(JSON.stringify([{ name: 'Nowhere Inn', lat: 0, lon: 0 }, hotel]))
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    expect(reply.headers['x-billed-units']).toBe('2')
    const { data } = reply.json() as { readonly data: readonly Matches['data'][] }
    expect(data.map(found => found.map(({ location, decision }) => [location.id, decision]))).toEqual([
      [],
      [[203, 'same']],
    ])
    expectDocumented(reply, '/locations/match?version=1', 'POST')
  })

  const tooMany = Array.from({ length: 101 }, () => hotel)
  test.each([
    ['no array', '{}', 400, 'The body must be a JSON array of 1 to 100 records.'],
    ['an empty array', '[]', 400, 'The body must be a JSON array of 1 to 100 records.'],
    ['too many records', JSON.stringify(tooMany), 400, 'The body must be a JSON array of 1 to 100 records.'],
    ['no JSON', '[{', 400, 'The body is not valid JSON.'],
    ['no body', '', 400, 'The body is not valid JSON.'],
    ['a wrong record', JSON.stringify([hotel, { lat: 3 }, 4]), 400, 'Record 1: name is required.'],
    ['an unknown field', JSON.stringify([{ ...hotel, nmae: 'x' }]), 400, 'Record 0: nmae is no field of a record'],
    ['a nested field', JSON.stringify([{ name: ['x'] }]), 400, 'Record 0: name must be a text or a number.'],
    ['a deep body', `[${'{"a":1,"b":'.repeat(10_900)}{"c"`, 400, 'The body is not valid JSON.'],
    ['a large body', `[${' '.repeat(131_072)}]`, 413, 'The body may have at most 131072 bytes.'],
  ] as const)('refuses %s', async (_name, body, status, sentence) => {
    const reply = await post(body)
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status })
    expect(reply.text).toContain(sentence)
    if (status !== 413) expect(reply.headers['x-billed-units']).toBe('0')
  })

  test('a body of another type or coding, and a method of another path, are refused', async () => {
    for (const type of ['text/plain', '', 'application/json, text/plain']) {
      const text = await post('[]', undefined, { 'Content-Type': type })
      expect({ status: text.status, text: text.text }).toMatchObject({ status: 415 })
      expect(text.text).toContain('Send the records as application/json.')
    }
    const coded = await post('[]', undefined, { ...json, 'Content-Encoding': 'gzip' })
    expect({ status: coded.status, text: coded.text }).toMatchObject({ status: 415 })
    expect(coded.text).toContain('Send the body as it is, without Content-Encoding: gzip.')
    const put = await world.get('/locations/match', { method: 'PUT' })
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    const other = await post('[]', '/locations/search')
    expect([other.status, other.headers.allow]).toEqual([405, 'GET, HEAD'])
    const retired = await post(JSON.stringify([hotel]), '/locations/match?version=0')
    expect(retired.status).toBe(410)
  })

  test('a large body without a length is refused while it arrives', async () => {
    const part = ' '.repeat(65_536)
    const head = `POST /locations/match?version=1 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${world.key}\r\n`
    const sent = await exchange(world.url, [
      `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 3 }, () => `10000\r\n${part}\r\n`),
      '0\r\n\r\n',
    ])
    expect(sent).toMatch(/^HTTP\/1.1 413 /)
  })
})
