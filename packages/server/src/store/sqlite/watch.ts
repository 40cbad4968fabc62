import type { Watch, WatchListener } from '../../domain/stores.ts'
import { Backoff } from '../../kit/backoff.ts'
import type { Sqlite } from '../connection.ts'

/**
 * Maximum delay after failed checks, in milliseconds. Short, because a revoked key stays valid until a check succeeds.
 */
const maxRetryMs = 10_000

/**
 * Calls `listener.changed` after another connection has committed to the file, which it checks every `everyMs`: SQLite
 * has no notification across processes, and PRAGMA data_version costs about a microsecond. One call runs at a time. A
 * failed check or call is reported, and repeated with increasing delays.
 */
export function watchCommits(db: Sqlite, everyMs: number, listener: WatchListener): Watch {
  const version = db.prepare('PRAGMA data_version').pluck()
  let handled = version.get()
  const backoff = new Backoff({ firstMs: everyMs, maxMs: maxRetryMs }, () => performance.now())
  let running: Promise<void> | undefined
  const check = async (): Promise<void> => {
    try {
      const now = version.get()
      if (now !== handled) await listener.changed()
      handled = now
      backoff.succeeded()
    } catch (error) {
      backoff.failed()
      listener.failed(error)
    }
  }
  const timer = setInterval(() => {
    if (backoff.isDue)
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
