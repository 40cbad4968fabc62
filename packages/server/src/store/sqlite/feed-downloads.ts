import Database from 'better-sqlite3'
import type { FeedTakings } from '../../domain/stores.ts'

/** Entries older than this bind nobody any more, milliseconds. */
const keptMs = 2 * 86_400_000

/**
 * Begun downloads in a file of their own, which the serving process alone writes: it never waits for the book keeper,
 * and what was begun counts after a restart, too. A write is some 20 µs, and there are few.
 */
export function sqliteFeedTakings(file: string, nowMs: number): FeedTakings & { close(): void } {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(`CREATE TABLE IF NOT EXISTS takings (
    key_id TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (key_id, at_ms, snapshot)
  ) STRICT, WITHOUT ROWID`)
  db.prepare('DELETE FROM takings WHERE at_ms < ?').run(nowMs - keptMs)
  const since = db.prepare<[string, number], { snapshot: string; atMs: number }>(
    'SELECT snapshot, at_ms AS atMs FROM takings WHERE key_id = ? AND at_ms >= ? ORDER BY at_ms',
  )
  const add = db.prepare('INSERT OR IGNORE INTO takings VALUES (?, ?, ?)')
  return {
    since: (keyId, sinceMs) => since.all(keyId, sinceMs),
    add: (keyId, snapshot, atMs) => add.run(keyId, snapshot, atMs),
    close: () => db.close(),
  }
}
