import type { Migration } from '../migrate.ts'

/** Upgrade requests. asked: what the kind needs, as JSON; times in milliseconds since 1970. Part of control.sqlite. */
export const upgradesMigration: Migration = `
  CREATE TABLE upgrade_requests (
    id TEXT PRIMARY KEY,
    partner TEXT NOT NULL REFERENCES partners (id),
    key TEXT REFERENCES keys (id),
    kind TEXT NOT NULL,
    asked TEXT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    by TEXT NOT NULL,
    at INTEGER NOT NULL,
    decided_by TEXT,
    decided_at INTEGER,
    answer TEXT,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX upgrade_requests_by_partner ON upgrade_requests (partner, at);
  CREATE UNIQUE INDEX open_upgrade_requests ON upgrade_requests (coalesce(key, partner), kind) WHERE state = 'open';
`
