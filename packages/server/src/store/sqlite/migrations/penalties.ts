import type { Migration } from '../migrate.ts'

/**
 * The newest penalty of each key that an operator ended. Numbers only grow, so that a serving process can follow them.
 */
export const forgivenPenaltiesMigration: Migration = `
  CREATE TABLE forgiven_penalties (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key_id TEXT NOT NULL UNIQUE REFERENCES keys (id),
    at_ms INTEGER NOT NULL
  ) STRICT;
`
