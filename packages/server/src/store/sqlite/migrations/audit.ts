import type { Migration } from '../migrate.ts'

/** The audit and the outbox of events; times in milliseconds since 1970. Part of control.sqlite. */
export const auditMigration: Migration = `
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    via TEXT NOT NULL,
    address TEXT,
    partner TEXT,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    request_id TEXT
  ) STRICT;
  CREATE INDEX audit_by_partner ON audit (partner, seq);
  CREATE INDEX audit_by_actor ON audit (actor_id, seq);
  CREATE INDEX audit_by_target ON audit (target, seq);
  CREATE TRIGGER audit_unchangeable BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'lines of the audit cannot be changed');
  END;
  CREATE TRIGGER audit_kept BEFORE DELETE ON audit
    WHEN old.at > (unixepoch('subsec') - 365 * 86400) * 1000 BEGIN
    SELECT RAISE(ABORT, 'lines of the audit are kept for 365 days');
  END;

  -- id: of the event in webhooks and mail. partner: NULL for events that concern the operator or all partners.
  CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    partner TEXT,
    at INTEGER NOT NULL,
    data TEXT NOT NULL,
    unique_key TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE INDEX outbox_by_partner ON outbox (partner, seq);
  CREATE TRIGGER outbox_unchangeable BEFORE UPDATE ON outbox BEGIN
    SELECT RAISE(ABORT, 'events cannot be changed');
  END;
  CREATE TRIGGER outbox_kept BEFORE DELETE ON outbox
    WHEN old.at > (unixepoch('subsec') - 30 * 86400) * 1000 BEGIN
    SELECT RAISE(ABORT, 'events are kept for 30 days');
  END;
`
