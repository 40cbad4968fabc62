import type { Migration } from '../migrate.ts'
import { storeIdentityMigration, storeRevisionMigration } from './identity.ts'
import { mergedKeysMigration } from './merged-keys.ts'
import { hiddenReviewsMigration } from './moderation.ts'
import { photoReviewsMigration } from './photos.ts'
import { reviewRanksMigration } from './review-ranks.ts'

/** Migrations of data.sqlite. Append only: a released migration is never edited. */
export const dataMigrations: readonly Migration[] = [
  `
  -- record: the canonical location as JSON, without the values of the other columns.
  CREATE TABLE locations (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    country TEXT,
    category TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;

  -- to_id: always the final survivor; a later merge of it updates these rows (R-24).
  CREATE TABLE merges (from_id INTEGER PRIMARY KEY, to_id INTEGER NOT NULL) STRICT;
  CREATE INDEX merges_by_survivor ON merges (to_id);

  -- rating: hundredths, 0 when missing. published_ms: -9007199254740991 when unknown.
  CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    location_id INTEGER NOT NULL,
    published_ms INTEGER NOT NULL,
    rating INTEGER NOT NULL,
    language TEXT,
    trip_type TEXT,
    user_key TEXT,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX reviews_by_recency ON reviews (location_id, published_ms DESC, id DESC, rating, language, trip_type);
  CREATE INDEX reviews_by_rating ON reviews (location_id, rating DESC, published_ms DESC, id DESC, language, trip_type);

  -- totals: ReviewTotals as JSON (R-23).
  CREATE TABLE review_totals (
    location_id INTEGER PRIMARY KEY,
    updated_ms INTEGER NOT NULL,
    totals TEXT NOT NULL
  ) STRICT;

  -- kind 1: location, 2: review.
  CREATE TABLE tombstones (
    kind INTEGER NOT NULL,
    id INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;

  -- The change log; seq is never reused.
  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    id INTEGER NOT NULL,
    op TEXT NOT NULL,
    merged_into INTEGER
  ) STRICT;
  `,
  hiddenReviewsMigration,
  reviewRanksMigration,
  storeIdentityMigration,
  storeRevisionMigration,
  mergedKeysMigration,
  photoReviewsMigration,
]
