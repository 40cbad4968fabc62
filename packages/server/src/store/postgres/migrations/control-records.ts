import { text } from './text-column.ts'

/** The tables of the audit, the outbox, webhooks and mails. */
export function records(): string {
  return `
  CREATE TABLE audit (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    actor_kind ${text} NOT NULL,
    actor_id ${text} NOT NULL,
    via ${text} NOT NULL,
    address text,
    partner ${text},
    action ${text} NOT NULL,
    target ${text} NOT NULL,
    "before" text,
    "after" text,
    request_id text
  );
  CREATE INDEX audit_by_partner ON audit (partner, seq);
  CREATE INDEX audit_by_actor ON audit (actor_id, seq);
  CREATE INDEX audit_by_target ON audit (target, seq);

  -- id: of the event in webhooks and mail. partner: NULL for events that concern the operator or all partners.
  -- endpoint: set for events that are made for one endpoint. Numbers are committed in their order, under the lock of
  -- control data (locks.ts).
  CREATE TABLE outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${text} NOT NULL UNIQUE,
    type ${text} NOT NULL,
    partner ${text},
    at bigint NOT NULL,
    data text NOT NULL,
    unique_key ${text} NOT NULL UNIQUE,
    endpoint ${text}
  );
  CREATE INDEX outbox_by_partner ON outbox (partner, seq);

  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'rows of % cannot be changed', TG_TABLE_NAME;
  END $$;
  CREATE FUNCTION refuse_early_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF OLD.at > (unixepoch('subsec') - TG_ARGV[0]::integer * 86400) * 1000 THEN
      RAISE EXCEPTION 'rows of % are kept for % days', TG_TABLE_NAME, TG_ARGV[0];
    END IF;
    RETURN OLD;
  END $$;
  CREATE TRIGGER audit_unchangeable BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER audit_kept BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_early_removal(365);
  CREATE TRIGGER outbox_unchangeable BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER outbox_kept BEFORE DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION refuse_early_removal(30);

  -- partner: NULL for endpoints of the operator. Secrets are sealed (kit/secret-box.ts). types: a JSON array.
  CREATE TABLE webhook_endpoints (
    id ${text} PRIMARY KEY,
    partner ${text} REFERENCES partners (id),
    key ${text} REFERENCES keys (id),
    url text NOT NULL,
    types text NOT NULL,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_ends bigint,
    state ${text} NOT NULL,
    disabled_reason ${text},
    failing_since bigint,
    created bigint NOT NULL,
    revision bigint NOT NULL
  );
  CREATE TABLE deliveries (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${text} NOT NULL UNIQUE,
    endpoint ${text} NOT NULL,
    seq bigint NOT NULL,
    attempt bigint NOT NULL,
    state ${text} NOT NULL,
    next bigint,
    answers text NOT NULL,
    UNIQUE (endpoint, seq)
  );
  CREATE INDEX deliveries_due ON deliveries (endpoint, next) WHERE state = 'pending';
  CREATE INDEX deliveries_by_event ON deliveries (seq);
  CREATE TABLE event_positions (outbox bigint NOT NULL, changes bigint);
  INSERT INTO event_positions VALUES (0, NULL);
  CREATE TABLE event_mails (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "user" ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seq bigint NOT NULL,
    attempt bigint NOT NULL,
    state ${text} NOT NULL,
    next bigint,
    UNIQUE ("user", seq)
  );
  CREATE INDEX event_mails_due ON event_mails (next) WHERE state = 'pending';
  CREATE INDEX event_mails_by_event ON event_mails (seq);`
}

/** The tables of jobs and of exported usage. */
export function jobs(): string {
  return `
  CREATE TABLE jobs (
    id ${text} PRIMARY KEY,
    kind ${text} NOT NULL,
    state ${text} NOT NULL,
    actor text NOT NULL,
    request json NOT NULL,
    created_ms bigint NOT NULL,
    started_ms bigint,
    ended_ms bigint,
    progress text,
    result json,
    failure text,
    cancelling smallint NOT NULL DEFAULT 0
  );
  CREATE INDEX jobs_by_state ON jobs (state);
  CREATE TABLE import_rejects (
    job ${text} NOT NULL,
    input text NOT NULL,
    rejects_file ${text} NOT NULL,
    rejects_rows bigint NOT NULL,
    PRIMARY KEY (job, rejects_file)
  );
  CREATE INDEX import_rejects_by_file ON import_rejects (rejects_file, job);
  CREATE TABLE import_runs (
    job ${text} PRIMARY KEY,
    counts text NOT NULL,
    drift text NOT NULL,
    points text NOT NULL
  );

  CREATE TABLE usage_exports (
    from_ms bigint NOT NULL,
    key_id ${text} NOT NULL,
    operation ${text} NOT NULL,
    partner_id ${text} NOT NULL,
    part bigint NOT NULL,
    calls bigint NOT NULL,
    units bigint NOT NULL,
    sent smallint NOT NULL,
    PRIMARY KEY (from_ms, key_id, operation, partner_id, part)
  );
  CREATE INDEX usage_exports_unsent ON usage_exports (from_ms) WHERE sent = 0;
  CREATE TABLE usage_export_days (day_ms bigint PRIMARY KEY, units bigint NOT NULL);
`
}
