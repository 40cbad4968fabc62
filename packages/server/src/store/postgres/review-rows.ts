import type { Id } from '../../domain/id.ts'
import type { FullReviewRow } from '../rows/review-row.ts'
import type { PostgresSession } from './pool.ts'

/** The columns of a ReviewRow of a table or alias. */
export const reviewColumnsOf = (table: string): string =>
  `${table}.id, ${table}.location_id, ${table}.published_ms, ${table}.rating::bigint AS rating, ${table}.language,
   ${table}.trip_type, ${table}.record`

/** The columns of a FullReviewRow of a table or alias. */
export const fullReviewColumnsOf = (table: string): string => `${reviewColumnsOf(table)}, ${table}.user_key`

/**
 * Number of places up to which a statement for each of them is faster: it opens one table of reviews, and a join opens
 * all of them.
 */
const fewPlaces = 4

/** The key of a shown review. */
interface ReviewKey {
  readonly id: Id
  readonly location_id: Id
}

const ofPlace = `SELECT ${fullReviewColumnsOf('reviews')} FROM reviews WHERE location_id = $1 AND id = ANY($2)`
const ofPlaces = `
  SELECT ${fullReviewColumnsOf('reviews')} FROM unnest($1::bigint[], $2::bigint[]) AS wanted (location_id, id)
  JOIN reviews ON reviews.location_id = wanted.location_id AND reviews.id = wanted.id`

/** Reads shown reviews by their ids, in any order. */
export async function readReviews(session: PostgresSession, ids: readonly Id[]): Promise<FullReviewRow[]> {
  const sql = 'SELECT id, location_id FROM review_places WHERE id = ANY($1)'
  const keys = await session.query<ReviewKey>(sql, [ids])
  const byPlace = idsByPlace(keys)
  if (byPlace.size > fewPlaces) return session.query<FullReviewRow>(ofPlaces, arraysOf(keys))
  const rows: FullReviewRow[] = []
  for (const values of byPlace) rows.push(...(await session.query<FullReviewRow>(ofPlace, values)))
  return rows
}

/** Removes rows of shown reviews, but not their places. */
export async function removeReviewRows(session: PostgresSession, keys: readonly ReviewKey[]): Promise<void> {
  const byPlace = idsByPlace(keys)
  if (byPlace.size > fewPlaces)
    await session.run(
      `DELETE FROM reviews USING unnest($1::bigint[], $2::bigint[]) AS gone (location_id, id)
       WHERE reviews.location_id = gone.location_id AND reviews.id = gone.id`,
      arraysOf(keys),
    )
  else
    for (const values of byPlace)
      await session.run('DELETE FROM reviews WHERE location_id = $1 AND id = ANY($2)', values)
}

const idsByPlace = (keys: readonly ReviewKey[]): ReadonlyMap<Id, Id[]> =>
  new Map([...Map.groupBy(keys, key => key.location_id)].map(([place, all]) => [place, all.map(({ id }) => id)]))

const arraysOf = (keys: readonly ReviewKey[]) => [keys.map(key => key.location_id), keys.map(({ id }) => id)]
