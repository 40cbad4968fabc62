/** Answers to keys with a narrowed scope name and count nothing outside it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../src/domain/scope.ts'
import { searchable } from '../searchable.ts'
import { makeKey, startWorld, type World } from '../world.ts'

const tops = { 'geo:city': 'GEO', hostel: 'HOTEL', restaurant: 'RESTAURANT', igloo: 'OTHER' } as const

/** Places of each kind in two countries, of two sources; all have one phone number. */
const places = (['CA', 'US'] as const).flatMap((country, i) =>
  ['open', 'closed'].flatMap((source, j) =>
    Object.keys(tops)
      // Only one source has igloos.
      .filter(kind => kind !== 'igloo' || source === 'closed')
      .map((kind, k) => ({
        id: 100 + i * 20 + j * 10 + k,
        name: `Harbour ${kind.replace('geo:', '')} ${country} ${source}`,
        source,
        source_id: `${country}-${kind}`,
        category: kind as keyof typeof tops,
        country,
        city: 'Harbourtown',
        lat: 44.6 + i * 0.01,
        lon: -63.5 + j * 0.01,
        phone: '+1 902 555 0100',
        wikidata: kind === 'hostel' ? 'Q1' : `Q${100 + i * 20 + j * 10 + k}`,
        // Places that a narrowed key does not see come first.
        ...(source === 'closed' && { rating: 5, review_count: 900 }),
      })),
  ),
)
/** More places with one id than are compared, and than are returned for it. */
const crowd = Array.from({ length: 101 }, (_, i) => ({
  ...places.find(({ source, category }) => source === 'closed' && category === 'hostel')!,
  id: 1000 + i,
  name: `Hidden hostel ${i}`,
  source: 'crowd',
  source_id: `hostel-${i}`,
}))
const rows = [...places, ...crowd]

const scopes: readonly Scope[] = [
  { countries: ['CA'] },
  { categories: ['HOTEL', 'GEO'] },
  { sources: ['open'] },
  { countries: ['US'], categories: ['RESTAURANT', 'GEO'], sources: ['open'] },
]
const isIn = ({ countries, categories, sources }: Scope, row: (typeof rows)[number]) =>
  (countries?.includes(row.country) ?? true) &&
  (categories?.includes(tops[row.category]) ?? true) &&
  (sources?.includes(row.source) ?? true)

let world: World
const keys = new Map<Scope, string>()
beforeAll(async () => {
  world = await startWorld({}, rows)
  for (const scope of scopes) keys.set(scope, (await makeKey(world.config, { packageName: 'innovate', scope })).secret)
  await searchable(world, 'harbour hostel us open')
})
afterAll(() => world.close())

describe.each(scopes)('the scope %o', scope => {
  const visible = rows.filter(row => isIn(scope, row))
  const hidden = rows.filter(row => !isIn(scope, row))
  const own = visible.find(({ category }) => category === 'hostel') ?? visible[0]!

  /** Requests a path, checks that nothing outside the scope is in the answer, and returns it. */
  const ask = async (target: string, body?: object) => {
    const sent = body && { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const reply = await world.get(target, { key: keys.get(scope)!, ...sent })
    expect({ target, status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    for (const { id, name } of hidden) {
      expect(reply.text).not.toContain(`"id":${id},`)
      expect(reply.text).not.toContain(name)
    }
    return reply
  }
  const data = async <T>(target: string, body?: object) => ((await ask(target, body)).json() as { data: T[] }).data
  const count = (kind: string) => visible.filter(({ category }) => category === kind).length

  test.each(['harb', 'harbour c', 'hidden', 'hostels in harb', 'igloo', 'harbour city'])(
    'suggests for %s only what is in it',
    async query => {
      const suggested = await data<{ category_ids?: string[] }>(
        `/locations/autocomplete?version=beta&size=10&query=${encodeURIComponent(query)}`,
      )
      const kinds = suggested.flatMap(one => one.category_ids ?? []) as (keyof typeof tops)[]
      for (const kind of kinds) expect(scope.categories ?? Object.values(tops)).toContain(tops[kind])
      if (query === 'harb') expect(suggested.length).toBeGreaterThan(0)
    },
  )

  test('finds its records by ids that many others have, before any limit', async () => {
    const found = await data<{ id: number }>('/locations?external_id=wikidata:Q1')
    const wanted = visible.filter(row => row.wikidata === 'Q1')
    expect(found).toHaveLength(Math.min(wanted.length, 100))
    expect(wanted.map(({ id }) => id)).toEqual(expect.arrayContaining(found.map(({ id }) => id)))
  })

  test('matches records with its places only', async () => {
    const record = { name: own.name, external_id: `wikidata:${own.wikidata}`, phone: own.phone }
    const found = await data<{ location: { id: number } }>(`/locations/match?${new URLSearchParams(record)}`)
    expect(found[0]?.location.id).toBe(own.id)
    const others = hidden.slice(0, 3).map(({ name, lat, lon, phone }) => ({ name, lat, lon, phone }))
    const batch = await data<{ location: { id: number } }[]>('/locations/match', [record, ...others])
    expect(batch[0]![0]?.location.id).toBe(own.id)
  })

  test('counts categories, and names no others than those of the tree and of its records', async () => {
    const listed = await data<{ id: string; count: number }>('/categories')
    const counted = listed.filter(({ count: n }) => n > 0).map(one => [one.id, one.count])
    const kinds = Object.keys(tops).filter(kind => count(kind) > 0)
    expect(new Map(counted as [string, number][])).toEqual(
      new Map(
        kinds.flatMap(kind => {
          const top = tops[kind as keyof typeof tops]
          return [
            [top, count(kind)],
            [kind, count(kind)],
          ] as const
        }),
      ),
    )
    expect(listed.some(({ id }) => id === 'igloo')).toBe(count('igloo') > 0)
    const igloo = await world.get('/locations/search?query=a&category_id=igloo', { key: keys.get(scope)! })
    expect(igloo.status).toBe(count('igloo') > 0 ? 200 : 400)
    const wrong = await world.get('/categories?parent=iglo', { key: keys.get(scope)! })
    expect(wrong.status).toBe(400)
    expect(wrong.text).not.toContain('igloo')
  })

  test.each([
    ['polygon', { polygon: '{"type":"Polygon","coordinates":[[[-64,44],[-63,44],[-63,45],[-64,45],[-64,44]]]}' }],
    // From 44.6, -63.5 to 44.61, -63.49.
    ['route', { route: '_}eoG~iqbKo}@o}@', width: '5', unit: 'KM' }],
  ])('a %s contains its places only, and counts them', async (_name, area) => {
    const reply = await ask(`/locations/nearby?${new URLSearchParams({ ...area, size: '20' })}`)
    const { pagination } = reply.json() as { pagination: { total_elements: number } }
    expect(pagination.total_elements).toBe(visible.length)
  })

  test('recommends its places only', async () => {
    for (const query of ['hostel in Harbourtown', 'dinner in Harbourtown', 'igloo in Harbourtown']) {
      const found = await data<{ location: { id: number } }>(
        `/recommendations/search?${new URLSearchParams({ query, limit: '20' })}`,
      )
      expect(found.every(({ location }) => visible.some(({ id }) => id === location.id))).toBe(true)
    }
  })
})
