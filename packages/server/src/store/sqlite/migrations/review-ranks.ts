import type { Migration } from '../migrate.ts'

/**
 * Stores the order by rating only of places with many reviews (review-ranks.ts): with a second index of all reviews, an
 * import would read and write one more page per review. Part of data.sqlite.
 */
export const reviewRanksMigration: Migration = `
  CREATE TABLE ranked_locations (location_id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE review_ranks (
    location_id INTEGER NOT NULL,
    rating INTEGER NOT NULL,
    published_ms INTEGER NOT NULL,
    id INTEGER NOT NULL,
    language TEXT,
    trip_type TEXT,
    PRIMARY KEY (location_id, rating DESC, published_ms DESC, id DESC)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO ranked_locations SELECT location_id FROM reviews GROUP BY location_id HAVING count(*) >= 1000;
  INSERT INTO review_ranks SELECT location_id, rating, published_ms, id, language, trip_type FROM reviews
    WHERE location_id IN (SELECT location_id FROM ranked_locations);

  CREATE TRIGGER rank_added AFTER INSERT ON reviews
    WHEN EXISTS (SELECT 1 FROM ranked_locations WHERE location_id = new.location_id) BEGIN
    INSERT INTO review_ranks
      VALUES (new.location_id, new.rating, new.published_ms, new.id, new.language, new.trip_type);
  END;
  CREATE TRIGGER rank_removed AFTER DELETE ON reviews
    WHEN EXISTS (SELECT 1 FROM ranked_locations WHERE location_id = old.location_id) BEGIN
    DELETE FROM review_ranks WHERE location_id = old.location_id AND rating = old.rating
      AND published_ms = old.published_ms AND id = old.id;
  END;
  CREATE TRIGGER rank_changed AFTER UPDATE OF location_id, published_ms, rating, language, trip_type ON reviews BEGIN
    DELETE FROM review_ranks WHERE location_id = old.location_id AND rating = old.rating
      AND published_ms = old.published_ms AND id = old.id;
    INSERT INTO review_ranks
      SELECT new.location_id, new.rating, new.published_ms, new.id, new.language, new.trip_type
      WHERE EXISTS (SELECT 1 FROM ranked_locations WHERE location_id = new.location_id);
  END;

  DROP INDEX reviews_by_rating;
  DROP INDEX IF EXISTS reviews_by_user;
`
