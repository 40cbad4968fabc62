import { describe, expect, test } from 'vitest'
import { AreaPlaces } from '../../src/search/index/area-places.ts'
import { buildParts } from '../../src/search/index/build-parts.ts'
import type { SearchDocument } from '../../src/search/index/document.ts'
import { type IndexView, markDead, viewOfIndex } from '../../src/search/index/index-view.ts'
import { docOfLeader, partOfLeader } from '../../src/search/index/leaders.ts'
import { buildOverlay } from '../../src/search/index/overlay.ts'
import { allIds } from '../../src/search/index/part-plan.ts'
import { scoreParts } from '../../src/search/index/score-parts.ts'
import { Segment } from '../../src/search/index/segment.ts'
import { documentSetOf, ids, indexOf, listedIndexOf, place, search } from './world.ts'

/** A GEO document, `north` degrees from the others. */
const geo = (
  id: number,
  name: string,
  kind: string,
  population: number,
  north = 0,
  more: Partial<SearchDocument> = {},
) => place(id, name, { category: 'GEO', categoryIds: [`geo:${kind}`], population, latitude: 51 + north, ...more })
const station = (id: number, name: string, north = 0) =>
  place(id, name, { category: 'TRANSPORT', categoryIds: ['railway_station'], latitude: 51 + north })

const documents = [
  geo(1, 'Munich', 'city', 1_500_000, 0, { names: ['Munich', 'München'], country: 'DE' }),
  geo(2, 'Munich', 'county', 1_800_000),
  geo(3, 'Munich', 'locality', 900, 0.1),
  geo(4, 'Munich', 'city', 6000, 9, { country: 'US' }),
  { ...station(5, 'München', 0.3), names: ['München', 'Munich'] },
  station(6, 'Munich', 0.5),
  place(7, 'Munich', { category: 'RESTAURANT', latitude: 51 }),
  geo(8, 'Cork', 'county', 540_000),
  geo(9, 'Cork', 'hamlet', 200),
  geo(10, 'Nowhere', 'city', 0),
  geo(11, 'Nowhere', 'county', 0),
]

/** Returns the id of the leader of each document that has one. */
function leaders({ parts }: IndexView): Record<string, number> {
  const found: Record<string, number> = {}
  for (const { segment } of parts) {
    for (const [doc, leader] of segment.arrays.leader.entries()) {
      if (leader === 0) continue
      const { arrays } = parts[partOfLeader(leader)]!.segment
      found[String(segment.arrays.id[doc])] = Number(arrays.id[docOfLeader(leader)])
    }
  }
  return found
}

const index = await indexOf(documents)

/** Returns the index after some documents have changed. */
async function changed(view: IndexView, changes: readonly SearchDocument[], gone: readonly number[] = []) {
  const overlay = new Segment(await buildOverlay(changes, view, 2, 0))
  const dead = [...changes.map(({ id }) => id), ...gone.map(BigInt)]
  return { ...view, parts: [...view.parts.map(part => markDead(part, dead)), { segment: overlay }] }
}

describe('places with the name of a city nearby (R-154)', () => {
  const expected = { 2: 1, 3: 1, 5: 1 }

  test('a county, a smaller town and a station follow the city', () => expect(leaders(index)).toEqual(expected))

  test('a prefecture follows the city in it by any of its names', async () => {
    const japan = { country: 'JP', region: 'JP-43' }
    const view = await indexOf([
      geo(1, 'Kumamoto', 'city', 700_000, 0, japan),
      geo(2, 'Kumamoto Prefecture', 'region', 1_800_000, 1, { ...japan, names: ['Kumamoto Prefecture', 'Kumamoto'] }),
      geo(3, 'Kumamoto', 'county', 50_000, 2, { country: 'JP', region: 'JP-44' }),
      place(4, 'Inn', { category: 'HOTEL', categoryIds: ['hotel'], latitude: 51 }),
      place(5, 'Far Inn', { category: 'HOTEL', categoryIds: ['hotel'], latitude: 52, ...japan }),
    ])
    expect(leaders(view)).toEqual({ 2: 1 })
    expect(ids(search(view, 'kumamoto japan'))[0]).toBe(1)
    expect(ids(search(view, 'hotels in kumamoto'))).toEqual([4])
    expect(ids(search(view, 'hotels in kumamoto prefecture'))).toEqual([5])
  })

  test('places of other parts have the same leaders', async () => {
    const places = new AreaPlaces()
    const parts = await Array.fromAsync(buildParts(documentSetOf(documents).read(allIds), 4, places), part => ({
      part,
    }))
    const facts = { count: documents.length, revision: 1, builtMs: 0 }
    const view = viewOfIndex({ facts, ...scoreParts(parts, places) })
    expect(view.mains).toBe(3)
    expect(leaders(view)).toEqual(expected)
    expect(ids(search(view, 'munich'))).toEqual(ids(search(index, 'munich')))
  })

  test('a station where the caller is loses nothing', () => {
    const near = { latitude: 51.31, longitude: 0 }
    expect(
      ids(search(index, 'munich', { near }))
        .slice(0, 2)
        .sort(),
    ).toEqual([1, 5])
  })

  test('followers come behind other places of the name', () => {
    expect(ids(search(index, 'munich'))).toEqual([1, 4, 6, 7, 2, 3, 5])
    expect(search(index, 'munich', { collapse: true })).toMatchObject({
      hits: [{ id: 1n, also: [{ id: 2n }, { id: 3n }, { id: 5n }] }, { id: 4n }, { id: 6n }, { id: 7n }],
      total: 4,
    })
  })

  test('a filter that drops the leader drops the loss', () => {
    const [first] = search(index, 'munchen', { categories: ['TRANSPORT'] }).hits
    const alone = search(index, 'munchen').hits.find(({ id }) => id === 5n)!
    expect(first!.score - alone.score).toBeCloseTo(0.35, 10)
    expect(search(index, 'munich', { categories: ['TRANSPORT'], collapse: true }).total).toBe(2)
  })

  test('a query that the leader does not match has no loss', async () => {
    const found = await indexOf([...documents, place(12, 'Munich Airport', { category: 'TRANSPORT', latitude: 51 })])
    expect(ids(search(found, 'munich railway station'))[0]).toBe(5)
    expect(ids(search(found, 'munich airport'))[0]).toBe(12)
  })

  test('a changed place follows as before, and follows nobody when the city is gone', async () => {
    const station = { ...documents[4]!, labels: ['changed'] }
    const city = { ...documents[0]!, labels: ['changed'] }
    for (const changes of [[station], [city], [station, city]]) {
      const view = await changed(index, changes)
      expect(ids(search(view, 'munich'))).toEqual(ids(search(index, 'munich')))
      expect(search(view, 'munich', { collapse: true }).total).toBe(4)
    }
    const gone = await changed(index, [station], [1])
    expect(search(gone, 'munchen', { collapse: true }).total).toBe(1)
  })

  test('a best list has no loss of a city that is gone', async () => {
    const crowd = Array.from({ length: 60 }, (_, i) => station(100 + i, `Munich ${i}`, 9))
    const view = await listedIndexOf([...documents, ...crowd], 40)
    const scoreOf = (of: IndexView) => search(of, 'munich').hits.find(({ id }) => id === 5n)?.score ?? 0
    const without = await indexOf([...documents.slice(1), ...crowd])
    const gone = await changed(view, [place(500, 'Elsewhere')], [1])
    expect(scoreOf(gone)).toBeGreaterThan(scoreOf(view))
    expect(ids(search(gone, 'munich'))).toEqual(ids(search(without, 'munich')))
  })
})
