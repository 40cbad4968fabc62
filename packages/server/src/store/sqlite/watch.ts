import type { Sqlite } from './open.ts'

/**
 * Calls `onChange` after another connection has committed to the file, looked at every `everyMs` (ARCHITECTURE.md: SQLite
 * has no notification across processes; PRAGMA data_version costs about a microsecond).
 */
export function watchCommits(db: Sqlite, everyMs: number, onChange: () => void | Promise<void>): { stop: () => void } {
  const version = db.prepare('PRAGMA data_version').pluck()
  let seen = version.get()
  const timer = setInterval(() => {
    const now = version.get()
    if (now === seen) return
    seen = now
    void onChange()
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
