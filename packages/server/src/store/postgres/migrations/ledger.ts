/** Columns of a roll-up. Flags are 0 or 1, as in SQLite. */
const rollUpColumns = `
    from_ms bigint NOT NULL,
    partner_id text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    version_explicit smallint NOT NULL,
    status smallint NOT NULL,
    billable smallint NOT NULL,
    calls bigint NOT NULL,
    units bigint NOT NULL,
    PRIMARY KEY (from_ms, key_id, operation, version, version_explicit, status, billable, partner_id)`

/** The ledger of all nodes, feed downloads, and the membership of nodes. Columns mean the same as in SQLite. */
export const ledgerMigration = `
  -- The database as its nodes know it: the check value of the pepper that all of them must have.
  CREATE TABLE cluster (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    pepper_check text NOT NULL,
    cache text
  );

  -- The order of all folds and epochs: each fold holds the row FOR SHARE, each change of epoch updates it.
  CREATE TABLE limit_epoch (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    epoch bigint NOT NULL,
    identity text NOT NULL,
    state text NOT NULL,
    late boolean NOT NULL
  );
  INSERT INTO limit_epoch VALUES (true, 0, '', 'opening', false);

  -- mode: out, in or left.
  CREATE TABLE cluster_nodes (
    node uuid PRIMARY KEY,
    instance uuid NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    release text NOT NULL,
    level integer NOT NULL,
    epoch bigint NOT NULL DEFAULT 0,
    mode text NOT NULL DEFAULT 'out',
    blind boolean NOT NULL DEFAULT false,
    beat bigint NOT NULL DEFAULT 0,
    seq bigint NOT NULL DEFAULT 0,
    step_us bigint NOT NULL DEFAULT 0,
    config_sha text
  ) WITH (fillfactor = 50);

  -- The position in the journal of each node, and the clock of the process that served last.
  CREATE TABLE usage_position (
    node uuid PRIMARY KEY,
    instance uuid,
    position text COLLATE "C" NOT NULL,
    last_ms bigint,
    last_shift_ms bigint,
    start_ms bigint,
    boot_id text,
    boot_us bigint,
    behind_ms bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);
  CREATE TABLE usage_files (
    node uuid NOT NULL,
    file bigint NOT NULL,
    bytes bigint NOT NULL,
    calls bigint NOT NULL,
    first_ms bigint,
    last_ms bigint,
    state text COLLATE "C" NOT NULL,
    PRIMARY KEY (node, file)
  );

  CREATE TABLE usage_slots (${rollUpColumns}
  ) WITH (fillfactor = 80);
  CREATE INDEX usage_slots_by_partner ON usage_slots (partner_id, from_ms);
  CREATE TABLE usage_eighths (${rollUpColumns}
  ) WITH (fillfactor = 80);
  CREATE INDEX usage_eighths_by_partner ON usage_eighths (partner_id, from_ms);
  CREATE TABLE usage_days (${rollUpColumns}
  ) WITH (fillfactor = 80);
  CREATE INDEX usage_days_by_key ON usage_days (key_id, from_ms);
  CREATE INDEX usage_days_by_partner ON usage_days (partner_id, from_ms);

  -- node: the node whose fold has written the row last.
  CREATE TABLE limit_states (
    subject text COLLATE "C" NOT NULL,
    bucket text COLLATE "C" NOT NULL,
    window_start_ms bigint NOT NULL,
    used bigint NOT NULL,
    carried bigint NOT NULL,
    tat_us bigint NOT NULL,
    first_refusal_us bigint,
    promise_us bigint,
    strikes integer,
    struck_us bigint,
    last_us bigint NOT NULL DEFAULT 0,
    node uuid NOT NULL,
    PRIMARY KEY (subject, bucket)
  ) WITH (fillfactor = 60);

  -- Two windows less than 24 hours apart were opened by nodes that did not see each other: the later start has the
  -- units of both. c (carried): units that were journalled under another start.
  CREATE FUNCTION merge_window(w1 bigint, u1 bigint, c1 bigint, w2 bigint, u2 bigint, c2 bigint,
    OUT w bigint, OUT u bigint, OUT c bigint) LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest(w1, w2),
      CASE WHEN w2 >= w1 + 86400000 THEN u2 WHEN w2 <= w1 - 86400000 THEN u1 ELSE u1 + u2 END,
      CASE WHEN w2 >= w1 + 86400000 THEN c2 WHEN w2 <= w1 - 86400000 THEN c1
        WHEN w2 > w1 THEN u1 + c2 WHEN w2 < w1 THEN c1 + u2 ELSE c1 + c2 END
  $$;

  -- The snapshots that keys have begun to download.
  CREATE TABLE feed_downloads (
    key_id text COLLATE "C" NOT NULL,
    snapshot text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    PRIMARY KEY (key_id, at_ms, snapshot)
  );
`
