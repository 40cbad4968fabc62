import type { Migration } from '../migrate.ts'

/** Indexes for the usage of one key or partner among many. */
export const usageIndexesMigration: Migration = `
  CREATE INDEX usage_days_by_key ON usage_days (key_id, from_ms);
  CREATE INDEX usage_days_by_partner ON usage_days (partner_id, from_ms);
  CREATE INDEX usage_slots_by_partner ON usage_slots (partner_id, from_ms);
`

/**
 * Adds the roll-up by eighth of a UTC day, summed from the slots: reports in time zones far from UTC read it instead of
 * the slots between midnight and the start of a local day.
 */
export const usageEighthsMigration: Migration = `
  CREATE TABLE usage_eighths (
    from_ms INTEGER NOT NULL,
    partner_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    version TEXT NOT NULL,
    version_explicit INTEGER NOT NULL,
    status INTEGER NOT NULL,
    billable INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (from_ms, key_id, operation, version, version_explicit, status, billable, partner_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO usage_eighths
    SELECT from_ms - from_ms % 10800000, partner_id, key_id, operation, version, version_explicit, status, billable,
      sum(calls), sum(units)
    FROM usage_slots
    GROUP BY from_ms - from_ms % 10800000, key_id, operation, version, version_explicit, status, billable, partner_id;
  CREATE INDEX usage_eighths_by_partner ON usage_eighths (partner_id, from_ms);
`
