import type { Migration } from '../migrate.ts'

/** Overrides of imported values. Part of control.sqlite, so that they survive a rebuild of the data store. */
export const overridesMigration: Migration = `
  -- field: merged_into for a merge. value, imported, actor: JSON.
  -- imported: the last imported value, or place of a merge.
  -- revision: the revision of control.sqlite at the last change.
  CREATE TABLE overrides (
    location INTEGER NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    imported TEXT,
    reason TEXT NOT NULL,
    actor TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (location, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX overrides_by_revision ON overrides (revision);
`
