/** Field masks, over real HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchRows } from '../search-rows.ts'
import { searchable } from '../searchable.ts'
import { importRows, startWorld, type World } from '../world.ts'
import { largest } from '../world-rows.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({}, searchRows)
  await importRows(world.config, 'review', [{ id: 1, location_id: 1, rating: 4, title: 'Bright', text: 'Good light.' }])
  await searchable(world)
})
afterAll(() => world.close())

interface Answer {
  readonly data: unknown
  readonly pagination?: unknown
}

const read = async (target: string): Promise<Answer> => {
  const reply = await world.get(target)
  expect({ target, status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json() as Answer
}

/** Returns the names of the members of an object or of the items of a list. */
const membersOf = (value: unknown): readonly string[] =>
  Object.keys(Array.isArray(value) ? value[0] : (value as object))

test('a location has its id and the members that the mask names, in the order of the whole location', async () => {
  const { data } = (await read('/locations/1')) as {
    data: Record<string, never> & { readonly names: readonly { readonly value: string }[] }
  }
  expect(await read('/locations/1?fields=traveler_ratings.overall.rating,coordinates,names')).toEqual({
    data: { id: 1, names: data.names, coordinates: data.coordinates, traveler_ratings: { overall: { rating: 4.7 } } },
  })
  expect(await read('/locations/1?fields=names.value&fields=addresses.city')).toEqual({
    data: {
      id: 1,
      names: data.names.map(({ value }) => ({ value })),
      addresses: [{ city: 'Madrid' }],
    },
  })
  expect(await read('/locations/1?fields=names.value,names')).toEqual({ data: { id: 1, names: data.names } })
})

test('ids keep all their digits, and members that a record does not have are left out', async () => {
  const reply = await world.get(`/locations/${largest}?fields=id,awards.year`)
  expect(reply.text).toBe(`{"data":{"id":${largest}}}`)
})

describe.each([
  ['/locations?ids=1,2', ['id', 'names']],
  ['/catalog/locations/1', ['id', 'names']],
  ['/locations/search?query=museo', ['location', 'matched_value']],
  ['/catalog/locations/search?query=museo', ['location', 'matched_value']],
  ['/locations/nearby?lat=40.41&lon=-3.69&radius=9', ['location', 'bearing', 'distance_kilometers', 'distance_miles']],
  ['/locations/match?name=Museo+del+Alba&lat=40.41381&lon=-3.692524', ['location', 'decision', 'score', 'reasons']],
])('%s', (target, members) => {
  test('masks each location, and nothing else', async () => {
    const masked = await read(`${target}${target.includes('?') ? '&' : '?'}fields=names`)
    const whole = await read(target)
    expect({ ...masked, data: undefined }).toEqual({ ...whole, data: undefined })
    expect(membersOf(masked.data)).toEqual(members)
    const [first] = [masked.data].flat() as { location?: object }[]
    expect(membersOf(first!.location ?? first)).toEqual(['id', 'names'])
  })
})

test.each([
  ['/locations/1/reviews?fields=title.value', { data: [{ id: 1, title: [{ value: 'Bright' }] }] }],
  [
    '/categories?parent=RESTAURANT&fields=count',
    { data: expect.arrayContaining([{ id: 'cafe', count: expect.any(Number) }]) },
  ],
  [
    '/locations/autocomplete?query=muse&fields=name.value',
    { data: expect.arrayContaining([{ type: 'location', id: 1, name: { value: expect.any(String) } }]) },
  ],
  ['/locations/search?query=zzzzzz&fields=names', { data: [] }],
])('%s', async (target, expected) => {
  expect(await read(target)).toMatchObject(expected)
})

test('masks the candidates of each record of a POST', async () => {
  const body = JSON.stringify([{ name: 'Museo del Alba', lat: 40.41381, lon: -3.692524 }])
  const headers = { 'x-api-key': world.key, 'content-type': 'application/json' }
  const reply = await fetch(`${world.url}/locations/match?fields=geo`, { method: 'POST', headers, body })
  const { data } = (await reply.json()) as { data: { location: object }[][] }
  expect(data[0]![0]!.location).toEqual({ id: 1, geo: 'Madrid' })
})

test('a masked answer has a validator of its own', async () => {
  const target = '/locations/1?fields=geo'
  const [whole, masked, again] = [await world.get('/locations/1'), await world.get(target), await world.get(target)]
  expect(masked.headers.etag).not.toBe(whole.headers.etag)
  expect(again.headers.etag).toBe(masked.headers.etag)
  const same = await world.get(target, { headers: { 'if-none-match': String(masked.headers.etag) } })
  const other = await world.get(target, { headers: { 'if-none-match': String(whole.headers.etag) } })
  expect([same.status, other.status]).toEqual([304, 200])
})

test.each([
  ['nmaes', 'fields contains nmaes, which no result has. Did you mean names?'],
  [
    'traveler_ratings.overal',
    'fields contains traveler_ratings.overal, which no result has. Did you mean traveler_ratings.overall?',
  ],
  ['id.x', 'fields contains id.x, which no result has. id has no members.'],
  ['coordinates.height', 'The members of coordinates are latitude, longitude.'],
  ['zzzzzzzz', 'Its members are id, names, '],
  ['names.', 'fields contains names., which no result has.'],
  ['__proto__', 'fields contains __proto__, which no result has.'],
  ['', 'fields must not be empty.'],
  [Array.from({ length: 51 }, (_, i) => `a${i}`).join(), 'fields contains 51 values; at most 50 are allowed.'],
  ['x'.repeat(201), 'fields has 201 characters; at most 200 are allowed.'],
])('refuses fields=%s', async (fields, sentence) => {
  const reply = await world.get(`/locations/1?fields=${fields}`)
  expect(reply.status).toBe(400)
  const { field_errors: errors } = reply.json() as { field_errors: { field: string; message: string }[] }
  expect(errors[0]!.field).toBe('fields')
  expect(errors[0]!.message).toContain(sentence)
})

test('the members of beta can be named in beta alone', async () => {
  expect(await read('/locations/1?version=beta&fields=last_updated_ts')).toEqual({
    data: { id: 1, last_updated_ts: expect.any(String) },
  })
  expect((await world.get('/locations/1?version=1&fields=last_updated_ts')).status).toBe(400)
})
