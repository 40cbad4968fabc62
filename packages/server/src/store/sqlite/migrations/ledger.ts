import type { Migration } from '../migrate.ts'

/** Schema of the ledger; part of control.sqlite. A released migration is never edited. */
export const ledgerMigration: Migration = `
  -- Position up to which the journal has been folded, and the times of the last folded record.
  CREATE TABLE usage_position (
    file INTEGER NOT NULL,
    byte_offset INTEGER NOT NULL,
    last_ms INTEGER,
    last_shift_ms INTEGER
  ) STRICT;
  INSERT INTO usage_position VALUES (1, 0, NULL, NULL);

  -- Calls and units by slot (usage/slot.ts) and by UTC day. Kept forever.
  CREATE TABLE usage_slots (
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
  CREATE TABLE usage_days (
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

  -- One row per subject and bucket. carried: units in the window when a restart moved it (R-29).
  CREATE TABLE limit_states (
    subject TEXT NOT NULL,
    bucket TEXT NOT NULL,
    window_start_ms INTEGER NOT NULL,
    used INTEGER NOT NULL,
    carried INTEGER NOT NULL,
    tat_us INTEGER NOT NULL,
    first_refusal_us INTEGER,
    promise_us INTEGER,
    strikes INTEGER,
    struck_us INTEGER,
    PRIMARY KEY (subject, bucket)
  ) STRICT, WITHOUT ROWID;
`

/** Makes the position opaque to the store: a text that src/usage encodes. */
export const opaquePositionMigration: Migration = `
  ALTER TABLE usage_position RENAME TO usage_position_in_columns;
  CREATE TABLE usage_position (position TEXT NOT NULL, last_ms INTEGER, last_shift_ms INTEGER) STRICT;
  INSERT INTO usage_position SELECT file || ':' || byte_offset, last_ms, last_shift_ms FROM usage_position_in_columns;
  DROP TABLE usage_position_in_columns;
`

/**
 * Adds the files of the journal and the clock of the process. The file at the position is the first that the ledger
 * knows; in a new ledger it is file 0, which never exists.
 */
export const journalFilesMigration: Migration = `
  CREATE TABLE usage_files (
    file INTEGER PRIMARY KEY,
    bytes INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    -- NULL: without limit.
    first_ms INTEGER,
    last_ms INTEGER,
    state TEXT NOT NULL
  ) STRICT;
  INSERT INTO usage_files
    SELECT CAST(substr(position, 1, instr(position, ':') - 1) AS INTEGER),
      CAST(substr(position, instr(position, ':') + 1) AS INTEGER), 0, 0, NULL, 'present'
    FROM usage_position WHERE position <> '1:0';
  INSERT INTO usage_files SELECT 0, 0, 0, NULL, 0, 'dropped' FROM usage_position WHERE position = '1:0';
  ALTER TABLE usage_position ADD COLUMN start_ms INTEGER;
  ALTER TABLE usage_position ADD COLUMN boot_id TEXT;
  ALTER TABLE usage_position ADD COLUMN boot_us INTEGER;
  ALTER TABLE usage_position ADD COLUMN behind_ms INTEGER NOT NULL DEFAULT 0;
`
