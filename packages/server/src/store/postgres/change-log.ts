import type { Change } from '../../domain/change.ts'
import type { ChangeLog } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import { kindOfNumber } from '../rows/codes.ts'
import type { PostgresPool } from './pool.ts'

/** A row of the change log. */
export interface ChangeRow {
  readonly seq: bigint
  readonly at_ms: bigint
  readonly kind: number
  readonly id: Id
  readonly op: Change['op']
  readonly merged_into: Id | null
}

/** The oldest number, and the lines after $1; without such lines, one row without a line. */
const linesAfter = `
  SELECT log.oldest, lines.* FROM (SELECT min(seq) AS oldest FROM changes) AS log
  LEFT JOIN LATERAL (
    SELECT seq, at_ms, kind, id, op, merged_into FROM changes WHERE seq > $1 ORDER BY seq LIMIT $2
  ) AS lines ON true
  ORDER BY seq`

/** Removes the lines before the first one that is needed, too young, or the newest. */
const removeOldest = `
  WITH oldest AS (SELECT seq, at_ms FROM changes ORDER BY seq LIMIT $3),
  kept AS (
    SELECT min(seq) AS seq FROM oldest
    WHERE at_ms >= $1 OR seq >= least($2, (SELECT max(seq) FROM changes))
  )
  DELETE FROM changes WHERE seq <= coalesce((SELECT seq - 1 FROM kept), (SELECT max(seq) FROM oldest))`

/**
 * Opens the change log. Writers hold the lock of data (locks.ts) from before their first line until the commit, and
 * number lines from the newest one on: numbers become visible in ascending order, without gaps.
 */
export function createPostgresChangeLog(pool: PostgresPool): ChangeLog {
  return {
    lastSeq: async () => {
      const [row] = await pool.query<{ seq: bigint }>('SELECT coalesce(max(seq), 0) AS seq FROM changes')
      return Number(row!.seq)
    },
    after: async (seq, limit) => {
      const rows = await pool.query<{ oldest: bigint | null } & (ChangeRow | { seq: null })>(linesAfter, [seq, limit])
      if (Number(rows[0]?.oldest ?? 1) > seq + 1) return undefined
      return rows.flatMap(row => (row.seq === null ? [] : toChange(row)))
    },
    prune: async ({ beforeMs, keepFromSeq, limit }) => ({
      removed: await pool.run(removeOldest, [beforeMs, keepFromSeq, limit]),
    }),
  }
}

export const toChange = (row: ChangeRow): Change => ({
  seq: Number(row.seq),
  atMs: Number(row.at_ms),
  kind: kindOfNumber(row.kind),
  id: row.id,
  op: row.op,
  ...(row.merged_into !== null && { mergedInto: row.merged_into }),
})
