import type { Migration } from '../migrate.ts'

/** Indexes for the usage of one key or partner among many. */
export const usageIndexesMigration: Migration = `
  CREATE INDEX usage_days_by_key ON usage_days (key_id, from_ms);
  CREATE INDEX usage_days_by_partner ON usage_days (partner_id, from_ms);
  CREATE INDEX usage_slots_by_partner ON usage_slots (partner_id, from_ms);
`
