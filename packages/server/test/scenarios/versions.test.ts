import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyMembers, type Row, scenarios } from '../scenario.ts'
import { searchable } from '../searchable.ts'
import { startWorld, type World } from '../world.ts'
import { largest } from '../world-rows.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  await searchable(world)
})
afterAll(() => world.close())

// biome-ignore lint/suspicious/noExplicitAny: responses of several versions, read member by member.
type Body = any
const dataOf = async (path: string, version: string): Promise<Body> =>
  ((await world.get(`${path}${path.includes('?') ? '&' : '?'}version=${version}`)).json() as Body).data

const names = [
  ['1', '1'],
  ['v1', '1'],
  ['2', '2'],
  ['V2', '2'],
  ['beta', 'beta'],
  ['BETA', 'beta'],
] as const

const paths = [
  ...[1, 2, 3, 4, 5, 20, 21, 40, 50, 60, 70, largest].flatMap(id => [`/locations/${id}`, `/catalog/locations/${id}`]),
  ...[1, 2, 40, 50, 60].map(id => `/locations/${id}/reviews`),
  '/locations?ids=1,2,3,4,99,70',
  '/locations?ids=99',
  '/locations/1?locale=ja,pt',
  '/locations/1/reviews?language=primary',
  '/locations/search?query=museum',
  '/locations/search?query=zzzzzz',
  '/locations/nearby?lat=40.41&lon=-3.69&radius=50',
  '/locations/nearby?location_id=2&radius=5',
  '/catalog/locations/search?query=linde',
  '/catalog/locations/nearby?sw_lat=-90&sw_lon=-180&ne_lat=90&ne_lon=180',
  '/recommendations/search?query=museum&lat=40.41&lon=-3.69&radius=10',
]
const wrong: [path: string, status: number][] = [
  ['/locations/99', 404],
  ['/locations/abc', 400],
  ['/locations?ids=', 400],
  ['/locations/search', 400],
  ['/locations/nearby?lat=1', 400],
  ['/locations/1/reviews?page=0&size=x', 400],
  ['/catalog/locations/99', 404],
  ['/recommendations/search', 400],
]

// Every row is checked against the OpenAPI document of its version, without additional members (answers.ts).
describe.each(names)('version=%s matches its OpenAPI document (R-15, R-19)', (value, name) => {
  const withVersion = (path: string) => `${path}${path.includes('?') ? '&' : '?'}version=${value}`
  scenarios('every endpoint', () => world, [
    ...paths.map((path): Row => ({ name: path, get: withVersion(path), status: 200, has: { 'api-version': name } })),
    ...wrong.map(
      ([path, status]): Row => ({ name: path, get: withVersion(path), status, has: { 'api-version': name } }),
    ),
    { name: 'no key', get: withVersion('/locations/1'), key: null, status: 401, has: { 'api-version': name } },
  ])
})

test.each(['1', '2', 'beta'])('version %s never sends null, "", [] or {} except as data (R-19)', async version => {
  for (const [path] of [...paths.map(one => [one]), ...wrong]) {
    const reply = await world.get(`${path}${path!.includes('?') ? '&' : '?'}version=${version}`)
    expect(emptyMembers(reply.json()).filter(at => at !== 'data')).toEqual([])
  }
})

test.each(['1', '2', 'beta'])(
  'the catalog of version %s has descriptions and urls (rulings: catalog)',
  async version => {
    const { descriptions, urls } = await dataOf('/locations/1', version)
    expect([descriptions.length, urls]).toEqual([
      expect.any(Number),
      { official: 'https://alba.example/', menu: 'https://alba.example/menu' },
    ])
    expect(await dataOf('/catalog/locations/1', version)).toMatchObject({ descriptions, urls })
    expect(await dataOf('/catalog/locations/5', version)).not.toHaveProperty('urls')
  },
)

describe('version 2 (rulings: Operations)', () => {
  test('writes locales with a hyphen', async () => {
    const languages = (data: Body) => data.names.map((name: Body) => name.language)
    expect(languages(await dataOf('/locations/1', '1'))).toContain('es_MX')
    expect(languages(await dataOf('/locations/1', '2'))).toContain('es-MX')
    expect(JSON.stringify(await dataOf('/locations/1', '2'), (_, v) => (typeof v === 'bigint' ? 0 : v))).not.toMatch(
      /"language":"\w+_/,
    )
  })
  test('returns labelled enumerations as id and display_name', async () => {
    const location = await dataOf('/locations/1', '2')
    expect(location.categories[0].top_level_category).toEqual({ id: 'ATTRACTION', display_name: 'Attractions' })
    expect(location.price_level).toEqual({ id: 'MODERATE', display_name: 'Moderate' })
    const [subrating] = location.traveler_ratings.subratings
    expect(subrating).toMatchObject({ type: { id: 'value', display_name: 'Value' }, rating: 4.5 })
    expect(subrating).not.toHaveProperty('type_name')
    const [review] = await dataOf('/locations/2/reviews', '2')
    expect(review.subratings).toContainEqual({
      type: { id: 'service', display_name: 'Service' },
      rating: 4,
      icon_url: { key: 'subrating_service', url: expect.any(String) },
    })
  })
  test('returns the icon of a review as an ImageUrl', async () => {
    const [review] = await dataOf('/locations/2/reviews', '2')
    expect(review.rating_icon).toEqual({ key: 'rating_5.0', url: expect.stringMatching(/ratings\/5\.0\.svg$/) })
    expect(review).not.toHaveProperty('rating_icon_url')
  })
})

describe('beta: the latest stable version plus experimental fields (SPEC §9.3)', () => {
  test('adds last_updated_ts and whether they are open to locations', async () => {
    const beta = await dataOf('/locations/1', 'beta')
    expect(beta).toMatchObject({
      ...(await dataOf('/locations/1', '1')),
      last_updated_ts: expect.stringMatching(/Z$/),
      open_now: expect.any(Boolean),
    })
  })
  test('adds score to search results', async () => {
    const [item] = await dataOf('/locations/search?query=museum', 'beta')
    const match = { kind: 'exact', confidence: expect.any(Number) }
    expect(item).toMatchObject({ score: expect.any(Number), match, location: { last_updated_ts: expect.any(String) } })
  })
  test('shows what a search has read, without empty members (R-144, R-19)', async () => {
    const path = '/locations/search?query=show+me+cheap+museums+in+Madrid'
    const answer = async (version: string): Promise<Body> => (await world.get(`${path}&version=${version}`)).json()
    const beta = await answer('beta')
    expect(beta.interpretation).toMatchObject({
      kind: 'category_in_place',
      category_ids: ['museum'],
      place: { role: 'in' },
      wants: { price_level: ['CHEAP'] },
      ignored: ['show', 'me'],
    })
    expect(emptyMembers(beta).filter(at => at !== 'data')).toEqual([])
    for (const version of ['1', '2']) expect(Object.keys(await answer(version))).toEqual(['data', 'pagination'])
  })
  test('reads collapse (R-154)', async () => {
    const path = '/locations/search?query=museum&strict=true&collapse='
    expect(await dataOf(`${path}true`, 'beta')).toEqual(await dataOf(`${path}false`, 'beta'))
    expect((await world.get(`${path}maybe&version=beta`)).status).toBe(400)
    expect((await world.get(`${path}true&version=1`)).status).toBe(400)
  })
})
