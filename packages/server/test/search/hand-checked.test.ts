import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/compose/build-index.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composeServer, type Service } from '../../src/compose/server.ts'
import { indexFiles } from '../../src/search/index/file.ts'
import { verifyFolder } from '../composed.ts'
import { eventually } from '../eventually.ts'
import { send } from '../http-client.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importBytes, makeKey, scratch } from '../world.ts'
import { type HandChecked, handChecked, type Wanted } from './hand-checked.ts'

const sample = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../demo/${name}.ndjson.gz`, import.meta.url)))
const folder = scratch()
const config = configFor(folder.path, { 'search.partPlaces': 1000 })
let running: Service
let origin: string
let key: string
beforeAll(async () => {
  for (const name of ['places', 'reviews'])
    expect((await importBytes(config, sample(name))).report).toMatchObject({ rejected: 0 })
  const { index } = filesOf(config.data)
  const engine = openConfiguredEngine(config, { create: false })
  // The results of an index do not depend on the number of its parts.
  await buildIndex(engine, index, { nowMs: 0, partPlaces: config.search.partPlaces })
  expect(indexFiles(index).length).toBeGreaterThan(4)
  expect(await verifyFolder(config)).toEqual([])
  key = (await makeKey(config)).secret
  running = await composeServer(config, { demo: false })
  origin = await running.listen()
  await eventually(async () => expect(await searchPlaces('a', '')).toBeDefined())
})
afterAll(async () => {
  await running.drain()
  folder.remove()
})

interface Place {
  readonly names: readonly { readonly value: string; readonly primary?: boolean }[]
  readonly addresses?: readonly { readonly city?: string; readonly country_code?: string }[]
  readonly categories: readonly { readonly top_level_category: string }[]
}

async function searchPlaces(query: string, parameters: string): Promise<Place[] | undefined> {
  const target = `/locations/search?query=${encodeURIComponent(query)}&size=10&${parameters}`
  const { status, text } = await send(origin, target, { headers: { 'X-API-Key': key } })
  if (status === 503) return undefined
  expect({ status, text }).toMatchObject({ status: 200 })
  return (JSON.parse(text) as { data: { location: Place }[] }).data.map(({ location }) => location)
}

const nameOf = ({ names }: Place) => (names.find(({ primary }) => primary) ?? names[0]!).value
const countryOf = ({ addresses }: Place) => addresses?.[0]?.country_code

/** Returns true if a place is one of `name@country | name | …`. */
function isNamed(place: Place, wanted: string): boolean {
  return wanted.split(' | ').some(one => {
    const [name, country = countryOf(place)] = one.split('@')
    return nameOf(place) === name && countryOf(place) === country
  })
}

const matchesWanted = (place: Place, { category, city, country, name }: Wanted): boolean =>
  (category === undefined || place.categories[0]!.top_level_category === category) &&
  (city === undefined || place.addresses?.[0]?.city === city) &&
  (country === undefined || countryOf(place) === country) &&
  (name === undefined || name.test(nameOf(place)))

/** Returns the first places if they are not as wanted, for the failure message; undefined if they are. */
function unexpected(places: readonly Place[], wanted: HandChecked[2], rank: number): string[] | undefined {
  const first = places.slice(0, rank)
  const matches =
    typeof wanted === 'string'
      ? first.some(place => isNamed(place, wanted))
      : first.length > 0 && first.every(place => matchesWanted(place, wanted))
  return matches
    ? undefined
    : first.map(place => `${nameOf(place)}@${countryOf(place)} ${place.addresses?.[0]?.city ?? ''}`)
}

for (const [kind, rows] of Object.entries(handChecked)) {
  describe(kind, () => {
    for (const [language, query, wanted, rank, parameters = ''] of rows) {
      test(`[${language}] ${query} ${parameters}`.trim(), async () => {
        expect(unexpected((await searchPlaces(query, parameters))!, wanted, rank)).toBeUndefined()
      })
    }
  })
}

test('covers many queries in many languages', () => {
  const all = Object.values(handChecked).flat()
  expect(all.length).toBeGreaterThan(250)
  expect(new Set(all.map(([language]) => language)).size).toBeGreaterThan(25)
})
