import { LRUCache } from 'lru-cache'
import type { ReviewReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { ReviewTotals } from '../../domain/ratings.ts'
import type { Review } from '../../domain/review.ts'
import type { ReviewQuery } from '../../domain/review-query.ts'
import { buildConditions, type Conditions } from '../rows/review-conditions.ts'
import { type ReviewRow, reviewOrders, toReview, widenLanguage } from '../rows/review-row.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { readReviews, reviewColumnsOf } from './review-rows.ts'

/** Result of the last page of a query, which chooses how the next one is read. */
interface Hint {
  readonly total: number
  readonly isRanked: boolean
}

interface Page extends Hint {
  readonly reviews: Review[]
}

/** A row of a page; the columns of the review are NULL on an empty page. */
type PageRow = { readonly total: bigint; readonly is_ranked: boolean } & (ReviewRow | { readonly id: null })

/** Maximum number of queries whose totals are known. */
const knownTotals = 10_000

/** Reads reviews. */
export function createPostgresReviews(pool: Pick<PostgresPool, 'use' | 'transaction' | 'parseJson'>): ReviewReader {
  const hints = new LRUCache<string, Hint>({ max: knownTotals })

  const readPage = async (session: PostgresSession, query: ReviewQuery): Promise<Page> => {
    const where = buildConditions(query)
    const key = `${where.sql}\n${where.bindings.join('\n')}`
    const hint = hints.get(key)
    let page = await selectPage(session, where, query, hint)
    // Ranks of a place that was stored again are not complete.
    if (hint?.isRanked && !page.isRanked) page = await selectPage(session, where, query, undefined)
    hints.set(key, { total: page.total, isRanked: page.isRanked })
    return page
  }

  const list = async (query: ReviewQuery): Promise<Page> => {
    if (!query.language?.includes('-')) return pool.use(session => readPage(session, query))
    // The languages of the place and its page are of one moment.
    const mode = 'ISOLATION LEVEL REPEATABLE READ, READ ONLY'
    return pool.transaction(
      async session => {
        const totals = await readTotals(session, query.locationId)
        return readPage(
          session,
          widenLanguage(query, () => totals),
        )
      },
      { mode },
    )
  }

  return {
    get: async id => {
      const [row] = await pool.use(session => readReviews(session, [id]))
      return row && toReview(pool, row)
    },
    list: async query => {
      const { reviews, total } = await list(query)
      return { reviews, total }
    },
    withPhotos: async (locationId, limit) => {
      const rows = await pool.use(session => session.query<ReviewRow>(photographed, [locationId, limit]))
      return rows.map(row => toReview(pool, row))
    },
  }
}

const photographed = `
  SELECT ${reviewColumnsOf('reviews')} FROM photo_reviews AS p
  JOIN reviews ON reviews.location_id = $1 AND reviews.id = p.id
  WHERE p.location_id = $1 ORDER BY p.published_ms DESC, p.id DESC LIMIT $2`

async function readTotals(session: PostgresSession, locationId: Id): Promise<ReviewTotals | undefined> {
  const sql = 'SELECT totals FROM locations WHERE id = $1'
  const [row] = await session.query<{ totals: string | null }>(sql, [locationId])
  return row?.totals ? session.json.parseJson<ReviewTotals>(row.totals) : undefined
}

/** Reads a page and the total in one statement, so that they are of one moment. */
async function selectPage(
  session: PostgresSession,
  where: Conditions,
  query: ReviewQuery,
  hint: Hint | undefined,
): Promise<Page> {
  const { sortBy, offset, limit } = query
  const order = reviewOrders[sortBy]
  const from = sortBy === 'HIGHEST_RATED' && hint?.isRanked ? 'review_ranks' : 'reviews'
  // The cost of a page is its offset: read pages of the second half from the end.
  const fromEnd = hint !== undefined && offset > hint.total / 2
  const conditions = numberPlaceholders(where.sql)
  const [limitAt, offsetAt] = [where.bindings.length + 1, where.bindings.length + 2]
  const span = fromEnd
    ? `ORDER BY ${order.backward} LIMIT greatest(least($${limitAt}, total - $${offsetAt}), 0)
       OFFSET greatest(total - $${offsetAt} - $${limitAt}, 0)`
    : `ORDER BY ${order.forward} LIMIT $${limitAt} OFFSET $${offsetAt}`
  const total =
    where.bindings.length === 1
      ? `coalesce((totals::json ->> 'reviews')::bigint, 0)`
      : `(SELECT count(*) FROM reviews WHERE ${conditions})`
  const rows = await session.query<PageRow>(
    `SELECT total, is_ranked, page.* FROM
       (SELECT ${total} AS total, is_ranked FROM locations WHERE id = $1) AS place
     LEFT JOIN LATERAL (
       SELECT ${reviewColumnsOf('reviews')} FROM (SELECT id FROM ${from} WHERE ${conditions} ${span}) AS ids
       JOIN reviews ON reviews.location_id = $1 AND reviews.id = ids.id
     ) AS page ON true
     ORDER BY ${order.forward}`,
    [...where.bindings, limit, offset],
  )
  const reviews = rows.flatMap(row => (row.id === null ? [] : toReview(session.json, row)))
  return { reviews, total: Number(rows[0]?.total ?? 0), isRanked: rows[0]?.is_ranked ?? false }
}

/** Replaces the placeholders of a condition, in order, by $1, $2 …. */
function numberPlaceholders(sql: string): string {
  let last = 0
  return sql.replaceAll('?', () => `$${++last}`)
}
