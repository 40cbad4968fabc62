import type { Id } from '../../domain/id.ts'
import type { ScanQuery } from '../../domain/review-list.ts'
import { type ReviewScans, scansKeptMs } from '../../domain/review-scans.ts'
import type { Clock } from '../../kit/clock.ts'
import type { PostgresPool } from './pool.ts'

/** Opens the scans of a database: any node may start one, run it and show what it has found. */
export function createPostgresScans(pool: PostgresPool, clock: Clock): ReviewScans {
  const expire = () => pool.run('DELETE FROM review_scans WHERE at_ms < $1', [clock.nowMs() - scansKeptMs])
  return {
    create: async (scan, query) => {
      await expire()
      const row = [scan, JSON.stringify(query), clock.nowMs()]
      await pool.run('INSERT INTO review_scans (scan, query, at_ms) VALUES ($1, $2, $3)', row)
    },
    read: async scan => {
      await expire()
      const select = 'SELECT query, ids::text[] AS ids FROM review_scans WHERE scan = $1'
      const [row] = await pool.query<{ query: string; ids: string[] }>(select, [scan])
      return row && { query: pool.parseJson<ScanQuery>(row.query), ids: row.ids.map((id): Id => BigInt(id)) }
    },
    add: async (scan, ids) => {
      if (ids.length === 0) return (await pool.query('SELECT 1 FROM review_scans WHERE scan = $1', [scan])).length > 0
      const append = 'UPDATE review_scans SET ids = ids || $2::bigint[] WHERE scan = $1'
      return (await pool.run(append, [scan, ids])) > 0
    },
    remove: async scan => void (await pool.run('DELETE FROM review_scans WHERE scan = $1', [scan])),
    clear: async () => void (await pool.run('DELETE FROM review_scans')),
  }
}
