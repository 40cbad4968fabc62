import type { Migration } from '../migrate.ts'

/** Webhook endpoints and the queue of deliveries; times in milliseconds since 1970. Part of control.sqlite. */
export const eventsMigration: Migration = `
  -- Set for events that are made for one endpoint: changed places in the scope of its key.
  ALTER TABLE outbox ADD COLUMN endpoint TEXT;

  -- partner: NULL for endpoints of the operator. Secrets are sealed (kit/secret-box.ts). types: a JSON array.
  CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY,
    partner TEXT REFERENCES partners (id),
    key TEXT REFERENCES keys (id),
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    secret BLOB NOT NULL,
    previous_secret BLOB,
    previous_secret_ends INTEGER,
    state TEXT NOT NULL,
    disabled_reason TEXT,
    failing_since INTEGER,
    created INTEGER NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT;

  -- One row for each event and endpoint. attempt: number of attempts since the row was made or repeated. answers: JSON.
  CREATE TABLE deliveries (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    endpoint TEXT NOT NULL,
    seq INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL,
    next INTEGER,
    answers TEXT NOT NULL,
    UNIQUE (endpoint, seq)
  ) STRICT;
  CREATE INDEX deliveries_due ON deliveries (endpoint, next) WHERE state = 'pending';
  CREATE INDEX deliveries_by_event ON deliveries (seq);

  -- Numbers of the last event with deliveries, and of the last change of the data with events; NULL: not yet.
  CREATE TABLE event_positions (outbox INTEGER NOT NULL, changes INTEGER) STRICT;
  INSERT INTO event_positions VALUES (0, NULL);
`

/** Mails about events, one for each event and user; times in milliseconds since 1970. Part of control.sqlite. */
export const eventMailsMigration: Migration = `
  CREATE TABLE event_mails (
    no INTEGER PRIMARY KEY,
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL,
    next INTEGER,
    UNIQUE (user, seq)
  ) STRICT;
  CREATE INDEX event_mails_due ON event_mails (next) WHERE state = 'pending';
  CREATE INDEX event_mails_by_event ON event_mails (seq);
`

/**
 * Removes `upgrade.requested`, an event of the operator, from endpoints of partners, which could list it in earlier
 * releases, and its pending deliveries. An endpoint without other events receives nothing until its owner chooses some.
 */
export const operatorEventsMigration: Migration = `
  DELETE FROM deliveries
    WHERE state = 'pending' AND endpoint IN (SELECT id FROM webhook_endpoints WHERE partner IS NOT NULL)
      AND seq IN (SELECT seq FROM outbox WHERE type = 'upgrade.requested');
  UPDATE webhook_endpoints
    SET types = (SELECT json_group_array(value) FROM json_each(types) WHERE value <> 'upgrade.requested'),
      revision = revision + 1
    WHERE partner IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(types) WHERE value = 'upgrade.requested');
`
