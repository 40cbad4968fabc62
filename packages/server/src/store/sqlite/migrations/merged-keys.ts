import type { Migration } from '../migrate.ts'

/** Ids in other sources of merged locations, under which their survivors are found. Part of data.sqlite. */
export const mergedKeysMigration: Migration = `
  CREATE TABLE merged_keys (
    key TEXT NOT NULL,
    from_id INTEGER NOT NULL,
    PRIMARY KEY (key, from_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX merged_keys_by_location ON merged_keys (from_id);
`
