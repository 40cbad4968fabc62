import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FeedDownload, FeedDownloads } from '../../domain/feed-stores.ts'
import type { StoreFailure } from '../../domain/store-errors.ts'
import { dayMs } from '../../kit/time.ts'
import { type ConnectionOptions, connect, type Sqlite } from '../connection.ts'
import { type ReplaceableOptions, renameDamaged, unlessDamaged } from './replaceable-file.ts'

/** Age from which downloads are deleted, in milliseconds. Limits count one day; the pages of feeds show the others. */
const retentionMs = 90 * dayMs

/**
 * Opens the feed downloads that keys have started, in a separate file that only the serving process writes: writes
 * never wait for the fold, and the downloads still count after a restart. A write takes about 20 µs. A damaged file is
 * replaced: at most, keys may repeat the downloads of two days.
 */
export function openSqliteFeedDownloads(
  file: string,
  nowMs: number,
  { onFailure, onReplaced }: ReplaceableOptions,
): FeedDownloads {
  renameOldDownloads(file, onReplaced)
  // Damage ends with the replacement, so it is not counted.
  const countOther = (failure: StoreFailure) => failure.kind === 'damaged' || onFailure?.(failure)
  const open = () => openDownloads(file, nowMs, { onFailure: countOther })
  const replace = () => {
    renameDamaged(file, onReplaced)
    return open()
  }
  let downloads = unlessDamaged(open, replace)
  const run = <T>(work: () => T): T =>
    unlessDamaged(work, () => {
      downloads.db.close()
      downloads = replace()
      return work()
    })
  return {
    since: async (keyId, sinceMs) => run(() => downloads.since.all(keyId, sinceMs)),
    start: async (keyId, sinceMs, decide) => {
      const started = decide(run(() => downloads.since.all(keyId, sinceMs)))
      if (started) run(() => downloads.add.run(keyId, started.snapshot, started.atMs))
    },
    close: async () => {
      downloads.db.close()
    },
  }
}

function openDownloads(file: string, nowMs: number, options: ConnectionOptions) {
  const db = connect(file, options)
  try {
    return { db, ...prepareDownloads(db, nowMs) }
  } catch (error) {
    db.close()
    throw error
  }
}

function prepareDownloads(db: Sqlite, nowMs: number) {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(`CREATE TABLE IF NOT EXISTS downloads (
    key_id TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (key_id, at_ms, snapshot)
  ) STRICT, WITHOUT ROWID`)
  db.prepare('DELETE FROM downloads WHERE at_ms < ?').run(nowMs - retentionMs)
  return {
    since: db.prepare<[string, number], FeedDownload>(
      'SELECT snapshot, at_ms AS atMs FROM downloads WHERE key_id = ? AND at_ms >= ? ORDER BY at_ms',
    ),
    add: db.prepare('INSERT OR IGNORE INTO downloads VALUES (?, ?, ?)'),
  }
}

/** Renames the file and the table of an earlier release. */
export function renameOldDownloads(file: string, onReplaced: ReplaceableOptions['onReplaced']): void {
  const old = join(dirname(file), 'takings.sqlite')
  if (existsSync(file) || !existsSync(old)) return
  const renameTable = () => {
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
  unlessDamaged(renameTable, () => renameDamaged(old, onReplaced))
}
