import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'

/** Number of reviews from which the order by rating of a place is stored; fewer reviews are sorted on request. */
const minRankedReviews = 1000

/**
 * Returns a function that stores the order by rating of a place once it has enough reviews. Afterwards triggers
 * maintain the order, even if few reviews remain (migrations/review-ranks.ts). Call it in the transaction that has
 * added reviews.
 */
export function prepareReviewRanks(data: Sqlite): (id: Id, reviews: number) => void {
  const markRanked = data.prepare<[Id]>('INSERT OR IGNORE INTO ranked_locations (location_id) VALUES (?)')
  const fill = data.prepare<[Id]>(
    `INSERT INTO review_ranks (location_id, rating, published_ms, id, language, trip_type)
     SELECT location_id, rating, published_ms, id, language, trip_type
     FROM reviews INDEXED BY reviews_by_recency WHERE location_id = ?`,
  )
  return (id, reviews) => {
    if (reviews >= minRankedReviews && markRanked.run(id).changes > 0) fill.run(id)
  }
}

/** Returns a message for each place whose stored order by rating differs from its reviews. */
export function findWrongRanks(data: Sqlite): string[] {
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
  return ids.map(id => `Location ${id}: the stored order of its reviews by rating is wrong.`)
}
