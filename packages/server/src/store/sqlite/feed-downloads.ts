import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FeedDownload, FeedDownloads } from '../../domain/stores.ts'
import { type ConnectionOptions, connect } from '../connection.ts'

/** Age from which downloads count toward no limit and are deleted, in milliseconds. */
const retentionMs = 2 * 86_400_000

/**
 * Opens the feed downloads that keys have started, in a separate file that only the serving process writes: writes
 * never wait for the fold, and the downloads still count after a restart. A write takes about 20 µs.
 */
export function openSqliteFeedDownloads(
  file: string,
  nowMs: number,
  options: Pick<ConnectionOptions, 'onFailure'>,
): FeedDownloads {
  renameOldDownloads(file)
  const db = connect(file, options)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(`CREATE TABLE IF NOT EXISTS downloads (
    key_id TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (key_id, at_ms, snapshot)
  ) STRICT, WITHOUT ROWID`)
  db.prepare('DELETE FROM downloads WHERE at_ms < ?').run(nowMs - retentionMs)
  const since = db.prepare<[string, number], FeedDownload>(
    'SELECT snapshot, at_ms AS atMs FROM downloads WHERE key_id = ? AND at_ms >= ? ORDER BY at_ms',
  )
  const add = db.prepare('INSERT OR IGNORE INTO downloads VALUES (?, ?, ?)')
  return {
    since: async (keyId, sinceMs) => since.all(keyId, sinceMs),
    start: async (keyId, sinceMs, decide) => {
      const started = decide(since.all(keyId, sinceMs))
      if (started) add.run(keyId, started.snapshot, started.atMs)
    },
    close: async () => {
      db.close()
    },
  }
}

/** Renames the file and the table of an earlier release. */
export function renameOldDownloads(file: string): void {
  const old = join(dirname(file), 'takings.sqlite')
  if (existsSync(file) || !existsSync(old)) return
  const db = connect(old)
  try {
    // Closing the only connection in this mode removes the log, so that the file can be renamed alone.
    db.pragma('journal_mode = DELETE')
    if (db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'takings'`).get())
      db.exec('ALTER TABLE takings RENAME TO downloads')
  } finally {
    db.close()
  }
  renameSync(old, file)
}
