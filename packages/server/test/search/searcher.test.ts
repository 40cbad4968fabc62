import { afterAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { createRandom } from '../../src/kit/random.ts'
import { buildSegment } from '../../src/search/index/build.ts'
import type { SearchDocument } from '../../src/search/index/document.ts'
import { singlePart } from '../../src/search/index/index-data.ts'
import { Searcher, type SearcherOptions } from '../../src/search/keep/searcher.ts'
import { caller, ids, place, randomPlaces, wideQueue } from './world.ts'

const searchers: Searcher[] = []
const searcherOf = async (
  documents: readonly SearchDocument[],
  revision = 1,
  options: Partial<SearcherOptions> = {},
) => {
  const data = await buildSegment(documents, { revision, nowMs: 0 })
  const searcher = new Searcher(singlePart(data), { clock: systemClock, queue: wideQueue(), ...options })
  searchers.push(searcher)
  return searcher
}
afterAll(() => Promise.all(searchers.map(searcher => searcher.close())))
/** A budget that every query exceeds. */
const nothing = { steps: 0, ms: 0 }
const search = (searcher: Searcher, text: string, limit = 20) => searcher.search({ text, offset: 0, limit }, caller)

describe('changes', () => {
  test('a changed place is found by its new name but not by its old one', async () => {
    const searcher = await searcherOf([place(1, 'Alpha'), place(2, 'Beta')])
    await searcher.apply({
      revision: 5,
      upserts: [place(1, 'Gamma', { latitude: 4 }), place(3, 'Alpha Nova')],
      deletes: [2n],
    })
    expect(ids(await search(searcher, 'gamma'))).toEqual([1])
    expect(ids(await search(searcher, 'alpha'))).toEqual([3])
    expect(ids(await search(searcher, 'beta'))).toEqual([])
    expect([searcher.has(1n), searcher.has(2n), searcher.has(3n)]).toEqual([true, false, true])
    expect(searcher.info()).toMatchObject({ revision: 5, documents: 2, changes: 3, wantsRebuild: false })
    expect((await search(searcher, 'gamma')).revision).toBe(5)
  })

  test('more changes than are sent to the thread at once are all found', async () => {
    const searcher = await searcherOf([place(1, 'Alpha')])
    const upserts = Array.from({ length: 2500 }, (_, i) => place(10 + i, `Beta ${i}`))
    await searcher.apply({ revision: 2, upserts, deletes: [1n] })
    const found = await Promise.all(['beta 0', 'beta 1000', 'beta 2499'].map(text => search(searcher, text, 1)))
    expect(found.map(ids)).toEqual([[10], [1010], [2509]])
    expect(searcher.info()).toMatchObject({ documents: 2500, changes: 2501 })
  })

  test('a new main segment keeps the changes after its revision', async () => {
    const searcher = await searcherOf([place(1, 'Alpha')])
    await searcher.apply({ revision: 2, upserts: [place(2, 'Beta')], deletes: [] })
    await searcher.apply({ revision: 3, upserts: [place(3, 'Gamma')], deletes: [1n] })
    await searcher.swap(
      singlePart(await buildSegment([place(1, 'Alpha'), place(2, 'Beta')], { revision: 2, nowMs: 0 })),
    )
    expect(ids(await search(searcher, 'beta'))).toEqual([2])
    expect(ids(await search(searcher, 'gamma'))).toEqual([3])
    expect(ids(await search(searcher, 'alpha'))).toEqual([])
    expect(searcher.info()).toMatchObject({ revision: 3, documents: 2, changes: 2 })
  })

  test('stale places are removed from both segments before the change log is followed', async () => {
    const searcher = await searcherOf([place(1, 'Alpha'), place(2, 'Alpha Nova')])
    await searcher.apply({ revision: 2, upserts: [place(3, 'Alpha Prima'), place(4, 'Alpha Ultima')], deletes: [] })
    const { revision } = await search(searcher, 'alpha')
    await searcher.removeStale([1n, 3n, 77n], revision)
    const found = await search(searcher, 'alpha')
    expect([ids(found), found.total, found.revision]).toEqual([[2, 4], 2, 2])
    expect(searcher.info()).toMatchObject({ revision: 2, documents: 2 })
    expect([1n, 2n, 3n, 4n].map(id => searcher.has(id))).toEqual([false, true, false, true])
    await searcher.apply({ revision: 3, upserts: [place(5, 'Beta')], deletes: [] })
    expect(ids(await search(searcher, 'alpha'))).toEqual([2, 4])
  })

  test('a place that was restored meanwhile is not removed as stale', async () => {
    const searcher = await searcherOf([place(1, 'Alpha')])
    const { revision } = await search(searcher, 'alpha')
    await searcher.apply({ revision: 2, upserts: [place(1, 'Alpha')], deletes: [] })
    await searcher.removeStale([1n], revision)
    expect(ids(await search(searcher, 'alpha'))).toEqual([1])
  })

  test('results equal those of a rebuilt index', async () => {
    const random = createRandom(9)
    const before = randomPlaces(1500, 4)
    const replaced = randomPlaces(1500, 5)
    const after = new Map(before.map(document => [document.id, document]))
    const searcher = await searcherOf(before)
    for (let revision = 2; revision < 6; revision++) {
      const chosen = before.filter(() => random() < 0.04)
      const [upserts, deletes] = [
        chosen.slice(0, 40).map(({ id }) => replaced[Number(id) - 1]!),
        chosen.slice(40).map(({ id }) => id),
      ]
      for (const document of upserts) after.set(document.id, document)
      for (const id of deletes) after.delete(id)
      await searcher.apply({ revision, upserts, deletes })
    }
    const rebuiltSearcher = await searcherOf([...after.values()], 5)
    expect(searcher.info().documents).toBe(after.size)
    for (const text of [
      'hotel',
      'ba',
      'museum madrid',
      'kalo',
      'grand lomi',
      'mirates',
      'bars in athens',
      'grnd kamar',
      'x',
    ]) {
      const [changed, rebuilt] = await Promise.all([search(searcher, text, 2000), search(rebuiltSearcher, text, 2000)])
      expect(changed.total).toBe(rebuilt.total)
      expect(ids(changed).sort()).toEqual(ids(rebuilt).sort())
      expect(new Set(ids(changed)).size).toBe(changed.total)
    }
    const nearby = { within: { centre: { latitude: 0, longitude: 0 }, radiusKm: 9000 }, offset: 0, limit: 2000 }
    for (const sort of ['distance', 'rating'] as const) {
      const [changed, rebuilt] = await Promise.all([
        searcher.nearby({ ...nearby, sort }, caller),
        rebuiltSearcher.nearby({ ...nearby, sort }, caller),
      ])
      expect(changed.hits).toEqual(rebuilt.hits)
      expect(changed.total).toBe(rebuilt.total)
    }
  })
})

describe('long queries', () => {
  test('run on a worker with the same results', async () => {
    const documents = randomPlaces(3000, 8)
    const inline = await searcherOf(documents)
    const onWorker = await searcherOf(documents, 1, { inline: nothing })
    const nearby = {
      within: { centre: { latitude: 0, longitude: 0 }, radiusKm: 5000 },
      sort: 'rating' as const,
      offset: 3,
      limit: 20,
    }
    for (const text of ['hotel', 'k', 'museums in athens', 'wrnog', '']) {
      expect(await search(onWorker, text)).toEqual(await search(inline, text))
    }
    expect(await onWorker.nearby(nearby, caller)).toEqual(await inline.nearby(nearby, caller))
    await onWorker.apply({ revision: 2, upserts: [place(9000, 'Zanzibar')], deletes: [] })
    expect(ids(await search(onWorker, 'zanzibar'))).toEqual([9000])
  })

  test('a closed searcher rejects pending queries', async () => {
    const searcher = await searcherOf(randomPlaces(50, 1), 1, { inline: nothing })
    const rejection = expect(search(searcher, 'hotel')).rejects.toThrow('stopped')
    await searcher.close()
    await rejection
  })
})
