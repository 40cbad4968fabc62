import type { Migration } from '../migrate.ts'

/** Terms of partners, and notes about them. Part of control.sqlite. */
export const partnerTermsMigration: Migration = `
  ALTER TABLE partners ADD COLUMN package TEXT;
  ALTER TABLE partners ADD COLUMN agreement TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE partners ADD COLUMN scope TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE partners ADD COLUMN live_keys_max INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE partners ADD COLUMN zone TEXT;
  ALTER TABLE partners ADD COLUMN state TEXT NOT NULL DEFAULT 'open';

  CREATE TABLE notes (
    id TEXT PRIMARY KEY,
    partner TEXT NOT NULL REFERENCES partners (id),
    text TEXT NOT NULL,
    by TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX notes_by_partner ON notes (partner, at);
`

/** The order of lists of partners and keys. */
export const listIndexesMigration: Migration = `
  CREATE INDEX partners_by_creation ON partners (created_ms, id);
  CREATE INDEX keys_by_creation ON keys (created_ms, id);
  CREATE INDEX keys_by_partner ON keys (partner_id, created_ms, id);
`
