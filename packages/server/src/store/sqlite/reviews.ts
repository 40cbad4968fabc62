import { LRUCache } from 'lru-cache'
import type { ReviewReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import { widenLocale } from '../../domain/locale.ts'
import type { ReviewTotals } from '../../domain/ratings.ts'
import type { Review, ReviewBody, TripType } from '../../domain/review.ts'
import type { ReviewQuery } from '../../domain/review-query.ts'
import type { Sqlite } from '../connection.ts'
import { undatedMs } from './codes.ts'
import { buildConditions, type Conditions } from './review-conditions.ts'

/** A stored review. */
export interface ReviewRow {
  id: bigint
  location_id: bigint
  published_ms: bigint
  rating: bigint
  language: string | null
  trip_type: string | null
  record: string
}

/** Returns the review of a stored row. */
export function toReview(store: Sqlite, row: ReviewRow): Review {
  const publishedMs = Number(row.published_ms)
  return {
    ...store.parseJson<ReviewBody>(row.record),
    id: row.id,
    locationId: row.location_id,
    ...(publishedMs !== undatedMs && { publishedMs }),
    ...(row.rating > 0n && { rating: Number(row.rating) / 100 }),
    ...(row.language !== null && { language: row.language }),
    ...(row.trip_type !== null && { tripType: row.trip_type as TripType }),
  }
}

const orders = {
  MOST_RECENT: { forward: 'published_ms DESC, id DESC', backward: 'published_ms ASC, id ASC' },
  HIGHEST_RATED: {
    forward: 'rating DESC, published_ms DESC, id DESC',
    backward: 'rating ASC, published_ms ASC, id ASC',
  },
}

const byRecency = 'reviews INDEXED BY reviews_by_recency'

type TotalsReader = (locationId: Id) => ReviewTotals | undefined

function createTotalsReader(db: Sqlite): TotalsReader {
  const byLocation = db.prepare<[Id], { totals: string }>('SELECT totals FROM review_totals WHERE location_id = ?')
  return locationId => {
    const row = byLocation.get(locationId)
    return row && db.parseJson<ReviewTotals>(row.totals)
  }
}

/**
 * Replaces a language with a region that no review of the location has. All reviews of the location decide, so
 * that the other filters and the page never change the language.
 */
function widenLanguage(query: ReviewQuery, readTotals: TotalsReader): ReviewQuery {
  if (!query.language?.includes('-')) return query
  const languages = Object.keys(readTotals(query.locationId)?.byLanguage ?? {})
  return { ...query, language: widenLocale(query.language, languages) }
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
    const order = orders[query.sortBy]
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
    const where = buildConditions(widenLanguage(query, readTotals))
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
  }
}
