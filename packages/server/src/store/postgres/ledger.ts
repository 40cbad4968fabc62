import {
  type CommittedFold,
  type Fold,
  type FoldedFile,
  type FoldedUse,
  type LastRecord,
  type Ledger,
  type NodeFiles,
  openEnd,
  type StoredState,
  type UsageRow,
} from '../../domain/ledger.ts'
import { StoreFailure } from '../../domain/store-errors.ts'
import { toUtcDay } from '../../kit/time.ts'
import { writeEvents } from '../sql/change-record.ts'
import type { SqlParams, SqlWork } from '../sql/database.ts'
import { get, run } from '../sql/database.ts'
import { readLimitStates } from '../sql/limit-states.ts'
import { readUsageFiles, usageFileColumns } from '../sql/usage-files.ts'
import { clockColumns, clockOf, lastRecordOf, type UsagePositionRow } from '../sql/usage-position.ts'
import { readUsage } from '../sql/usage-rows.ts'
import { readSpan, sumUsage } from '../sql/usage-sums.ts'
import { type EpochLock, noteEpochs } from './fold-epochs.ts'
import { foldStates, replaceStates } from './limit-states.ts'
import { locks } from './locks.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { performOn } from './sql-database.ts'

/** A consistent view of several statements. */
const snapshot = { mode: 'ISOLATION LEVEL REPEATABLE READ, READ ONLY' } as const

/** The node whose journal this process folds. */
export interface FoldingNode {
  readonly node: string
  /**
   * The instance that serves as the node; undefined if limits have never been shared, `any` for a node that does not run.
   */
  readonly instance: string | undefined
}

/**
 * Opens the ledger of all nodes. Position, files and clock are those of one node; the sums are those of all nodes.
 * `folds` has the connections of the statements of a fold, whose time is limited.
 */
export function createPostgresLedger(pool: PostgresPool, folding: FoldingNode, folds = pool): Ledger {
  const { node } = folding
  const perform = <T>(work: SqlWork<T>) => pool.use(session => performOn(session, work))
  const performShort = <T>(work: SqlWork<T>) => folds.use(session => performOn(session, work))
  const readPosition = async (): Promise<UsagePositionRow> => (await performShort(readPositionOf(node)))!
  const readFiles = () => readUsageFiles('WHERE node = @node', { node })
  return {
    position: async () => (await readPosition()).position,
    files: () => performShort(readFiles()),
    last: async () => lastRecordOf(await readPosition()),
    clock: async () => clockOf(await readPosition()),
    commit: (...piece) => commit(folds, folding, ...piece),
    markFiles: files => folds.use(session => putFiles(session, node, files)),
    slots: query => perform(readUsage('slots', query)),
    days: query => perform(readUsage('days', query)),
    sum: (...query) => pool.transaction(session => performOn(session, sumUsage(...query)), snapshot),
    span: () => perform(readSpan()),
    states: nowMs => perform(readLimitStates(nowMs)),
    readAll: () =>
      pool.transaction(async session => {
        const allTime = { fromMs: 0, toMs: openEnd }
        const read = <T>(work: SqlWork<T>) => performOn(session, work)
        return {
          position: (await read(readPositionOf(node)))!.position,
          files: await read(readFiles()),
          others: await readOthers(session, node),
          slots: await read(readUsage('slots', allTime)),
          eighths: await read(readUsage('eighths', allTime)),
          days: await read(readUsage('days', allTime)),
          states: await read(readLimitStates(0)),
        }
      }, snapshot),
    rebase: (states, nowMs, clock) =>
      pool.transaction(async session => {
        await replaceStates(session, node, states)
        await performOn(session, updateLast(node, { timeMs: nowMs, shiftMs: 0 }))
        await performOn(session, updateClock({ node, ...clockColumns(nowMs, clock) }))
      }),
  }
}

/** Returns the files of all other nodes whose journals have been folded. */
async function readOthers(session: PostgresSession, node: string): Promise<NodeFiles[]> {
  const folded = `SELECT node::text, EXISTS (SELECT 1 FROM forgotten_nodes f WHERE f.node = u.node) AS forgotten
    FROM usage_position u WHERE node <> $1 AND position <> '1:0' ORDER BY node`
  const others: NodeFiles[] = []
  for (const other of await session.query<{ node: string; forgotten: boolean }>(folded, [node])) {
    const files = await performOn(session, readUsageFiles('WHERE node = @node', { node: other.node }))
    others.push({ node: other.node, files, isForgotten: other.forgotten })
  }
  return others
}

/** Adds a node to the ledger unless it is there; file 0 of its journal never exists. */
export function* addNode(node: string): SqlWork<void> {
  yield* run("INSERT INTO usage_position (node, position) VALUES (@node, '1:0') ON CONFLICT DO NOTHING", { node })
  yield* run("INSERT INTO usage_files VALUES (@node, 0, 0, 0, NULL, 0, 'dropped') ON CONFLICT DO NOTHING", { node })
}

/** Records that no file of the journal of a node is expected any more. */
export function* dropFiles(node: string): SqlWork<void> {
  yield* run("UPDATE usage_files SET state = 'dropped' WHERE node = @node", { node })
}

const readPositionOf = (node: string) =>
  get<UsagePositionRow>('SELECT * FROM usage_position WHERE node = @node', { node })

const updateLast = (node: string, { timeMs, shiftMs }: LastRecord) =>
  run('UPDATE usage_position SET last_ms = @timeMs, last_shift_ms = @shiftMs WHERE node = @node', {
    node,
    timeMs,
    shiftMs,
  })

const updateClock = (columns: SqlParams) =>
  run(
    `UPDATE usage_position
     SET start_ms = @startMs, boot_id = @bootId, boot_us = @bootUs, behind_ms = @behindMs, ended = false
     WHERE node = @node`,
    columns,
  )

type Piece = Parameters<Ledger['commit']>

/** Time from which on a fold that found its rows locked fails, in milliseconds. */
const busyForMs = 10_000
/** Longest wait for a change of control data, in milliseconds: the row of the epoch is held meanwhile. */
const controlWaitMs = 500

/** Commits a fold. It starts again if a change of control data takes longer, so that an epoch can open in between. */
async function commit(...fold: Parameters<typeof commitOnce>): Promise<CommittedFold | 'stale'> {
  const startMs = performance.now()
  for (;;) {
    try {
      return await commitOnce(...fold)
    } catch (error) {
      const isBusy = error instanceof StoreFailure && error.kind === 'busy'
      if (!isBusy || performance.now() - startMs > busyForMs) throw error
    }
  }
}

/**
 * Commits a fold. If it must change the row of the epoch, the transaction starts again with this row for itself: of two
 * transactions that share a row, neither can change it.
 */
const commitOnce = async (
  folds: PostgresPool,
  folding: FoldingNode,
  ...piece: Piece
): Promise<CommittedFold | 'stale'> =>
  (await folds.transaction(session => addPiece(session, 'SHARE', folding, ...piece))) ??
  (await folds.transaction(session => addPiece(session, 'UPDATE', folding, ...piece)))!

/**
 * Adds a piece; undefined, with nothing changed, if this needs another lock of the epoch. The first statement after the
 * epoch moves the position, so that of two processes that fold the same piece, the second one finds it moved, and a
 * process that another has replaced as its node folds nothing. Rows are written in the order of their keys: folds of
 * two nodes never wait for each other in a circle.
 */
async function addPiece(
  session: PostgresSession,
  lock: EpochLock,
  { node, instance }: FoldingNode,
  { from, to, files, rows, states, uses, last, batches = [], epochs = new Map() }: Fold,
  eventsOf: Piece[1],
): Promise<CommittedFold | 'stale' | undefined> {
  const late = await noteEpochs(session, lock, node, epochs)
  if (late === undefined) return undefined
  const moved = await session.run(
    `UPDATE usage_position SET position = $1
     WHERE node = $2 AND position = $3 AND ($4::text = 'any' OR instance::text IS NOT DISTINCT FROM $4::text)`,
    [to, node, from, instance ?? null],
  )
  if (moved === 0) return 'stale'
  const folded = await foldStates(session, node, states)
  await addRows(session, rows)
  await putFiles(session, node, files)
  if (last) await performOn(session, updateLast(node, last))
  if (batches.length > 0)
    await session.run('DELETE FROM usage_records WHERE node = $1 AND id = ANY($2::uuid[])', [node, batches])
  // Keys and the outbox are also written by changes, which hold this lock.
  await session.exec(`SET LOCAL lock_timeout = ${controlWaitMs}`)
  await session.query('SELECT pg_advisory_xact_lock($1)', [locks.control])
  await putUses(session, uses)
  if (eventsOf) await performOn(session, writeEvents(eventsOf(inOrderOf(states, folded))))
  return { late }
}

/** Returns the stored states in the order in which a fold has them. */
function inOrderOf(states: readonly StoredState[], stored: readonly StoredState[]): StoredState[] {
  const idOf = ({ subject, bucket }: StoredState) => `${bucket} ${subject}`
  const byId = new Map(stored.map(state => [idOf(state), state]))
  return states.map(state => byId.get(idOf(state))!)
}

const rollUp = (name: string, fromMs: string) => `
  INSERT INTO usage_${name} AS known
  SELECT ${fromMs}, partner_id, key_id, operation, version, version_explicit, status, billable, sum(calls), sum(units)
  FROM piece
  GROUP BY 1, key_id, operation, version, version_explicit, status, billable, partner_id
  ORDER BY 1, key_id, operation, version, version_explicit, status, billable, partner_id
  ON CONFLICT (from_ms, key_id, operation, version, version_explicit, status, billable, partner_id)
  DO UPDATE SET calls = known.calls + excluded.calls, units = known.units + excluded.units`

const addToRollUps = `
  WITH piece AS (
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::smallint[],
      $8::smallint[], $9::bigint[], $10::bigint[]) AS piece (from_ms, partner_id, key_id, operation, version,
      version_explicit, status, billable, calls, units)
  ), by_slot AS (${rollUp('slots', 'from_ms')}
  ), by_eighth AS (${rollUp('eighths', 'from_ms - from_ms % 10800000')}
  )${rollUp('days', 'from_ms - from_ms % 86400000')}`

/** Adds rows by slot to all roll-ups. */
async function addRows(session: PostgresSession, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return
  await session.run(addToRollUps, [
    rows.map(row => row.fromMs),
    rows.map(row => row.partnerId),
    rows.map(row => row.keyId),
    rows.map(row => row.operation),
    rows.map(row => row.version),
    rows.map(row => Number(row.versionExplicit)),
    rows.map(row => row.status),
    rows.map(row => Number(row.billable)),
    rows.map(row => row.calls),
    rows.map(row => row.units),
  ])
}

const putFile = `
  INSERT INTO usage_files SELECT $1::uuid, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
    $6::bigint[], $7::text[])
  ON CONFLICT (node, file) DO UPDATE SET bytes = excluded.bytes, calls = excluded.calls, first_ms = excluded.first_ms,
    last_ms = excluded.last_ms, state = excluded.state`

/** Stores the state of files of a node's journal. */
async function putFiles(session: PostgresSession, node: string, files: readonly FoldedFile[]): Promise<void> {
  if (files.length === 0) return
  const columns = files.map(usageFileColumns)
  await session.run(putFile, [
    node,
    columns.map(one => one.file),
    columns.map(one => one.bytes),
    columns.map(one => one.calls),
    columns.map(one => one.first_ms),
    columns.map(one => one.last_ms),
    columns.map(one => one.state),
  ])
}

const putKeyUse = `
  UPDATE keys SET last_used_day = latest.day, last_used_version = latest.version
  FROM unnest($1::text[], $2::text[], $3::text[]) AS latest (key_id, day, version)
  WHERE keys.id = latest.key_id AND coalesce(last_used_day, '') <= latest.day
    AND (last_used_day IS DISTINCT FROM latest.day OR last_used_version IS DISTINCT FROM latest.version)`

const putSecretUse = `
  UPDATE key_secrets SET calls = key_secrets.calls + latest.calls, last_used_day = greatest(last_used_day, latest.day),
    last_used_ms = greatest(last_used_ms, latest.ms)
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[]) AS latest (key_id, id, calls, day, ms)
  WHERE key_secrets.key_id = latest.key_id AND key_secrets.id = latest.id`

/** Stores the latest uses of keys. Files of the journal can be folded late: an earlier day changes nothing. */
async function putUses(session: PostgresSession, uses: readonly FoldedUse[]): Promise<void> {
  if (uses.length === 0) return
  await session.run(putKeyUse, [uses.map(use => use.keyId), uses.map(use => use.day), uses.map(use => use.version)])
  const secrets = uses.flatMap(({ keyId, secrets: all }) => all.map(secret => ({ keyId, ...secret })))
  if (secrets.length === 0) return
  await session.run(putSecretUse, [
    secrets.map(one => one.keyId),
    secrets.map(one => one.id),
    secrets.map(one => one.calls),
    secrets.map(one => toUtcDay(one.latestMs)),
    secrets.map(one => one.latestMs),
  ])
}
