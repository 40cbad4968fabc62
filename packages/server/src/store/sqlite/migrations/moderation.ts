import type { Migration } from '../migrate.ts'

/** Decisions of moderation. Part of control.sqlite, so that they survive a rebuild of the data store. */
export const decisionsMigration: Migration = `
  -- state: hidden or erased. The id alone reveals nothing about a review.
  CREATE TABLE moderated_reviews (
    id INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;

  -- Keyed digests of the external keys of erased reviews and of erased users, which must not be imported again (R-46).
  CREATE TABLE erasures (digest BLOB PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- Pending cleanups before no file contains an erased text: truncate or compact.
  CREATE TABLE pending_cleaning (what TEXT PRIMARY KEY, since_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/** Hidden reviews are in a separate table, so that queries on reviews need not exclude them. Part of data.sqlite. */
export const hiddenReviewsMigration: Migration = `
  CREATE TABLE hidden_reviews (
    id INTEGER PRIMARY KEY,
    location_id INTEGER NOT NULL,
    published_ms INTEGER NOT NULL,
    rating INTEGER NOT NULL,
    language TEXT,
    trip_type TEXT,
    user_key TEXT,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX hidden_reviews_by_location ON hidden_reviews (location_id);
`
