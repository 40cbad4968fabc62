import type { Migration } from '../migrate.ts'

/**
 * Usage exported to a billing system, and the units of each UTC day in it, by which a day with missing parts is found.
 */
export const usageExportsMigration: Migration = `
  CREATE TABLE usage_exports (
    from_ms INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    partner_id TEXT NOT NULL,
    part INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    units INTEGER NOT NULL,
    sent INTEGER NOT NULL,
    PRIMARY KEY (from_ms, key_id, operation, partner_id, part)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_exports_unsent ON usage_exports (from_ms) WHERE sent = 0;
  CREATE TABLE usage_export_days (day_ms INTEGER PRIMARY KEY, units INTEGER NOT NULL) STRICT;
`
