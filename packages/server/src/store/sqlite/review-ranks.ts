import type { Id } from '../../domain/id.ts'
import type { Sqlite } from './open.ts'

/** From so many reviews on, a place's reviews are kept in the order of their ratings; fewer are sorted when asked for. */
const rankedFrom = 1000

/**
 * Puts the reviews of a place into the order by rating, once it has enough of them; triggers keep that up from then on,
 * however few are left (migrations/review-ranks.ts). To be used inside the transaction that has added reviews.
 */
export function sqliteReviewRanks(data: Sqlite): (id: Id, reviews: number) => void {
  const begin = data.prepare<[Id]>('INSERT OR IGNORE INTO ranked_locations (location_id) VALUES (?)')
  const fill = data.prepare<[Id]>(
    `INSERT INTO review_ranks (location_id, rating, published_ms, id, language, trip_type)
     SELECT location_id, rating, published_ms, id, language, trip_type
     FROM reviews INDEXED BY reviews_by_recency WHERE location_id = ?`,
  )
  return (id, reviews) => {
    if (reviews >= rankedFrom && begin.run(id).changes > 0) fill.run(id)
  }
}

/** Places whose ranks are not those of their reviews, a sentence each. */
export function wrongRanks(data: Sqlite): string[] {
  const ids = data
    .prepare<[], Id>(
      `SELECT location_id FROM ranked_locations WHERE EXISTS (
         SELECT id, rating, published_ms, language, trip_type FROM reviews
           WHERE reviews.location_id = ranked_locations.location_id
         EXCEPT SELECT id, rating, published_ms, language, trip_type FROM review_ranks
           WHERE review_ranks.location_id = ranked_locations.location_id)
       OR (SELECT count(*) FROM reviews WHERE reviews.location_id = ranked_locations.location_id)
         <> (SELECT count(*) FROM review_ranks WHERE review_ranks.location_id = ranked_locations.location_id)`,
    )
    .pluck()
    .safeIntegers()
    .all()
  return ids.map(id => `Location ${id}: the order of its reviews by rating is not that of its reviews.`)
}
