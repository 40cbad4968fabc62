/** Answers of the admin API by Idempotency-Key. */
export const idempotencyMigration = `
  CREATE TABLE idempotency (
    token TEXT NOT NULL,
    key_digest BLOB NOT NULL,
    body_digest BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    -- Encrypted; NULL until the request has finished.
    answer BLOB,
    PRIMARY KEY (token, key_digest)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_by_time ON idempotency (at_ms);
`
