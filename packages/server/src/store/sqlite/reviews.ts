import { LRUCache } from 'lru-cache'
import type { ReviewReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { ReviewTotals } from '../../domain/ratings.ts'
import type { ReviewQuery } from '../../domain/review-query.ts'
import type { Sqlite } from '../connection.ts'
import { buildConditions, type Conditions } from '../rows/review-conditions.ts'
import { type ReviewRow, reviewOrders, toReview, widenLanguage } from '../rows/review-row.ts'

const byRecency = 'reviews INDEXED BY reviews_by_recency'

type TotalsReader = (locationId: Id) => ReviewTotals | undefined

function createTotalsReader(db: Sqlite): TotalsReader {
  const byLocation = db.prepare<[Id], { totals: string }>('SELECT totals FROM review_totals WHERE location_id = ?')
  return locationId => {
    const row = byLocation.get(locationId)
    return row && db.parseJson<ReviewTotals>(row.totals)
  }
}

function createPhotographedReader(db: Sqlite): ReviewReader['withPhotos'] {
  const photographed = db
    .prepare<[Id, number], ReviewRow>(
      `SELECT reviews.* FROM photo_reviews AS p
       JOIN reviews ON reviews.id = p.id AND reviews.location_id = p.location_id
       WHERE p.location_id = ? ORDER BY p.published_ms DESC, p.id DESC LIMIT ?`,
    )
    .safeIntegers()
  return async (locationId, limit) => photographed.all(locationId, limit).map(row => toReview(db, row))
}

/** Reads reviews from data.sqlite. */
export function createSqliteReviews(db: Sqlite): ReviewReader {
  const prepared = new Map<string, ReturnType<Sqlite['prepare']>>()
  const prepare = (sql: string) => {
    const found = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, found)
    return found
  }
  const byId = db.prepare<[Id], ReviewRow>('SELECT * FROM reviews WHERE id = ?').safeIntegers()
  const readTotals = createTotalsReader(db)
  const isRanked = db.prepare<[Id], 1>('SELECT 1 FROM ranked_locations WHERE location_id = ?').pluck()
  // A count scans the index, and every page repeats it: cache counts until another connection writes.
  const counts = new LRUCache<string, number>({ max: 10_000 })
  const dataVersion = db.prepare('PRAGMA data_version').pluck()
  let countedAt: unknown

  const count = ({ sql, bindings }: Conditions, locationId: Id): number => {
    if (bindings.length === 1) return readTotals(locationId)?.reviews ?? 0
    const key = `${sql}\n${bindings.join('\n')}`
    const known = counts.get(key)
    if (known !== undefined) return known
    const row = prepare(`SELECT count(*) AS n FROM ${byRecency} WHERE ${sql}`).get(...bindings)
    const total = Number((row as { n: number }).n)
    counts.set(key, total)
    return total
  }

  const pageOfIds = (where: Conditions, query: ReviewQuery, total: number): Id[] => {
    const limit = Math.min(query.limit, total - query.offset)
    if (limit <= 0) return []
    const order = reviewOrders[query.sortBy]
    // The cost of a page is its offset: read pages of the second half from the end.
    const fromEnd = query.offset > total / 2
    const offset = fromEnd ? total - query.offset - limit : query.offset
    const from = query.sortBy === 'HIGHEST_RATED' && isRanked.get(query.locationId) ? 'review_ranks' : byRecency
    const ids = prepare(
      `SELECT id FROM ${from} WHERE ${where.sql}
       ORDER BY ${fromEnd ? order.backward : order.forward} LIMIT ? OFFSET ?`,
    )
      .pluck()
      .safeIntegers()
      .all(...where.bindings, limit, offset) as Id[]
    return fromEnd ? ids.reverse() : ids
  }

  // One transaction, so that total and page are consistent.
  const list = db.transaction((query: ReviewQuery) => {
    const version = dataVersion.get()
    if (version !== countedAt) counts.clear()
    countedAt = version
    const where = buildConditions(widenLanguage(query, () => readTotals(query.locationId)))
    const total = count(where, query.locationId)
    const reviews = pageOfIds(where, query, total).map(id => toReview(db, byId.get(id)!))
    return { reviews, total }
  })

  return {
    get: async id => {
      const row = byId.get(id)
      return row && toReview(db, row)
    },
    list: async query => list(query),
    withPhotos: createPhotographedReader(db),
  }
}
