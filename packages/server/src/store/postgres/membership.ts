import type { FoldedState, UsageCursor } from '../../domain/ledger.ts'
import type {
  ClusterNode,
  ClusterView,
  LimitEpoch,
  Membership,
  NextEpoch,
  NodeMode,
  NodeReport,
} from '../../domain/membership.ts'
import { type LimitStateRow, limitStateOf } from '../sql/limit-states.ts'
import { releaseLevel } from './migrations/all.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { readSchema, requireUsable } from './schema.ts'
import { toNumbers } from './sql-database.ts'

/** The process of a node. */
export interface NodeIdentity {
  /** Id of the node, a UUID in its folder. */
  readonly node: string
  /** Id of this process, a UUID. */
  readonly instance: string
  /** Name of the machine, for operators. */
  readonly name: string
  readonly release: string
  /** Digest of the settings that all nodes must share. */
  readonly config?: string | undefined
  /** True if the process stores calls before their answers leave. */
  readonly isStoring?: boolean
}

interface EpochRow {
  readonly epoch: bigint
  readonly identity: string
  readonly state: LimitEpoch['state']
  readonly late: boolean
}

interface NodeRow {
  readonly node: string
  readonly mode: NodeMode
  readonly epoch: bigint
  readonly blind: boolean
  readonly beat: bigint
  readonly step_us: bigint
  readonly name: string
  readonly release: string
  readonly config_sha: string | null
}

/** The clock of the server, in microseconds since 1970. */
export const readClock = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us'

const seenEpoch = 'epoch = $1 AND state = $2 AND late = $3'
const valuesOf = ({ epoch, state, late }: LimitEpoch) => [epoch, state, late]

/** Opens the membership of a node in the cluster of a database. */
export function createPostgresMembership(pool: PostgresPool, me: NodeIdentity): Membership {
  const { node, instance } = me
  return {
    register: earlier =>
      pool.transaction(async session => {
        await requireUsable(session, pool.name, releaseLevel)
        return register(session, me, earlier)
      }),
    beat: report => pool.use(session => beat(session, me, report)),
    openEpoch: (seen, next) => pool.transaction(session => openEpoch(session, seen, next)),
    enter: (seen, position) => pool.transaction(session => enter(session, me, seen, position)),
    finishOpening: async epoch => {
      // Waits for the folds that hold the row.
      await pool.run("UPDATE limit_epoch SET state = 'open' WHERE epoch = $1 AND state = 'opening'", [epoch])
    },
    markLate: async epoch => {
      await pool.run(
        `UPDATE limit_epoch SET late = true WHERE epoch = $1 AND state = 'open'
           AND EXISTS (SELECT 1 FROM cluster_nodes WHERE node = $2 AND instance = $3)`,
        [epoch, node, instance],
      )
    },
    clockUs: async () => {
      const [row] = await pool.query<{ us: bigint }>(readClock)
      return Number(row!.us)
    },
    seeds: subjects => readSeeds(pool, subjects),
  }
}

/**
 * Registers the instance, so that no other one folds the journal of the node any more. A database that has lost commits
 * or was restored knows an instance before the last one.
 */
async function register(
  session: PostgresSession,
  { node, instance, name, release, config = undefined }: NodeIdentity,
  earlierInstances: readonly string[],
): Promise<boolean> {
  const changed = await session.run(
    `INSERT INTO cluster_nodes AS known (node, instance, name, role, release, level, config_sha)
     VALUES ($1, $2, $3, 'serve', $4, $5, $7)
     ON CONFLICT (node) DO UPDATE SET instance = excluded.instance, name = excluded.name, release = excluded.release,
       level = excluded.level, config_sha = excluded.config_sha
     WHERE known.instance = excluded.instance OR known.instance = ANY($6::uuid[])`,
    [node, instance, name, release, releaseLevel, earlierInstances, config ?? null],
  )
  if (changed > 0)
    await session.run('UPDATE usage_position SET instance = $1, ended = false WHERE node = $2', [instance, node])
  return changed > 0
}

async function beat(
  session: PostgresSession,
  { node, instance, isStoring = false }: NodeIdentity,
  { mode, stepUs, foldedAgeMs }: NodeReport,
): Promise<ClusterView | undefined> {
  const isMine = await session.run(
    `UPDATE cluster_nodes SET beat = beat + 1, mode = $3, step_us = $4,
       folded_at = coalesce(clock_timestamp() - $5::float8 * interval '1 millisecond', folded_at),
       stored_by = CASE WHEN $6 AND $5 IS NOT NULL THEN instance ELSE stored_by END
     WHERE node = $1 AND instance = $2`,
    [
      ...[node, instance, mode, Math.round(stepUs)],
      foldedAgeMs === undefined ? null : Math.max(0, foldedAgeMs),
      isStoring,
    ],
  )
  if (isMine === 0) return undefined
  const epoch = await readEpoch(session)
  const { oldest } = await readSchema(session)
  const rows = await session.query<NodeRow>(
    'SELECT node::text, mode, epoch, blind, beat, step_us, name, release, config_sha FROM cluster_nodes',
  )
  const nodes = rows.map(toNode)
  return { epoch, oldest, me: nodes.find(one => one.node === node)!, others: nodes.filter(one => one.node !== node) }
}

async function readEpoch(session: PostgresSession): Promise<LimitEpoch> {
  const [row] = await session.query<EpochRow>('SELECT epoch, identity, state, late FROM limit_epoch')
  return { ...row!, epoch: Number(row!.epoch) }
}

const toNode = ({ node, mode, epoch, blind, beat, step_us: stepUs, ...row }: NodeRow): ClusterNode => ({
  node,
  mode,
  epoch: Number(epoch),
  blind,
  beat: Number(beat),
  stepUs: Number(stepUs),
  name: row.name,
  release: row.release,
  config: row.config_sha ?? undefined,
})

async function openEpoch(
  session: PostgresSession,
  seen: LimitEpoch,
  { identity, atLeast }: NextEpoch,
): Promise<'opening' | 'changed' | 'old identity'> {
  const isOld = await session.query('SELECT 1 FROM limit_epochs WHERE identity = $1 LIMIT 1', [identity])
  if (identity !== seen.identity && isOld.length > 0) return 'old identity'
  const changed = await session.run(
    `UPDATE limit_epoch SET epoch = greatest(epoch + 1, $4), identity = $5, state = 'opening', late = false
     WHERE ${seenEpoch}`,
    [...valuesOf(seen), atLeast, identity],
  )
  if (changed === 0) return 'changed'
  await session.run('INSERT INTO limit_epochs (epoch, identity) VALUES ($1, $2)', [seen.epoch, seen.identity])
  return 'opening'
}

/** The row of the epoch is held, so that no change of epoch comes between the check and the entry. */
async function enter(
  session: PostgresSession,
  { node, instance }: NodeIdentity,
  seen: LimitEpoch,
  position: UsageCursor,
): Promise<boolean> {
  const found = await session.query(`SELECT 1 FROM limit_epoch WHERE ${seenEpoch} FOR SHARE`, valuesOf(seen))
  if (found.length === 0) return false
  const entered = await session.run(
    `UPDATE cluster_nodes SET epoch = $1, blind = false WHERE node = $2 AND instance = $3
       AND EXISTS (SELECT 1 FROM usage_position WHERE node = $2 AND position = $4)`,
    [seen.epoch, node, instance, position],
  )
  return entered > 0
}

async function readSeeds(
  pool: PostgresPool,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, readonly FoldedState[]>> {
  const rows = await pool.query<Record<string, unknown>>('SELECT * FROM limit_states WHERE subject = ANY($1)', [
    subjects,
  ])
  const states = (toNumbers(rows) as unknown as (LimitStateRow & { readonly last_us: number })[]).map(row => ({
    ...limitStateOf(row),
    lastUs: row.last_us,
  }))
  return Map.groupBy(states, ({ subject }) => subject)
}
