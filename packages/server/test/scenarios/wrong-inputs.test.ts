/** Wrong inputs of the endpoints of: each gets a sentence that names the parameter. */
import { afterAll, beforeAll } from 'vitest'
import { type Row, scenarios } from '../scenario.ts'
import { searchRows } from '../search-rows.ts'
import { searchable } from '../searchable.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({}, searchRows)
  await searchable(world)
})
afterAll(() => world.close())

type Ring = readonly (readonly [longitude: number, latitude: number])[]

/** Returns the rows of an endpoint: query, status, and the parameter at fault or what the text contains. */
const rowsOf = (path: string, cases: readonly (readonly [name: string, query: string, expected: Expected])[]): Row[] =>
  cases.map(([name, query, expected]) => ({ name: `${path}: ${name}`, get: `${path}?${query}`, ...expected }))
type Expected = Pick<Row, 'status' | 'fields' | 'text' | 'data'>
const wrong = (field: string, text: string): Expected => ({ status: 400, fields: [field], text })
const fine: Expected = { status: 200 }

const polygon = (...ring: Ring) =>
  `polygon=${encodeURIComponent(JSON.stringify({ type: 'Polygon', coordinates: [ring] }))}`
const circle = (positions: number): Ring =>
  Array.from({ length: positions }, (_, i) => {
    const at = (2 * Math.PI * (i % (positions - 1))) / (positions - 1)
    return [Math.round(Math.cos(at) * 100) / 10, Math.round(Math.sin(at) * 100) / 10] as const
  })
// From 38.5, -120.2 to 40.7, -120.95.
const route = 'route=_p~iF~ps%7CU_ulLnnqC'

const nearby = rowsOf('/locations/nearby', [
  ['a polygon that crosses itself', polygon([-4, 40], [-3, 41], [-3, 40], [-4, 41], [-4, 40]), fine],
  ['a polygon over the date line', polygon([179, -18], [-179, -18], [-179, -16], [179, -16], [179, -18]), fine],
  ['a polygon of two positions', polygon([0, 0], [1, 1]), wrong('polygon', 'at least four')],
  ['a polygon without an area', polygon([0, 0], [1, 1], [0, 0], [0, 0]), fine],
  ['a polygon of 501 positions', polygon(...circle(501)), wrong('polygon', '500')],
  ['a polygon of 1,501 positions', polygon(...circle(1501)), { status: 414, text: '16 KB' }],
  ['a polygon of 10,001 positions', polygon(...circle(10_001)), { status: 431, text: '"detail":"' }],
  ['a polygon around a pole', polygon([0, 80], [120, 80], [-120, 80], [0, 80]), wrong('polygon', 'pole')],
  ['a width of 0', `${route}&width=0`, wrong('width', 'width must be')],
  ['a negative width', `${route}&width=-1`, wrong('width', 'width must be')],
  ['a huge width', `${route}&width=1e9`, wrong('width', 'width must be')],
  ['a route of other letters', 'route=%F0%9F%8D%95%20caf%C3%A9', wrong('route', 'route contains \\"🍕\\"')],
  ['a route of one position', 'route=_p~iF~ps%7CU', wrong('route', 'at least two')],
  ['a route beyond the poles', 'route=_gsia@_ibE_ibE_ibE', wrong('route', 'leaves the Earth')],
  ['a route in seven decimals', `${route}&route_precision=7`, wrong('route_precision', 'from 5 to 6')],
  ['a word for a time', 'lat=1&lon=1&open_at=tomorrow', wrong('open_at', 'open_at must be')],
  ['a day that does not exist', 'lat=1&lon=1&open_at=2026-02-30T10:00', wrong('open_at', 'open_at must be')],
  ['an unknown category', 'lat=1&lon=1&category_id=restorant', wrong('category_id', 'restaurant')],
  ['an unknown attribute', 'lat=40.4168&lon=-3.7038&attribute=cuisine.nobody', { status: 200, data: [] }],
])

const match = rowsOf('/locations/match', [
  ['an external id without a colon', 'name=a&external_id=Q201', wrong('external_id', 'a source and an id')],
  ['a size of 0', 'name=a&lat=1&lon=1&size=0', wrong('size', 'from 1 to 5')],
  ['a huge size', 'name=a&lat=1&lon=1&size=1e9', wrong('size', 'from 1 to 5')],
  ['a latitude beyond the pole', 'name=a&lat=91&lon=1', wrong('lat', 'from -90 to 90')],
  ['the name of a country', 'name=a&city=Rome&country_code=Italy', wrong('country_code', 'country_code must be')],
  ['a long name', `name=${'a'.repeat(301)}&lat=1&lon=1`, wrong('name', '300')],
  ['a name of punctuation', 'name=%3F%21&lat=1&lon=1', { status: 200, data: [] }],
])

const autocomplete = rowsOf('/locations/autocomplete', [
  ['a size of 0', 'query=a&size=0', wrong('size', 'from 1 to 10')],
  ['a size of 11', 'query=a&size=11', wrong('size', 'from 1 to 10')],
  ['a huge size', 'query=a&size=1e9', wrong('size', 'from 1 to 10')],
  ['a short session', 'query=a&session=abc', wrong('session', '16 to 64')],
  ['a session with spaces', 'query=a&session=session%20of%20a%20user', wrong('session', '16 to 64')],
  ['an unknown attribute', 'query=bar&attribute=cuisine.nobody', fine],
  ['half a point', 'query=a&lon=1', wrong('lat', 'lat')],
  ['spaces', 'query=%20%20', wrong('query', 'query')],
])

const others = [
  ...rowsOf('/locations', [
    [
      '101 external ids',
      Array.from({ length: 101 }, (_, i) => `external_id=a:${i}`).join('&'),
      wrong('external_id', '100'),
    ],
    ['an external id without a source', 'external_id=:7', wrong('external_id', 'a source and an id')],
    ['an empty external id', 'external_id=', wrong('external_id', 'a source and an id')],
  ]),
  ...rowsOf('/categories', [
    ['an unknown parent', 'parent=musem', wrong('parent', 'museum')],
    ['the name of a country', 'country_code=Spain', wrong('country_code', 'country_code must be')],
  ]),
  ...rowsOf('/locations/search', [
    ['an unknown category', 'query=a&category_id=musem', wrong('category_id', 'museum')],
    [
      '21 attributes',
      `query=a${Array.from({ length: 21 }, (_, i) => `&attribute=a.${i}`).join('')}`,
      wrong('attribute', '20'),
    ],
    ['open_at of a thousand letters', `query=a&open_at=${'9'.repeat(1000)}`, wrong('open_at', 'open_at must be')],
  ]),
  ...rowsOf('/recommendations/search', [
    ['an unknown category', 'query=a%20bar%20in%20Madrid&category_id=barr', wrong('category_id', 'bar')],
    ['a limit of 0', 'query=a%20bar%20in%20Madrid&limit=0', wrong('limit', 'from 1 to 20')],
    ['a radius of 0', 'query=a%20bar&lat=40.4&lon=-3.7&radius=0', wrong('radius', 'radius must be')],
  ]),
]

scenarios('wrong inputs', () => world, [...nearby, ...match, ...autocomplete, ...others])
