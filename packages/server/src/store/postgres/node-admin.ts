import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { LimitEpoch, NodeMode } from '../../domain/membership.ts'
import type { ClusterStatus, NodeAdmin, NodeStatus, RegisteredNode } from '../../domain/node-admin.ts'
import type { ProcessRole } from '../../domain/processes.ts'
import { writeRecord } from '../sql/change-record.ts'
import { isConnected, selectHolder } from './candidate.ts'
import { beatWithinMs } from './cluster.ts'
import { isOpenLease } from './download-leases.ts'
import { isMoving } from './engine-locks.ts'
import { locks } from './locks.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { performOn } from './sql-database.ts'

interface NodeRow {
  readonly node: string
  readonly name: string | null
  readonly role: ProcessRole | null
  readonly release: string | null
  readonly level: number | null
  readonly mode: NodeMode | null
  readonly epoch: bigint | null
  readonly blind: boolean | null
  readonly beat: bigint | null
  readonly position: string
  readonly last_ms: bigint | null
  readonly folded_ms: number | null
  readonly config_sha: string | null
  readonly connected: boolean
  readonly downloads: number
}

/** Folders that only commands have used are no nodes: they have neither registered nor folded anything. */
const selectNodes = `
  SELECT u.node::text, coalesce(c.name, n.name) AS name, coalesce(c.role, n.role) AS role,
    coalesce(c.release, n.release) AS release, coalesce(c.level, n.level) AS level,
    n.mode, n.epoch, n.blind, n.beat, u.position, u.last_ms,
    floor(extract(epoch FROM n.folded_at) * 1000)::float8 AS folded_ms, n.config_sha, c.node IS NOT NULL AS connected,
    (SELECT count(*)::integer FROM download_leases d WHERE d.node = u.node AND ${isOpenLease}) AS downloads
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
  database: async () => (await pool.query<{ id: string }>('SELECT id::text FROM cluster'))[0]!.id,
  status: () => readStatus(pool),
  find: node => findNode(pool, node),
  replace: node =>
    pool.transaction(async session => {
      const instance = randomUUID()
      await session.run(
        'UPDATE cluster_nodes SET replaced = coalesce(replaced, instance), instance = $2 WHERE node = $1',
        [node, instance],
      )
      await session.run('UPDATE usage_position SET instance = $2 WHERE node = $1', [node, instance])
    }),
  leave: (node, hasFolded, record) =>
    change(pool, async session => {
      await endBlindEpoch(session, node)
      const left = await session.run(
        `UPDATE cluster_nodes SET mode = 'left', blind = false, instance = coalesce(replaced, instance), replaced = NULL
         WHERE node = $1 AND (mode <> 'left' OR blind OR replaced IS NOT NULL)`,
        [node],
      )
      await session.run(
        'UPDATE usage_position p SET instance = n.instance FROM cluster_nodes n WHERE p.node = $1 AND n.node = p.node',
        [node],
      )
      return hasFolded || left > 0 ? record : undefined
    }),
  forget: async (node, record) => {
    await change(pool, async session => {
      await endBlindEpoch(session, node)
      await session.run('DELETE FROM cluster_nodes WHERE node = $1', [node])
      await session.run('INSERT INTO forgotten_nodes (node) VALUES ($1) ON CONFLICT DO NOTHING', [node])
      return record
    })
  },
  isMoving: () => isMoving(pool),
  moveCache: async (cache, recordOf) => {
    await change(pool, async session => {
      const [row] = await session.query<{ cache: string | null }>('SELECT cache FROM cluster FOR UPDATE')
      await session.run('UPDATE cluster SET cache = $1', [cache])
      return row!.cache === cache ? undefined : recordOf(row!.cache ?? undefined)
    })
  },
})

/**
 * Runs `work` in a transaction that writes the record which it returns. Returns false without a record. As in a fold,
 * the lock of control data comes after the row of the epoch.
 */
const change = (
  pool: PostgresPool,
  work: (session: PostgresSession) => Promise<ChangeRecord | undefined>,
): Promise<boolean> =>
  pool.transaction(async session => {
    const record = await work(session)
    if (!record) return false
    await session.query('SELECT pg_advisory_xact_lock($1)', [locks.control])
    await performOn(session, writeRecord(record))
    return true
  })

async function findNode(pool: PostgresPool, node: string): Promise<RegisteredNode | undefined> {
  const [found] = await pool.query<{
    forgotten: boolean
    instance: string | null
    left: boolean
    storing: boolean
  }>(
    `SELECT EXISTS (SELECT 1 FROM forgotten_nodes f WHERE f.node = u.node) AS forgotten,
       coalesce(n.replaced, n.instance)::text AS instance, coalesce(n.mode = 'left', false) AS left,
       coalesce(n.stored_by = coalesce(n.replaced, n.instance), false) AS storing
     FROM usage_position u LEFT JOIN cluster_nodes n ON n.node = u.node WHERE u.node::text = $1`,
    [node],
  )
  if (!found) return undefined
  const { forgotten, instance, left: hasLeft, storing: isStoring } = found
  return { state: forgotten ? 'forgotten' : 'known', instance: instance ?? undefined, hasLeft, isStoring }
}

/** Ends the epoch if the node answered alone: its states do not have these calls. */
const endBlindEpoch = (session: PostgresSession, node: string): Promise<number> =>
  session.run(
    `UPDATE limit_epoch SET late = true
     WHERE state = 'open' AND EXISTS (SELECT 1 FROM cluster_nodes WHERE node = $1 AND blind)`,
    [node],
  )

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
  level: row.level ?? undefined,
  mode: row.mode ?? undefined,
  epoch: row.epoch === null ? undefined : Number(row.epoch),
  isBlind: row.blind ?? false,
  position: row.position,
  lastCallMs: row.last_ms === null ? undefined : Number(row.last_ms),
  foldedToMs: row.folded_ms ?? undefined,
  config: row.config_sha ?? undefined,
  openDownloads: row.downloads,
})
