import type { Migration } from '../migrate.ts'

/**
 * Suggestions of users for places. location: an id as text; asked: values by field and the other place, as
 * JSON; times in milliseconds since 1970. Part of control.sqlite.
 */
export const suggestionsMigration: Migration = `
  CREATE TABLE suggestions (
    id TEXT PRIMARY KEY,
    location TEXT NOT NULL,
    partner TEXT NOT NULL REFERENCES partners (id),
    kind TEXT NOT NULL,
    asked TEXT NOT NULL,
    comment TEXT,
    state TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    decided_by TEXT,
    decided_at INTEGER,
    reason TEXT,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX suggestions_by_state ON suggestions (state, at);
  CREATE UNIQUE INDEX open_suggestions ON suggestions (by, location, kind) WHERE state = 'open';
`
