import type { Watch, WatchListener } from '../../domain/stores.ts'
import type { Sqlite } from './sqlite.ts'

/**
 * Calls `listener.changed` after another connection has committed to the file, which it checks every `everyMs`: SQLite
 * has no notification across processes, and PRAGMA data_version costs about a microsecond. One call runs at a time. A
 * call that fails is reported, and repeated at the next check.
 */
export function watchCommits(db: Sqlite, everyMs: number, listener: WatchListener): Watch {
  const version = db.prepare('PRAGMA data_version').pluck()
  let handled = version.get()
  let running: Promise<void> | undefined
  const check = async (): Promise<void> => {
    try {
      const now = version.get()
      if (now === handled) return
      await listener.changed()
      handled = now
    } catch (error) {
      listener.failed(error)
    }
  }
  const timer = setInterval(() => {
    running ??= check().finally(() => {
      running = undefined
    })
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
