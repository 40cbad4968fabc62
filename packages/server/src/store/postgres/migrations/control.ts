import { people } from './control-people.ts'
import { jobs, records } from './control-records.ts'
import { text } from './text-column.ts'

/**
 * Keys, partners, people, records of changes, events, jobs and exported usage. Tables and columns have the names and
 * the meaning that they have in SQLite; flags are 0 or 1, and times are milliseconds since 1970. Texts are compared by
 * their bytes, as SQLite does.
 */
export const controlMigration = `
  -- Functions that statements share with SQLite.
  DO $$ BEGIN
    EXECUTE format(
      'CREATE FUNCTION contains_text(contents text, sought text) RETURNS integer LANGUAGE sql STABLE AS
         $f$ SELECT (strpos(lower(contents COLLATE %I), sought) > 0)::integer $f$',
      (SELECT max(collname) FROM pg_collation WHERE collname IN ('default', 'und-x-icu')));
  END $$;
  CREATE FUNCTION unixepoch(modifier text) RETURNS double precision LANGUAGE sql VOLATILE AS
    $$ SELECT extract(epoch FROM clock_timestamp())::double precision $$;

  CREATE TABLE partners (
    id ${text} PRIMARY KEY,
    name ${text} NOT NULL,
    email ${text},
    external_ref ${text},
    package ${text},
    agreement text NOT NULL,
    scope text NOT NULL,
    live_keys_max bigint NOT NULL,
    zone text,
    state ${text} NOT NULL,
    created_ms bigint NOT NULL,
    revision bigint NOT NULL
  );
  CREATE INDEX partners_by_creation ON partners (created_ms, id);
  CREATE TABLE notes (
    id ${text} PRIMARY KEY,
    partner ${text} NOT NULL REFERENCES partners (id),
    text text NOT NULL,
    by ${text} NOT NULL,
    at bigint NOT NULL,
    rowid bigint GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX notes_by_partner ON notes (partner, at);

  CREATE TABLE keys (
    id ${text} PRIMARY KEY,
    partner_id ${text} NOT NULL REFERENCES partners (id),
    name ${text},
    test smallint NOT NULL,
    package ${text} NOT NULL,
    add_ons text NOT NULL,
    agreement text NOT NULL,
    scope text NOT NULL,
    feed_pins text NOT NULL,
    state ${text} NOT NULL,
    notes text,
    expires_ms bigint,
    networks text,
    created_ms bigint NOT NULL,
    revision bigint NOT NULL,
    last_used_day ${text},
    last_used_version ${text}
  );
  CREATE INDEX keys_by_creation ON keys (created_ms, id);
  CREATE INDEX keys_by_partner ON keys (partner_id, created_ms, id);
  CREATE TABLE key_secrets (
    digest bytea PRIMARY KEY,
    key_id ${text} NOT NULL REFERENCES keys (id),
    id bigint NOT NULL,
    last4 text,
    created_ms bigint NOT NULL,
    expires_ms bigint,
    last_used_day ${text},
    last_used_ms bigint,
    calls bigint NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX key_secrets_by_key ON key_secrets (key_id, id);
  CREATE INDEX key_secrets_by_end ON key_secrets (expires_ms);
  CREATE TABLE feed_pin_changes (
    key_id ${text} NOT NULL REFERENCES keys (id),
    feed ${text} NOT NULL,
    from_version text NOT NULL,
    to_version text NOT NULL,
    changed_by text NOT NULL,
    at_ms bigint NOT NULL,
    rowid bigint GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX feed_pin_changes_by_key ON feed_pin_changes (key_id, rowid);
  CREATE TABLE forgiven_penalties (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id ${text} NOT NULL UNIQUE REFERENCES keys (id),
    at_ms bigint NOT NULL
  );
  -- Incremented by every change of a key or partner, so that a serving process detects it with one read.
  CREATE TABLE revision (access bigint NOT NULL);
  INSERT INTO revision VALUES (0);

  CREATE TABLE upgrade_requests (
    id ${text} PRIMARY KEY,
    partner ${text} NOT NULL REFERENCES partners (id),
    key ${text} REFERENCES keys (id),
    kind ${text} NOT NULL,
    asked text NOT NULL,
    reason text NOT NULL,
    state ${text} NOT NULL,
    by ${text} NOT NULL,
    at bigint NOT NULL,
    decided_by text,
    decided_at bigint,
    answer text,
    revision bigint NOT NULL,
    rowid bigint GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX upgrade_requests_by_partner ON upgrade_requests (partner, at);
  CREATE UNIQUE INDEX open_upgrade_requests ON upgrade_requests (coalesce(key, partner), kind) WHERE state = 'open';

  CREATE TABLE admin_tokens (
    id ${text} PRIMARY KEY,
    digest bytea NOT NULL UNIQUE,
    name ${text} NOT NULL,
    permissions text NOT NULL,
    partner ${text} REFERENCES partners (id),
    maker ${text} NOT NULL,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    revoked bigint,
    last_used_day ${text}
  );
  -- Answers of the admin API by Idempotency-Key. answer: encrypted; NULL until the request has finished.
  CREATE TABLE idempotency (
    token ${text} NOT NULL,
    key_digest bytea NOT NULL,
    body_digest bytea NOT NULL,
    at_ms bigint NOT NULL,
    answer bytea,
    PRIMARY KEY (token, key_digest)
  );
  CREATE INDEX idempotency_by_time ON idempotency (at_ms);
${people()}
${records()}
${jobs()}`
