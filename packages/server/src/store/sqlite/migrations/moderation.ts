import type { Migration } from '../migrate.ts'

/** Decisions of moderation. Part of control.sqlite, so that they outlive a rebuilt data store. */
export const decisionsMigration: Migration = `
  -- state: hidden or erased. The id alone says nothing of a review.
  CREATE TABLE moderated_reviews (
    id INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;

  -- Keyed digests of what was erased and must not come back: sources' names of reviews, and users (R-46).
  CREATE TABLE erasures (digest BLOB PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- What is still to be done before no file holds an erased text: truncate or compact.
  CREATE TABLE pending_cleaning (what TEXT PRIMARY KEY, since_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/** Hidden reviews have a table of their own, so that queries on reviews need not exclude them. Part of data.sqlite. */
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
