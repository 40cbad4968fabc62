/**
 * The request log of all nodes, which billing never reads. Calls of a key are in blocks, with what they have in
 * common in `kinds` (store/postgres/request-blocks.ts); the lists next to it are for filters.
 */
export const requestsMigration = `
  CREATE TABLE request_blocks (
    no bigint GENERATED ALWAYS AS IDENTITY,
    key_id text COLLATE "C" NOT NULL,
    partner_id text COLLATE "C" NOT NULL,
    from_ms bigint NOT NULL,
    to_ms bigint NOT NULL,
    operations text[] NOT NULL,
    statuses smallint[] NOT NULL,
    faults text[] NOT NULL,
    kinds text NOT NULL,
    calls bytea NOT NULL,
    PRIMARY KEY (to_ms, no)
  );
  CREATE INDEX request_blocks_by_key ON request_blocks (key_id, to_ms, no);
  CREATE INDEX request_blocks_by_partner ON request_blocks (partner_id, to_ms, no);
  -- Size of the blocks that end in each hour.
  CREATE TABLE request_hours (hour_ms bigint PRIMARY KEY, bytes bigint NOT NULL) WITH (fillfactor = 50);

  CREATE TABLE request_refusals (
    key_id text COLLATE "C" NOT NULL,
    partner_id text COLLATE "C" NOT NULL,
    hour_ms bigint NOT NULL,
    code text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    calls bigint NOT NULL,
    last_ms bigint NOT NULL,
    PRIMARY KEY (key_id, hour_ms, code, version)
  );
  -- Admitted calls of the latest seconds, and of the second of each day with the most, by subject and bucket of limits.
  CREATE TABLE request_seconds (
    subject text COLLATE "C" NOT NULL,
    bucket text COLLATE "C" NOT NULL,
    second_ms bigint NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (subject, bucket, second_ms)
  ) WITH (fillfactor = 50);
  CREATE INDEX request_seconds_by_time ON request_seconds (second_ms);
  CREATE TABLE request_peaks (
    subject text COLLATE "C" NOT NULL,
    bucket text COLLATE "C" NOT NULL,
    day_ms bigint NOT NULL,
    second_ms bigint NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (subject, bucket, day_ms)
  ) WITH (fillfactor = 50);

  -- The points that the log has reached in the journal of each node.
  CREATE TABLE request_files (
    node uuid NOT NULL,
    file bigint NOT NULL,
    bytes bigint NOT NULL,
    complete boolean NOT NULL,
    PRIMARY KEY (node, file)
  ) WITH (fillfactor = 50);
  CREATE TABLE request_nodes (node uuid PRIMARY KEY, counted_to_ms bigint NOT NULL) WITH (fillfactor = 50);
`
