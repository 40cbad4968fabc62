import type { Watch, WatchListener } from '../../domain/stores.ts'
import type { Sqlite } from '../connection.ts'
import { watchValue } from '../watch.ts'

/**
 * Watches for commits of other connections to the file, every `everyMs`: SQLite has no notification across processes,
 * and PRAGMA data_version costs about a microsecond.
 */
export function watchCommits(db: Sqlite, everyMs: number, listener: WatchListener): Watch {
  const version = db.prepare('PRAGMA data_version').pluck()
  const read = () => version.get()
  return watchValue({ everyMs, read, handled: read() }, listener)
}
