import type { Sqlite } from '../connection.ts'

/** Version of the schema. A file of another version is replaced, because the journal fills it again. */
export const requestLogVersion = 1

/** Rows are sorted by key and time. A page of the newest calls reads only its own rows. */
const schema = `
CREATE TABLE keys (
  no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, partner TEXT NOT NULL, last_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_by_time ON keys (last_ms);
CREATE INDEX keys_of_partner ON keys (partner, last_ms);
CREATE TABLE operations (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE calls (
  key_no INTEGER NOT NULL, time_ms INTEGER NOT NULL, id BLOB NOT NULL, operation INTEGER NOT NULL,
  version TEXT NOT NULL, explicit INTEGER NOT NULL, status INTEGER NOT NULL, units ANY NOT NULL,
  fault TEXT, fields TEXT, refused TEXT, duration_us INTEGER NOT NULL, facts TEXT,
  PRIMARY KEY (key_no, time_ms, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_failed ON calls (key_no, time_ms) WHERE status >= 400;
CREATE TABLE refusals (
  key_no INTEGER NOT NULL, hour_ms INTEGER NOT NULL, code TEXT NOT NULL, version TEXT NOT NULL, calls INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY (key_no, hour_ms, code, version)
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
export interface CallRow {
  readonly id: Buffer
  readonly key_no: number
  readonly time_ms: number
  readonly key: string
  readonly partner: string
  readonly operation: string
  readonly version: string
  readonly explicit: number
  readonly status: number
  readonly units: number
  readonly fault: string | null
  readonly fields: string | null
  readonly refused: string | null
  readonly duration_us: number
  readonly facts: string | null
}

/** The rarely needed members of a refused call, as JSON in `facts`. */
export interface LoggedFacts {
  /** Revision of the key. */
  readonly revision?: number
  /** Seconds. */
  readonly retry_after?: number
  readonly cost?: number
  readonly strikes?: number
}

/** Returns the bytes of a request id; undefined for a text that is no UUID. */
export function encodeRequestId(requestId: string): Buffer | undefined {
  if (requestId.length !== 36) return undefined
  const id = Buffer.allocUnsafe(16)
  let at = 0
  for (let i = 0; i < 36; i += 2) {
    // The dashes are at 8, 13, 18 and 23, so that each pair of digits begins after them.
    if (i === 8 || i === 13 || i === 18 || i === 23) if (requestId[i++] !== '-') return undefined
    const [high, low] = [digitOf(requestId.charCodeAt(i)), digitOf(requestId.charCodeAt(i + 1))]
    if ((high | low) < 0) return undefined
    id[at++] = (high << 4) | low
  }
  return id
}

/** Returns the value of a hexadecimal digit; -1 for another character. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = (code | 32) - 97
  return letter >= 0 && letter < 6 ? letter + 10 : -1
}

/** Returns the text of a request id. */
export function decodeRequestId(id: Buffer): string {
  const hex = id.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
