import type { NodeFiles } from '../../domain/ledger.ts'
import type { NodeJournals, ShippedFile } from '../../domain/node-journals.ts'
import { readUsageFiles } from '../sql/usage-files.ts'
import { createPostgresLedger } from './ledger.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { createPostgresRequestLogWriter } from './request-log-writer.ts'
import { performOn } from './sql-database.ts'

interface ShippedRow {
  readonly node: string
  readonly file: bigint
  readonly bytes: bigint
  readonly sha256: string
}

const toShipped = ({ node, file, bytes, sha256 }: ShippedRow): ShippedFile => ({
  node,
  file: Number(file),
  bytes: Number(bytes),
  sha256,
})

const columns = 'j.node::text, j.file, j.bytes, j.sha256'

/** Times to which nodes have folded. Where nodes share limits, one that never has may lack its last fold. */
const selectFoldedTo = `
  WITH sharing AS (SELECT folded_at FROM cluster_nodes WHERE mode <> 'left')
  SELECT min(folded_ms)::float8 AS folded_ms FROM (
    SELECT coalesce(extract(epoch FROM folded_at) * 1000, 0) AS folded_ms FROM sharing
    UNION ALL
    SELECT coalesce(u.last_ms, u.start_ms) FROM usage_position u
    WHERE u.start_ms IS NOT NULL AND NOT u.ended AND EXISTS (SELECT 1 FROM sharing)
      AND NOT EXISTS (SELECT 1 FROM cluster_nodes n WHERE n.node = u.node)
      AND NOT EXISTS (SELECT 1 FROM forgotten_nodes f WHERE f.node = u.node)
  ) AS nodes`

/** Opens the journals of all nodes; `node` is this one. Calls wait for what is stored through `serving`. */
export const createPostgresJournals = (pool: PostgresPool, serving: PostgresPool, node: string): NodeJournals => ({
  node,
  shipped: async of => {
    const found = `SELECT ${columns} FROM journal_files j WHERE node = $1 ORDER BY file`
    return (await pool.query<ShippedRow>(found, [of])).map(toShipped)
  },
  addShipped: async ({ node: of, file, bytes, sha256 }) => {
    await pool.run(
      `INSERT INTO journal_files AS known VALUES ($1, $2, $3, $4)
       ON CONFLICT (node, file) DO UPDATE SET bytes = excluded.bytes, sha256 = excluded.sha256
       WHERE known.bytes < excluded.bytes`,
      [of, file, bytes, sha256],
    )
  },
  expired: async beforeMs => {
    const found = `SELECT ${columns} FROM journal_files j JOIN usage_files f USING (node, file)
      WHERE f.last_ms < $1 AND file < (SELECT max(u.file) FROM usage_files u WHERE u.node = j.node)`
    return (await pool.query<ShippedRow>(found, [beforeMs])).map(toShipped)
  },
  removeExpired: ({ node: of, file }) =>
    pool.transaction(async session => {
      await session.run("UPDATE usage_files SET state = 'dropped' WHERE node = $1 AND file = $2", [of, file])
      await session.run('DELETE FROM journal_files WHERE node = $1 AND file = $2', [of, file])
    }),
  markEnded: async of => {
    await pool.run('UPDATE usage_position SET ended = true WHERE node = $1', [of])
  },
  requestShipping: async () => {
    await pool.run("DELETE FROM verify_requests WHERE at < now() - interval '1 day'")
    await pool.run('INSERT INTO verify_requests DEFAULT VALUES')
  },
  lastRequest: async () => {
    const [row] = await pool.query<{ id: bigint | null }>('SELECT max(id) AS id FROM verify_requests')
    return Number(row!.id ?? 0)
  },
  batches: {
    add: async (id, batch) => {
      await serving.run('INSERT INTO usage_records (node, id, batch) VALUES ($1, $2, $3)', [node, id, batch])
    },
    withdraw: async ids => {
      await serving.run('DELETE FROM usage_records WHERE node = $1 AND id = ANY($2::uuid[])', [node, ids])
    },
  },
  stored: of => pool.query('SELECT id::text, batch FROM usage_records WHERE node = $1 ORDER BY at, id', [of]),
  foldedTo: async () => {
    const [row] = await pool.query<{ folded_ms: number | null }>(selectFoldedTo)
    return row!.folded_ms ?? Number.POSITIVE_INFINITY
  },
  closedTo: async () => {
    const [row] = await pool.query<{ ms: bigint | null }>('SELECT closed_to_ms AS ms FROM cluster')
    return row!.ms === null ? undefined : Number(row!.ms)
  },
  noteClosedTo: async ms => {
    await pool.run('UPDATE cluster SET closed_to_ms = $1 WHERE closed_to_ms IS NULL OR closed_to_ms < $1', [
      Math.floor(ms),
    ])
  },
  answered: (fromMs, toMs) => pool.use(session => readAnswered(session, node, fromMs, toMs)),
  ledgerOf: of => createPostgresLedger(pool, { node: of, instance: 'any' }),
  requestLogOf: of => createPostgresRequestLogWriter(pool, of),
})

async function readAnswered(
  session: PostgresSession,
  node: string,
  fromMs: number,
  toMs: number,
): Promise<readonly NodeFiles[]> {
  const condition = `node = @of AND state <> 'dropped' AND calls > 0 AND first_ms < @toMs
    AND (last_ms IS NULL OR last_ms >= @fromMs)`
  const others = `SELECT node::text, EXISTS (SELECT 1 FROM forgotten_nodes f WHERE f.node = u.node) AS forgotten
    FROM usage_position u WHERE node <> $1 ORDER BY node`
  const found: NodeFiles[] = []
  for (const { node: of, forgotten } of await session.query<{ node: string; forgotten: boolean }>(others, [node])) {
    const files = await performOn(session, readUsageFiles(`WHERE ${condition}`, { of, fromMs, toMs }))
    if (files.length > 0) found.push({ node: of, files, isForgotten: forgotten })
  }
  return found
}
