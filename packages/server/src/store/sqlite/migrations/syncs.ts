import type { Migration } from '../migrate.ts'

/** States of syncs from databases and services. */
export const syncsMigration: Migration = `
  CREATE TABLE syncs (
    name TEXT PRIMARY KEY,
    origin TEXT NOT NULL,
    position TEXT,
    outcome TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`
