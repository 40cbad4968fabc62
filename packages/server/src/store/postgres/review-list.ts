import { type Id, maxId } from '../../domain/id.ts'
import type { ModeratedReview, ReviewList, ReviewListQuery } from '../../domain/review-list.ts'
import { type FullReviewRow, toReview } from '../rows/review-row.ts'
import { matchesText, mayMatch } from '../rows/review-scan.ts'
import type { PostgresPool } from './pool.ts'
import { fullReviewColumnsOf, readReviews } from './review-rows.ts'

type State = 'shown' | 'hidden'
type Row = FullReviewRow & { readonly reason: string | null }

/** Shown reviews are found in the order of ids by their places. */
const columns = {
  shown: `${fullReviewColumnsOf('reviews')}, NULL AS reason`,
  hidden: `${fullReviewColumnsOf('hidden_reviews')}, (
    SELECT reason FROM moderated_reviews WHERE moderated_reviews.id = hidden_reviews.id AND state = 'hidden'
  ) AS reason`,
}
const joined = `
  SELECT ${columns.shown} FROM review_places
  JOIN reviews ON reviews.location_id = review_places.location_id AND reviews.id = review_places.id`
const listed = (from: string, table: string) => `${from} <= $1 ORDER BY ${table}.id DESC LIMIT $2`

const statements = {
  shown: {
    all: listed(`${joined} WHERE review_places.id`, 'review_places'),
    ofLocation: listed(`SELECT ${columns.shown} FROM reviews WHERE location_id = $3 AND reviews.id`, 'reviews'),
  },
  hidden: {
    all: listed(`SELECT ${columns.hidden} FROM hidden_reviews WHERE id`, 'hidden_reviews'),
    ofLocation: listed(`SELECT ${columns.hidden} FROM hidden_reviews WHERE location_id = $3 AND id`, 'hidden_reviews'),
  },
} as const satisfies Record<State, object>

/** Tables with a row of each review. */
const tables = { shown: 'review_places', hidden: 'hidden_reviews' } as const

/** Opens the reviews for moderators. */
export function createPostgresReviewList(pool: PostgresPool): ReviewList {
  const read = ({ state, locationId, limit, after = maxId + 1n }: ReviewListQuery): Promise<Row[]> => {
    const last: Id = after - 1n
    return locationId === undefined
      ? pool.query<Row>(statements[state].all, [last, limit])
      : pool.query<Row>(statements[state].ofLocation, [last, limit, locationId])
  }
  const present = ({ reason, ...row }: Row, state: State): ModeratedReview => {
    const review = { ...toReview(pool, row), ...(row.user_key !== null && { userKey: row.user_key }) }
    return { review, state, ...(reason && { reason }) }
  }
  return {
    find: async id => {
      const [shown] = await pool.use(session => readReviews(session, [id]))
      if (shown) return present({ ...shown, reason: null }, 'shown')
      const [hidden] = await pool.query<Row>(`SELECT ${columns.hidden} FROM hidden_reviews WHERE id = $1`, [id])
      return hidden && present(hidden, 'hidden')
    },
    count: async state => {
      const [row] = await pool.query<{ count: bigint }>(`SELECT count(*) AS count FROM ${tables[state]}`)
      return Number(row!.count)
    },
    list: async query => (await read(query)).map(row => present(row, query.state)),
    scan: async query => {
      const { state, rows } = query
      const found = await read({ state, limit: rows, after: query.after })
      const reviews = found.filter(row => mayMatch(row, query)).map(row => present(row, state))
      return {
        reviews: reviews.filter(({ review }) => matchesText(review, query.text)),
        read: found.length,
        ...(found.length === rows && { last: found.at(-1)!.id }),
      }
    },
  }
}
