import type { Visibility } from '../../domain/visibility.ts'
import type { Sqlite } from '../connection.ts'
import type { LoggedRow } from '../rows/logged-call.ts'

/** Version of the schema. A file of another version is replaced, because the journal fills it again. */
export const requestLogVersion = 4

/**
 * Served calls are in blocks (request-log-blocks.ts), all others in `calls`. Both are sorted by key and time: a page of
 * the newest calls reads little more than its own. The calls of a key with the same operation, status and fault are a
 * group; a filtered page reads the blocks and rows of its groups alone, however few they are.
 */
const schema = `
CREATE TABLE keys (
  no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, partner TEXT NOT NULL, last_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_by_time ON keys (last_ms);
CREATE INDEX keys_of_partner ON keys (partner, last_ms);
CREATE TABLE operations (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE kinds (
  no INTEGER PRIMARY KEY, operation INTEGER NOT NULL, version TEXT NOT NULL, explicit INTEGER NOT NULL,
  status INTEGER NOT NULL, units ANY NOT NULL,
  UNIQUE (operation, version, explicit, status, units)
) STRICT;
CREATE TABLE blocks (
  no INTEGER PRIMARY KEY, key_no INTEGER NOT NULL, to_ms INTEGER NOT NULL, from_ms INTEGER NOT NULL, calls BLOB NOT NULL
) STRICT;
CREATE INDEX blocks_by_time ON blocks (key_no, to_ms, from_ms);
CREATE TABLE call_groups (
  no INTEGER PRIMARY KEY, key_no INTEGER NOT NULL, operation INTEGER NOT NULL, status INTEGER NOT NULL,
  fault TEXT NOT NULL, last_ms INTEGER NOT NULL,
  UNIQUE (key_no, operation, status, fault)
) STRICT;
-- The groups of each block.
CREATE TABLE block_groups (
  group_no INTEGER NOT NULL, to_ms INTEGER NOT NULL, block_no INTEGER NOT NULL,
  PRIMARY KEY (group_no, to_ms, block_no)
) STRICT, WITHOUT ROWID;
CREATE TABLE calls (
  key_no INTEGER NOT NULL, time_ms INTEGER NOT NULL, id BLOB NOT NULL, operation INTEGER NOT NULL,
  version TEXT NOT NULL, explicit INTEGER NOT NULL, status INTEGER NOT NULL, units ANY NOT NULL,
  fault TEXT, fields TEXT, refused TEXT, duration_us INTEGER NOT NULL, facts TEXT, group_no INTEGER NOT NULL,
  PRIMARY KEY (key_no, time_ms, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_by_group ON calls (group_no, time_ms);
CREATE TABLE refusals (
  key_no INTEGER NOT NULL, hour_ms INTEGER NOT NULL, code TEXT NOT NULL, version TEXT NOT NULL, calls INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY (key_no, hour_ms, code, version)
) STRICT, WITHOUT ROWID;
-- Admitted calls of the latest seconds, and of the second of each day with the most, by subject and bucket of limits.
CREATE TABLE rate_seconds (
  subject TEXT NOT NULL, bucket TEXT NOT NULL, second_ms INTEGER NOT NULL, calls INTEGER NOT NULL,
  PRIMARY KEY (subject, bucket, second_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE rate_peaks (
  subject TEXT NOT NULL, bucket TEXT NOT NULL, day_ms INTEGER NOT NULL, second_ms INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (subject, bucket, day_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE files (file INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, complete INTEGER NOT NULL) STRICT;
CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), counted_to_ms INTEGER) STRICT;
INSERT INTO state VALUES (1, NULL);
`

/** Creates the tables in an empty file. Returns false if the file has another version. */
export function prepareRequestLog(db: Sqlite): boolean {
  const version = db.pragma('user_version', { simple: true })
  if (version === requestLogVersion) return true
  if (version !== 0) return false
  db.pragma('auto_vacuum = INCREMENTAL')
  db.pragma('journal_mode = WAL')
  db.transaction(() => {
    db.exec(schema)
    db.pragma(`user_version = ${requestLogVersion}`)
  }).immediate()
  return true
}

/** A row of `calls` with the names of its key, partner and operation. */
export interface CallRow extends LoggedRow {
  readonly key_no: number
}

/** The condition on `keys` that narrows a query to what an actor sees, and its values. */
export const partnerTerm = (visibility: Visibility): string => ('partnerId' in visibility ? ' AND partner = ?' : '')
export const partnerValues = (visibility: Visibility): string[] =>
  'partnerId' in visibility ? [visibility.partnerId] : []
