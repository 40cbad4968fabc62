import type { Migration } from '../migrate.ts'

/**
 * Identity of the data folder, and what must be there. One row; a column is NULL until its part has been made.
 * Part of control.sqlite.
 */
export const folderIdentityMigration: Migration = `
  CREATE TABLE folder_identity (
    folder_id TEXT NOT NULL,
    generation TEXT,
    store_id TEXT,
    pepper_check TEXT,
    has_journal INTEGER NOT NULL DEFAULT 0
  ) STRICT;
`

/**
 * Number of changes to ids and decisions, which data.sqlite repeats: an older copy of control.sqlite would assign ids
 * again. Part of control.sqlite.
 */
export const revisionMigration: Migration = `
  ALTER TABLE folder_identity ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
`

/** The revision of control.sqlite when records were last written. Part of data.sqlite. */
export const storeRevisionMigration: Migration = `
  ALTER TABLE store_identity ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
`

/** The folder that a data store belongs to, and its own id. Part of data.sqlite. */
export const storeIdentityMigration: Migration = `
  CREATE TABLE store_identity (folder_id TEXT NOT NULL, store_id TEXT NOT NULL) STRICT;
`
