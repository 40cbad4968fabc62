import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Id } from '../../src/domain/id.ts'
import { createRandom } from '../../src/kit/random.ts'
import type { Sqlite } from '../../src/store/connection.ts'
import { dataMigrations } from '../../src/store/sqlite/migrations/data.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { findWrongRanks } from '../../src/store/sqlite/review-ranks.ts'
import { createSqliteReviews } from '../../src/store/sqlite/reviews.ts'
import { openModeration } from '../composed.ts'
import { record } from '../record.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

/** Numbers of reviews above and below the limit for sorting on request (review-ranks.ts). */
const [many, few] = [1300, 900]

const place = (id: number) => ({ id, name: `Place ${id}`, lat: 1, lon: 1 })
const next = createRandom(11)
const review = (id: number, location: number) => ({
  id,
  location_id: location,
  rating: 1 + Math.floor(next() * 5),
  lang: ['en', 'en-GB', 'es'][id % 3],
  ...(id % 7 > 0 && { published_date: `2026-0${1 + Math.floor(next() * 9)}-11` }),
})
const rows = (from: number, count: number, location: number) =>
  Array.from({ length: count }, (_, i) => review(from + i, location))

interface Row {
  readonly id: Id
  readonly rating: bigint
  readonly published_ms: bigint
}

/** Expects every page of a place, best first, to equal the sorted rows. */
async function expectOrder(data: Sqlite, locationId: Id, language?: string): Promise<void> {
  const all = data
    .prepare<[Id], Row & { language: string }>('SELECT * FROM reviews WHERE location_id = ?')
    .safeIntegers()
    .all(locationId)
    .filter(row => language === undefined || row.language === language || row.language.startsWith(`${language}-`))
    .sort((a, b) => Number(b.rating - a.rating || b.published_ms - a.published_ms || b.id - a.id))
    .map(row => row.id)
  const reader = createSqliteReviews(data)
  const found: Id[] = []
  for (let offset = 0; offset < all.length + 100; offset += 100) {
    const query = { locationId, sortBy: 'HIGHEST_RATED' as const, offset, limit: 100, ...(language && { language }) }
    const { reviews, total } = await reader.list(query)
    expect(total).toBe(all.length)
    found.push(...reviews.map(one => one.id))
  }
  expect(found).toEqual(all)
}

const isRanked = (data: Sqlite, id: Id) =>
  data.prepare('SELECT 1 FROM ranked_locations WHERE location_id = ?').get(id) !== undefined

describe('the order by rating of places with many reviews', () => {
  test('stays correct under imports, removals, moderation and merges', async () => {
    const config = configFor(join(folder.path, 'data'))
    const { importing, check } = rankedFolder(config.data)
    await importRows(config, 'location', [place(1), place(2), place(3)])
    await importRows(config, 'review', [...rows(1, many, 1), ...rows(10_001, few, 2), ...rows(20_001, 150, 3)])
    await check([1n], [2n, 3n])
    await importing([...rows(30_001, 200, 1), ...rows(1, 300, 1)])
    await importing([...rows(30_201, 300, 2)])
    await check([1n, 2n], [3n])
    await importing(Array.from({ length: 600 }, (_, i) => ({ id: 100 + i, deleted: true })))
    const moderating = openModeration(config)
    for (const id of [10n, 11n, 12n, 900n]) await moderating.reviews.hide(id, record())
    await moderating.reviews.show(11n, record())
    await moderating.reviews.erase(12n, record())
    moderating.close()
    await check([1n, 2n], [3n])
    await importRows(config, 'location', [{ id: 3, merged_into: 1 }])
    await check([1n, 2n], [])
    await importRows(config, 'location', [{ id: 2, merged_into: 1 }])
    await check([1n], [])
  })

  test('a migration adds the order to an older store', async () => {
    const file = join(folder.path, 'old.sqlite')
    const old = openSqlite(file, dataMigrations.slice(0, 2), { create: true, synchronous: 'NORMAL' })
    const add = old.prepare(
      `INSERT INTO reviews (id, location_id, published_ms, rating, language, record) VALUES (?, ?, ?, ?, 'en', '{}')`,
    )
    for (let id = 1; id <= 3000; id++) add.run(id, id % 3 === 0 ? 2 : id % 2, (id * 37) % 1009, 100 * (1 + (id % 5)))
    old.exec(
      `INSERT INTO review_totals SELECT location_id, 0, json_object('reviews', count(*)) FROM reviews GROUP BY location_id`,
    )
    old.close()
    const data = openSqlite(file, dataMigrations, { synchronous: 'NORMAL' })
    expect(findWrongRanks(data)).toEqual([])
    for (const id of [0n, 1n, 2n]) {
      expect(isRanked(data, id)).toBe(true)
      await expectOrder(data, id)
    }
    data.exec('DELETE FROM review_ranks WHERE id = 3')
    expect(findWrongRanks(data)).toEqual(['Location 2: the stored order of its reviews by rating is wrong.'])
    data.close()
  })
})

function rankedFolder(path: string) {
  const config = configFor(path)
  return {
    importing: (records: readonly object[]) => importRows(config, 'review', records),
    check: async (ranked: readonly Id[], others: readonly Id[]) => {
      const data = openSqlite(filesOf(path).data, dataMigrations, { synchronous: 'NORMAL' })
      expect([...ranked, ...others].filter(id => isRanked(data, id))).toEqual(ranked)
      expect(findWrongRanks(data)).toEqual([])
      for (const id of [...ranked, ...others]) {
        await expectOrder(data, id)
        await expectOrder(data, id, 'en')
      }
      data.close()
    },
  }
}
