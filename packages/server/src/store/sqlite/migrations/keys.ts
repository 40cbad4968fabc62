import type { Migration } from '../migrate.ts'

/** End, networks (a JSON list) and notes of a key; NULL: unlimited, every address, no notes. Part of control.sqlite. */
export const keyBoundsMigration: Migration = `
  ALTER TABLE keys ADD COLUMN notes TEXT;
  ALTER TABLE keys ADD COLUMN expires_ms INTEGER;
  ALTER TABLE keys ADD COLUMN networks TEXT;
`
