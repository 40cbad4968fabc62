import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { LimitEpoch, NodeMode } from '../../domain/membership.ts'
import type { ClusterStatus, NodeAdmin, NodeStatus } from '../../domain/node-admin.ts'
import type { ProcessRole } from '../../domain/processes.ts'
import { isConnected, selectHolder } from './candidate.ts'
import { beatWithinMs } from './cluster.ts'
import { locks } from './locks.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'

interface NodeRow {
  readonly node: string
  readonly name: string | null
  readonly role: ProcessRole | null
  readonly release: string | null
  readonly mode: NodeMode | null
  readonly epoch: bigint | null
  readonly blind: boolean | null
  readonly beat: bigint | null
  readonly position: string
  readonly last_ms: bigint | null
  readonly connected: boolean
}

/** Folders that only commands have used are no nodes: they have neither registered nor folded anything. */
const selectNodes = `
  SELECT u.node::text, coalesce(c.name, n.name) AS name, coalesce(c.role, n.role) AS role,
    coalesce(c.release, n.release) AS release, n.mode, n.epoch, n.blind, n.beat, u.position, u.last_ms,
    c.node IS NOT NULL AS connected
  FROM usage_position u
  LEFT JOIN cluster_nodes n ON n.node = u.node
  LEFT JOIN LATERAL (
    SELECT * FROM cluster_processes p WHERE p.node = u.node AND ${isConnected} ORDER BY p.role LIMIT 1
  ) c ON true
  WHERE (n.node IS NOT NULL OR c.node IS NOT NULL OR u.position <> '1:0')
    AND NOT EXISTS (SELECT 1 FROM forgotten_nodes f WHERE f.node = u.node)
  ORDER BY u.node`

/** Opens the nodes of a database for operators. */
export const createPostgresNodeAdmin = (pool: PostgresPool): NodeAdmin => ({
  status: () => readStatus(pool),
  replace: node =>
    pool.transaction(async session => {
      const instance = randomUUID()
      await session.run("UPDATE cluster_nodes SET instance = $2, mode = 'left' WHERE node = $1", [node, instance])
      await session.run('UPDATE usage_position SET instance = $2 WHERE node = $1', [node, instance])
    }),
  forget: node => pool.transaction(session => forget(session, node)),
  moveCache: async cache => {
    await pool.run('UPDATE cluster SET cache = $1', [cache])
  },
})

/** Ends the epoch if the node answered alone: its states do not have these calls. */
async function forget(session: PostgresSession, node: string): Promise<void> {
  await session.run(
    `UPDATE limit_epoch SET late = true
     WHERE state = 'open' AND EXISTS (SELECT 1 FROM cluster_nodes WHERE node = $1 AND blind)`,
    [node],
  )
  await session.run('DELETE FROM cluster_nodes WHERE node = $1', [node])
  await session.run('INSERT INTO forgotten_nodes (node) VALUES ($1) ON CONFLICT DO NOTHING', [node])
}

async function readStatus(pool: PostgresPool): Promise<ClusterStatus> {
  const nodes = await watchNodes(pool)
  const [epoch] = await pool.query<LimitEpoch>('SELECT epoch, identity, state, late FROM limit_epoch')
  const [cluster] = await pool.query<{ cache: string | null }>('SELECT cache FROM cluster')
  const [schema] = await pool.query<ClusterStatus['schema']>('SELECT version, oldest FROM schema')
  const [worker] = await pool.query<NonNullable<ClusterStatus['worker']>>(
    `SELECT w.node::text, w.name, w.role, w.release FROM (${selectHolder}) w`,
    [BigInt(locks.worker)],
  )
  return {
    nodes,
    epoch: { ...epoch!, epoch: Number(epoch!.epoch) },
    cache: cluster?.cache ?? undefined,
    worker,
    schema: schema!,
  }
}

/** Reads the nodes twice: one whose beat moves in between lives, whatever the clocks of the machines show. */
async function watchNodes(pool: PostgresPool): Promise<NodeStatus[]> {
  const before = new Map((await pool.query<NodeRow>(selectNodes)).map(({ node, beat }) => [node, beat]))
  await delay(beatWithinMs)
  const rows = await pool.query<NodeRow>(selectNodes)
  return rows.map(row => ({ ...statusOf(row), isLive: row.connected || hasMoved(row, before.get(row.node)) }))
}

const hasMoved = ({ mode, beat }: NodeRow, before: bigint | null | undefined): boolean =>
  mode !== null && mode !== 'left' && beat !== before

const statusOf = (row: NodeRow): Omit<NodeStatus, 'isLive'> => ({
  node: row.node,
  name: row.name ?? undefined,
  role: row.role ?? undefined,
  release: row.release ?? undefined,
  mode: row.mode ?? undefined,
  epoch: row.epoch === null ? undefined : Number(row.epoch),
  isBlind: row.blind ?? false,
  position: row.position,
  lastCallMs: row.last_ms === null ? undefined : Number(row.last_ms),
})
