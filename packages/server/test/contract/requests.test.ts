/** Requests that are generated from the OpenAPI documents: those that a document allows are answered as it says. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { eventually } from '../eventually.ts'
import type { Reply } from '../http-client.ts'
import { searchable } from '../searchable.ts'
import { importRows, startWorld, type World } from '../world.ts'
import { documents, expectDocumented } from './answers.ts'
import { invalidValues, type ParamSchema, validValues } from './values.ts'

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required: boolean
  readonly allowEmptyValue?: boolean
  /** True for a list whose values are not separated by commas. */
  readonly explode?: boolean
  readonly schema: ParamSchema
}

/** A clock that tests move ahead. */
const clock = {
  aheadS: 0,
  nowMs: () => systemClock.nowMs() + clock.aheadS * 1000,
  monotonicUs: () => systemClock.monotonicUs() + clock.aheadS * 1_000_000,
}

let world: World
/** Id of a call in the request log. */
let callId: string
beforeAll(async () => {
  world = await startWorld({}, 'world', clock)
  await importRows(world.config, 'location', [{ id: 900, name: 'Madrid', lat: 40.4, lon: -3.7, category: 'geo:city' }])
  await searchable(world)
  callId = String((await world.get('/locations/1?version=1')).headers['x-request-id'])
  await eventually(async () => expect((await get(`/account/requests/${callId}`)).status).toBe(200))
})
afterAll(() => world.close())

type Version = keyof typeof documents

/** Sends a request a second after the one before, because a key may ask for its account once a second. */
function get(target: string): Promise<Reply> {
  clock.aheadS++
  return world.get(target)
}

/** Replaces the references in a part of a document. */
function dereference(node: unknown, version: Version): unknown {
  if (Array.isArray(node)) return node.map(one => dereference(one, version))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as { readonly $ref?: string }
  const members = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, dereference(one, version)]))
  if ($ref === undefined) return members
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], documents[version])
  return { ...(dereference(target, version) as object), ...members }
}

const operations = (version: Version) =>
  Object.entries(documents[version].paths).map(([path, { get }]) => {
    const { operationId, parameters } = dereference(get, version) as { operationId: string; parameters: Parameter[] }
    return { path, operationId, parameters: parameters.filter(one => one.in !== 'header') }
  })

type Query = Readonly<Record<string, string>>

/** Parameters whose values depend on the data, or on one another. */
const points = ['lat', 'lon', 'radius', 'unit']
const box = ['sw_lat', 'sw_lon', 'ne_lat', 'ne_lon']
const period = ['from', 'to', 'tz']
const cursors = ['published_after_review_id', 'after', 'cursor']
const shapes = ['polygon', 'route', 'route_precision', 'width']
const kinds = ['category_id', 'parent']
const times = ['open_now', 'open_at', 'since']
const ids = ['location_id', 'geo_id', ...cursors]
// A masked response lacks members that its schema requires.
const dependent = [...points, ...box, ...shapes, ...kinds, ...times, ...period, ...ids, 'fields', 'sort', 'version']

const decimal = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const centre = fc.record({ lat: decimal(-90, 90).map(String), lon: decimal(-180, 180).map(String) })
const radius = fc.oneof(
  fc.record({ radius: decimal(0.001, 62.1).map(String), unit: fc.constantFrom('MI', 'KM') }),
  fc.record({ radius: decimal(0.001, 100).map(String), unit: fc.constant('KM') }),
  fc.constant({}),
)
const sort = fc.constantFrom({}, { sort: 'distance,asc' }, { sort: 'rating,desc' })
const merged = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<Query> =>
  fc.tuple(...parts).map(all => Object.assign({}, ...all) as Query)
const boxes = fc
  .tuple(decimal(-90, 90), decimal(-90, 90), decimal(-180, 180), decimal(-180, 180))
  .map(([a, b, west, east]): Query => {
    const corners = [Math.min(a, b), west, Math.max(a, b), east]
    return Object.fromEntries(box.map((name, i) => [name, String(corners[i])]))
  })

const periods = fc
  .tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 366 }), fc.constantFrom('UTC', 'Asia/Kathmandu'))
  .map(([first, days, tz]): Query => {
    const [from, to] = [first, first + days].map(day => new Date(Date.UTC(2020, 0, 1 + day)).toISOString())
    return { from: from!, to: to!, tz }
  })

const triangle = JSON.stringify({
  type: 'Polygon',
  coordinates: [
    [
      [-4, 40],
      [-3, 40],
      [-3, 41],
      [-4, 40],
    ],
  ],
})
const opening = fc.constantFrom(
  ...[{}, { open_now: 'true' }, { open_at: '2026-12-24T20:00' }, { open_at: '2026-12-24T20:00:00+01:00' }],
  { category_id: 'museum' },
)

/** The search areas and periods of each operation. */
const areas: Readonly<Record<string, fc.Arbitrary<Query>>> = {
  nearby: merged(
    fc.oneof(
      merged(centre, radius, sort),
      merged(fc.constant({ location_id: '2' }), radius, sort),
      boxes,
      merged(fc.constant({ polygon: triangle }), sort),
      merged(fc.constant({ route: '_p~iF~ps|U_ulLnnqC', route_precision: '5', width: '0.5' }), sort),
    ),
    opening,
  ),
  search: merged(fc.oneof(fc.constant({}), centre), opening),
  listCategories: fc.constantFrom({}, { parent: 'RESTAURANT' }),
  listChanges: fc.constantFrom({ since: '2026-01-01' }, { since: 'c1' }),
  getAccountUsage: fc.oneof(fc.constant({}), periods),
  getLocations: fc.constantFrom({ ids: '1,2' }, { external_id: 'wikidata:Q1' }),
  match: merged(centre, fc.constant({ country_code: 'ES' })),
  recommendations: fc.oneof(fc.constant({ geo_name: 'Madrid' }), merged(centre, radius)),
}

const areaOf = (operationId: string): fc.Arbitrary<Query> =>
  areas[
    /^(nearby|search(?!Rec)|match|listCategories|listChanges|getLocations$|getAccountUsage$)/.exec(operationId)?.[1] ??
      (/Recomm/.test(operationId) ? 'recommendations' : '')
  ] ?? fc.constant({})

/** Further dependent parameters, by operation. */
const dependentOf: Readonly<Record<string, readonly string[]>> = {
  searchRecommendations: ['geo_name'],
  getLocations: ['ids', 'external_id'],
  matchLocation: ['country_code'],
}

/** Generates the parameters of a request that the document allows and that is consistent in itself. */
function validRequest(operationId: string, parameters: readonly Parameter[]): fc.Arbitrary<Query> {
  const names = [...dependent, ...(dependentOf[operationId] ?? [])]
  const free = parameters.filter(one => one.in === 'query' && !names.includes(one.name))
  const schemaOf = ({ explode, schema }: Parameter) => (explode && schema.items ? schema.items : schema)
  const values = Object.fromEntries(free.map(one => [one.name, validValues(schemaOf(one))]))
  const requiredKeys = free.filter(one => one.required).map(one => one.name)
  return merged(fc.record(values, { requiredKeys }), areaOf(operationId))
}

/** Returns the id in the path of an operation. */
const idOf = (path: string): string => (path.startsWith('/account/') ? callId : path.startsWith('/geos/') ? '900' : '1')

const toTarget = (path: string, query: Query, version: Version): string =>
  `${path.replace('{id}', idOf(path))}?${new URLSearchParams({ version: version.replace('v', ''), ...query })}`

const versions = Object.keys(documents) as Version[]
const everyOperation = versions.flatMap(version => operations(version).map(one => ({ version, ...one })))

test.each(everyOperation)(
  '$version: $operationId answers every valid request',
  async ({ version, path, operationId, parameters }) =>
    fc.assert(
      fc.asyncProperty(validRequest(operationId, parameters), async query => {
        const target = toTarget(path, query, version)
        const reply = await get(target)
        expect({ target, status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
        expectDocumented(reply, target)
      }),
      { numRuns: version === 'v1' ? 20 : 5 },
    ),
)

// All versions read requests with the same definitions.
test.each(operations('v1'))('$operationId names every invalid parameter', async ({ path, operationId, parameters }) => {
  const [base] = fc.sample(validRequest(operationId, parameters), { numRuns: 1, seed: 1 })
  for (const { name, in: place, schema, allowEmptyValue = place === 'path' } of parameters) {
    for (const value of invalidValues(schema)) {
      if (value === '' && allowEmptyValue) continue
      const target =
        place === 'path'
          ? toTarget(path.replace(`{${name}}`, encodeURIComponent(value)), base!, 'v1')
          : toTarget(path, { ...base, [name]: value }, 'v1')
      const reply = await get(target)
      expect({ target, status: reply.status, text: reply.text }).toMatchObject({ status: 400 })
      const { field_errors: errors } = reply.json() as { field_errors: { field: string }[] }
      expect([target, errors.map(({ field }) => field)]).toEqual([target, expect.arrayContaining([name])])
      expectDocumented(reply, target)
    }
  }
})
