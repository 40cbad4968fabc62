import type { Migration } from '../migrate.ts'

/** End, networks (a JSON list) and notes of a key; NULL: unlimited, every address, no notes. Part of control.sqlite. */
export const keyBoundsMigration: Migration = `
  ALTER TABLE keys ADD COLUMN notes TEXT;
  ALTER TABLE keys ADD COLUMN expires_ms INTEGER;
  ALTER TABLE keys ADD COLUMN networks TEXT;
`

/**
 * Ids, last characters and last use of secrets, and the last use of keys, which the fold of the journal writes. Ids are
 * unique in a key, from 1. Part of control.sqlite.
 */
export const keySecretsMigration: Migration = `
  ALTER TABLE key_secrets ADD COLUMN id INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE key_secrets ADD COLUMN last4 TEXT;
  ALTER TABLE key_secrets ADD COLUMN last_used_day TEXT;
  ALTER TABLE keys ADD COLUMN last_used_day TEXT;
  ALTER TABLE keys ADD COLUMN last_used_version TEXT;
  UPDATE key_secrets AS s SET id = (SELECT count(*) FROM key_secrets AS o
    WHERE o.key_id = s.key_id AND (o.created_ms, o.digest) <= (s.created_ms, s.digest));
  DROP INDEX key_secrets_by_key;
  CREATE UNIQUE INDEX key_secrets_by_key ON key_secrets (key_id, id);
`

/** Adds the calls of each secret since the latest rotation, and the time of the last one. Part of control.sqlite. */
export const secretCallsMigration: Migration = `
  ALTER TABLE key_secrets ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE key_secrets ADD COLUMN last_used_ms INTEGER;
`
