import type { Migration } from '../migrate.ts'

/** The tokens of the admin API, as digests only. Times are milliseconds since 1970. Part of control.sqlite. */
export const adminTokensMigration: Migration = `
  CREATE TABLE admin_tokens (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    permissions TEXT NOT NULL,
    partner TEXT REFERENCES partners (id),
    maker TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    revoked INTEGER,
    last_used_day TEXT
  ) STRICT;
`
