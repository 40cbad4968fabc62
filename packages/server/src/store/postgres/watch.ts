import type { Watch, WatchListener } from '../../domain/stores.ts'
import { watchEveryMs, watchValue } from '../watch.ts'
import type { PostgresPool } from './pool.ts'

/** Reads the number of the newest change of records. */
export const newestChange = 'SELECT coalesce(max(seq), 0)::text AS value FROM changes'

/**
 * Values that differ after each change. They are polled: standbys have no notifications, and a poll takes some 20 µs of
 * PostgreSQL.
 */
const values = {
  keys: `SELECT (SELECT access FROM revision) || ' ' || (SELECT coalesce(max(number), 0) FROM forgiven_penalties) AS value`,
  data: newestChange,
} as const

/** Maximum delay of checks while the server is away, in milliseconds, so that its return is seen soon. */
export const maxRetryMs = 1000

/** Calls the listener at first, and after each change by any process. */
export function watchPostgres(pool: PostgresPool, what: keyof typeof values, listener: WatchListener): Watch {
  const read = async () => (await pool.query<{ value: string }>(values[what]))[0]!.value
  return watchValue({ everyMs: watchEveryMs, read, maxRetryMs }, listener)
}
