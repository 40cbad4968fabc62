import { afterAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/compose/build-index.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { isFault } from '../../src/domain/fault.ts'
import { fullScope } from '../../src/domain/scope.ts'
import type { Engine } from '../../src/domain/stores.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { loadIndex } from '../../src/search/index/file.ts'
import { Searcher } from '../../src/search/keep/searcher.ts'
import { rank } from '../../src/search/recommend/rank.ts'
import { createRecommender } from '../../src/search/recommend/recommender.ts'
import { type NearbyRequest, nearbyLocations } from '../../src/usecases/partner/nearby-locations.ts'
import { searchLocations } from '../../src/usecases/partner/search-locations.ts'
import { searchRecommendations } from '../../src/usecases/partner/search-recommendations.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { caller, wideQueue } from './world.ts'

const folder = scratch()
afterAll(folder.remove)

const inn = (id: number, name: string, more: object = {}) => ({
  id,
  source: 's',
  source_id: `p${id}`,
  name,
  category: 'hotel',
  lat: 40 + id / 10_000,
  lon: -3,
  rating: 4,
  review_count: 1000 - id,
  ...more,
})

/** Places in the index. Afterwards, the store merges 1 and 4 into 3, merges 5 into the new 9, and removes 6. */
const indexed = [1, 2, 3, 4, 5, 6, 7].map(id => inn(id, `Alpha ${id}`))
const merged = (id: number, survivor: number) => ({ source: 's', source_id: `p${id}`, merged_into: survivor })
const changes = [
  inn(9, 'Alpha 9'),
  merged(1, 3),
  merged(4, 3),
  merged(5, 9),
  { source: 's', source_id: 'p6', deleted: true },
]

/** Starts a searcher whose index does not have the latest changes of the store. */
async function startStale(name: string) {
  const config = configFor(`${folder.path}/${name}`)
  await importRows(config, 'location', indexed)
  const engine: Engine = openConfiguredEngine(config, { create: false })
  const { index } = filesOf(config.data)
  await buildIndex(engine, index, { nowMs: 0 })
  const loaded = loadIndex(index)
  if (loaded.outcome !== 'loaded') throw new Error(loaded.outcome)
  const searcher = new Searcher(loaded.index, { clock: systemClock, queue: wideQueue() })
  await importRows(config, 'location', changes)
  const shortlist = searcher.shortlist.bind(searcher)
  return {
    index: searcher,
    locations: engine.locations,
    recommender: createRecommender({
      shortlist,
      rank: task => engine.texts.readConsistently(texts => rank(texts, task)),
    }),
    close: async () => {
      await searcher.close()
      await engine.close()
    },
  }
}

const idsOf = (items: readonly { readonly entry: { readonly id: bigint } }[]) =>
  items.map(({ entry }) => Number(entry.id))

describe('an index with places that the store has since merged or removed (R-24)', () => {
  test('search returns each place once, and the total counts each once', async () => {
    const stale = await startStale('search')
    const search = (offset: number, limit: number) =>
      searchLocations(stale, fullScope, { text: 'alpha', offset, limit }, caller)
    const found = await search(0, 20)
    expect([idsOf(found.items), found.total]).toEqual([[2, 3, 9, 7], 4])
    expect([...(await search(0, 2)).items, ...(await search(2, 2)).items].map(({ entry }) => Number(entry.id))).toEqual(
      [2, 3, 9, 7],
    )
    await stale.close()
  })

  test('pages of a search are full, and have no place in common', async () => {
    const stale = await startStale('pages')
    const search = (offset: number) => searchLocations(stale, fullScope, { text: 'alpha', offset, limit: 2 }, caller)
    expect(idsOf((await search(0)).items)).toEqual([2, 3])
    const last = await search(2)
    expect([idsOf(last.items), last.total]).toEqual([[9, 7], 4])
    await stale.close()
  })

  test('a survivor that the index does not have is returned with its own names', async () => {
    const stale = await startStale('survivor')
    const { items } = await searchLocations(stale, fullScope, { text: 'alpha 5', offset: 0, limit: 20 }, caller)
    const survivor = items.find(({ entry }) => entry.id === 9n)
    expect(survivor?.hit).not.toHaveProperty('matchedName')
    await stale.close()
  })

  test.each(['distance', 'rating'] as const)('nearby by %s returns each place once', async sort => {
    const stale = await startStale(`nearby-${sort}`)
    const within = { centre: { latitude: 40, longitude: -3 }, radiusKm: 50 }
    const request: NearbyRequest = { within, sort, offset: 0, limit: 20 }
    const found = await nearbyLocations(stale, fullScope, request, caller)
    if (isFault(found)) throw new Error(found.fault)
    expect([idsOf(found.items).sort(), found.total]).toEqual([[2, 3, 7, 9], 4])
    await stale.close()
  })

  test('recommendations return each place once, as many as were requested', async () => {
    const stale = await startStale('recommendations')
    const found = await searchRecommendations(
      stale,
      fullScope,
      {
        text: 'hotel',
        destination: { centre: { latitude: 40, longitude: -3 }, radiusKm: 50 },
        excluded: [],
        languages: [],
        limit: 4,
        nowMs: 0,
      },
      caller,
    )
    if (isFault(found)) throw new Error(found.fault)
    expect(idsOf(found).sort()).toEqual([2, 3, 7])
    await stale.close()
  })

  test('recommendations that were ranked before a merge return the survivor once', async () => {
    const stale = await startStale('race')
    const hits = [1n, 3n, 4n, 5n, 6n, 7n].map(id => ({ id, score: 1, reasons: [] }))
    const found = await searchRecommendations(
      { ...stale, recommender: { recommend: async () => hits } },
      fullScope,
      {
        text: 'hotel',
        excluded: [],
        languages: [],
        limit: 20,
        nowMs: 0,
      },
      caller,
    )
    if (isFault(found)) throw new Error(found.fault)
    expect(found.map(({ entry, hit }) => [entry.id, hit.id])).toEqual([
      [3n, 3n],
      [9n, 5n],
      [7n, 7n],
    ])
    await stale.close()
  })

  test('an excluded survivor is not recommended through a merged place', async () => {
    const stale = await startStale('excluded')
    const found = await searchRecommendations(
      stale,
      fullScope,
      {
        text: 'hotel',
        destination: { centre: { latitude: 40, longitude: -3 }, radiusKm: 50 },
        excluded: [3n, 9n],
        languages: [],
        limit: 4,
        nowMs: 0,
      },
      caller,
    )
    if (isFault(found)) throw new Error(found.fault)
    expect(idsOf(found).sort()).toEqual([2, 7])
    await stale.close()
  })
})
