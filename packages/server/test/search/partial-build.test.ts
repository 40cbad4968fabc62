/** Rebuilds of the parts that have changed: the results are those of a build of everything. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createRandom } from '../../src/kit/random.ts'
import type { SearchDocument } from '../../src/search/index/document.ts'
import { loadIndex, readManifestFacts } from '../../src/search/index/file.ts'
import { viewOfIndex } from '../../src/search/index/index-view.ts'
import { type HeldParts, partsByName } from '../../src/search/index/part-files.ts'
import { prepareIndex } from '../../src/search/query/prepare-index.ts'
import { createQueries, toJson } from './random-queries.ts'
import { documentSetOf, listedIndexOf, nearby, place, randomPlaces, search } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'periplus-partial-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'search.index')
const random = createRandom(5)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
/** The long form raises it. */
const queries = Number(process.env.PERIPLUS_QUERIES ?? 150)
const cities = ['Madrid', 'Athens', 'Lyon', 'New York', 'Graz']
const city = (id: bigint | number, name: string, names: readonly string[] = [name]) =>
  place(id, name, { names, category: 'GEO', country: pick(['ES', 'GR', 'FR', 'US']), population: 1e6 * random() })

const stored = new Map<bigint, SearchDocument>()
const put = (document: SearchDocument) => void stored.set(document.id, document)
for (const document of randomPlaces(1500, 4)) put(document)
for (const [i, name] of cities.entries()) put(city(300 * i + 7, name, [name, `${name}burg`]))
const documents = () => [...stored.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
const words = randomPlaces(1500, 4).flatMap(({ names }) => names[0]!.split(' '))
const randomQuery = createQueries(words, cities, random)

/** Changes the places with some ids. Returns the ids. */
type Change = () => readonly bigint[]
const editSome: Change = () => {
  const from = 400 + Math.floor(random() * 300)
  return Array.from({ length: 20 }, (_, i) => {
    const id = BigInt(from + i)
    if (random() < 0.3) stored.delete(id)
    else put({ ...randomPlaces(1, from + i)[0]!, id, surroundings: [pick(cities)] })
    return id
  })
}
const addMany: Change = () => {
  const last = Number(documents().at(-1)!.id)
  const added = randomPlaces(350, last).map(document => ({ ...document, id: document.id + BigInt(last) }))
  for (const document of added) put(document)
  return added.map(({ id }) => id)
}
const renameCity: Change = () => {
  const id = BigInt(300 * Math.floor(random() * cities.length) + 7)
  put(city(id, pick(cities), [pick(cities), `Nova ${pick(words)}`]))
  return [id]
}
const touchCity: Change = () => {
  const old = documents().find(({ category }) => category === 'GEO')!
  put({ ...old, population: 5e6 * random() })
  return [old.id]
}

let revision = 0
/** Parts in memory. */
let held: HeldParts = new Map()
let log: { readonly seq: number; readonly ids: readonly bigint[] }[] = []

/** Builds the index of the current places, and returns the names of the files of its parts. */
async function build(): Promise<string[]> {
  const changesAfter = async function* (seq: number) {
    for (const change of log) if (change.seq > seq) yield change.ids
  }
  const set = {
    ...documentSetOf(documents()),
    origin: { storeId: 's', seq: revision, mark: `m${revision}` },
    findChanges: async ({ seq }: { readonly seq: number }) => changesAfter(seq),
  }
  const save = await prepareIndex(path, set, { revision, nowMs: 7, partDocuments: 300, held })
  save()
  return readManifestFacts(path)!.parts.map(({ places }) => places.name)
}

async function expectResultsOfOnePart(): Promise<void> {
  const loaded = loadIndex(path, held)
  if (loaded.outcome !== 'loaded') throw new Error(loaded.outcome)
  held = partsByName(loaded.index)
  expect(loaded.index.facts).toEqual({ count: stored.size, revision, builtMs: 7 })
  const found = viewOfIndex(loaded.index)
  // The best lists of an index so small begin at 40 documents.
  const expected = { ...(await listedIndexOf(documents(), 40)), revision }
  for (let i = 0; i < queries; i++) {
    const query = randomQuery()
    const results = toJson(search(found, query.text, query))
    if (results !== toJson(search(expected, query.text, query)))
      expect({ query, results }).toEqual({ query, results: toJson(search(expected, query.text, query)) })
  }
  const within = { centre: { latitude: 10, longitude: 20 }, radiusKm: 3000 }
  expect(nearby(found, { within })).toEqual(nearby(expected, { within }))
}

async function buildAfter(change: Change): Promise<{ readonly before: string[]; readonly after: string[] }> {
  const before = readManifestFacts(path)!.parts.map(({ places }) => places.name)
  revision++
  log.push({ seq: revision, ids: change() })
  return { before, after: await build() }
}

test('only the parts whose places have changed are built, and all results are those of one part', async () => {
  expect(await build()).toHaveLength(5)
  await expectResultsOfOnePart()
  for (const change of [editSome, addMany, touchCity, renameCity, editSome, renameCity, renameCity]) {
    const { before, after } = await buildAfter(change)
    const built = after.filter(name => !before.includes(name))
    // New names of a place are in the terms of each part whose areas are named after it.
    if (change !== renameCity) expect(built.length).toBeLessThan(4)
    expect(built).not.toEqual([])
    const heldBefore = held
    await expectResultsOfOnePart()
    // The memory of parts that were not built is used again.
    const isSame = (name: string) => held.get(name)!.arrays.id === heldBefore.get(name)?.arrays.id
    expect(after.filter(name => !isSame(name))).toEqual(built)
  }
})

test('a change that no search sees, and a lost log, give the same files', async () => {
  const { before, after } = await buildAfter(() => [500n, 900n])
  expect(after).toEqual(before)
  log = []
  const changes = new Set(await build())
  expect(changes).toEqual(new Set(before))
})

test('a part that is missing, damaged or exchanged is built again', async () => {
  const names = readManifestFacts(path)!.parts.flatMap(({ places, scores }) => [places.name, scores.name])
  const [missing, cut, exchanged] = names.filter((_, i) => i % 2 === 0).map(name => join(folder, name))
  rmSync(missing!)
  writeFileSync(cut!, Buffer.alloc(statSync(cut!).size - 1))
  writeFileSync(exchanged!, 'PERIPLUS')
  expect(loadIndex(path)).toMatchObject({ outcome: 'damaged', reason: expect.stringContaining(basename(missing!)) })
  await build()
  expect(readdirSync(folder).sort()).toEqual([...names, 'search.index'].sort())
  await expectResultsOfOnePart()
})
