import type { RefusalHour } from '../../domain/refusal-hours.ts'
import type { LoggedPart, RequestLogBounds, RequestLogWriter } from '../../domain/request-log.ts'
import { dayMs, hourMs } from '../../kit/time.ts'
import { keptPeaksMs, keptSecondsMs, type SecondCount, SecondCounts } from '../rows/second-counts.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { type RequestBlock, toBlocks } from './request-blocks.ts'

/** Approximate size of a block in the table and its indexes, in bytes, without calls and kinds. */
const blockBytes = 350
/** Maximum number of blocks that one transaction deletes. */
const blocksPerBatch = 2000

/** Opens the request log for what a node has in its journal. */
export const createPostgresRequestLogWriter = (pool: PostgresPool, node: string): RequestLogWriter => ({
  files: async () => {
    const rows = await pool.query<{ file: bigint; bytes: bigint; complete: boolean }>(
      'SELECT file, bytes, complete FROM request_files WHERE node = $1',
      [node],
    )
    const files = rows.map(({ file, bytes, complete }) => ({ file: Number(file), bytes: Number(bytes), complete }))
    return new Map(files.map(file => [file.file, file]))
  },
  add: part => pool.transaction(session => addPart(session, node, part)),
  addRefusals: rows => addRefusals(pool, rows),
  prune: bounds => prune(pool, bounds),
  close: async () => {},
})

/** Adds calls and the points after them. Rows that nodes share are written in the order of their keys. */
async function addPart(session: PostgresSession, node: string, { calls, files, countedToMs }: LoggedPart) {
  const blocks = toBlocks(calls)
  if (blocks.length > 0) await addBlocks(session, blocks)
  const seconds = new SecondCounts()
  for (const call of calls) seconds.add(call)
  const counts = seconds.take()
  if (counts.length > 0) await addSeconds(session, counts)
  if (files.length > 0)
    await session.run(
      `INSERT INTO request_files SELECT $1::uuid, * FROM unnest($2::bigint[], $3::bigint[], $4::boolean[])
       ON CONFLICT (node, file) DO UPDATE SET bytes = excluded.bytes, complete = excluded.complete`,
      [node, files.map(({ file }) => file), files.map(({ bytes }) => bytes), files.map(({ complete }) => complete)],
    )
  if (countedToMs !== undefined)
    await session.run(
      `INSERT INTO request_nodes VALUES ($1, $2)
       ON CONFLICT (node) DO UPDATE SET counted_to_ms = excluded.counted_to_ms`,
      [node, Math.floor(countedToMs)],
    )
}

async function addBlocks(session: PostgresSession, blocks: readonly RequestBlock[]): Promise<void> {
  const kinds = blocks.map(block => JSON.stringify(block.kinds))
  const listOf = (pick: (kind: RequestBlock['kinds'][number]) => string | number | null) =>
    blocks.map(block => JSON.stringify([...new Set(block.kinds.map(pick).filter(value => value !== null))]))
  const fromJson = (list: string, type: string) => `ARRAY(SELECT value::${type} FROM json_array_elements_text(${list}))`
  await session.run(
    `INSERT INTO request_blocks (key_id, partner_id, from_ms, to_ms, operations, statuses, faults, kinds, calls)
     SELECT key_id, partner_id, from_ms, to_ms, ${fromJson('operations', 'text')}, ${fromJson('statuses', 'smallint')},
       ${fromJson('faults', 'text')}, kinds, calls
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::json[], $6::json[], $7::json[], $8::text[],
       $9::bytea[]) AS block (key_id, partner_id, from_ms, to_ms, operations, statuses, faults, kinds, calls)`,
    [
      blocks.map(({ key }) => key),
      blocks.map(({ partner }) => partner),
      blocks.map(({ fromMs }) => fromMs),
      blocks.map(({ toMs }) => toMs),
      listOf(([operation]) => operation),
      listOf(([, , , status]) => status),
      listOf(([, , , , , fault]) => fault),
      kinds,
      blocks.map(({ calls }) => calls),
    ],
  )
  const hours = new Map<number, number>()
  for (const [i, { toMs, calls }] of blocks.entries()) {
    const hour = toMs - (toMs % hourMs)
    hours.set(hour, (hours.get(hour) ?? 0) + blockBytes + calls.length + kinds[i]!.length)
  }
  const ordered = [...hours].sort(([a], [b]) => a - b)
  await session.run(
    `INSERT INTO request_hours AS known SELECT * FROM unnest($1::bigint[], $2::bigint[])
     ON CONFLICT (hour_ms) DO UPDATE SET bytes = known.bytes + excluded.bytes`,
    [ordered.map(([hour]) => hour), ordered.map(([, bytes]) => bytes)],
  )
}

/** Adds counts of seconds, and keeps the second of each day with the most; counts only grow. */
async function addSeconds(session: PostgresSession, counts: readonly SecondCount[]): Promise<void> {
  await session.run(
    `WITH added AS (
       INSERT INTO request_seconds AS known
       SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
         AS one (subject, bucket, second_ms, calls)
       ORDER BY subject COLLATE "C", bucket COLLATE "C", second_ms
       ON CONFLICT (subject, bucket, second_ms) DO UPDATE SET calls = known.calls + excluded.calls
       RETURNING subject, bucket, second_ms, calls
     )
     INSERT INTO request_peaks AS known
     SELECT DISTINCT ON (subject, bucket, day_ms)
       subject, bucket, second_ms - second_ms % ${dayMs} AS day_ms, second_ms, calls
     FROM added ORDER BY subject, bucket, day_ms, calls DESC, second_ms
     ON CONFLICT (subject, bucket, day_ms) DO UPDATE SET second_ms = excluded.second_ms, calls = excluded.calls
     WHERE excluded.calls > known.calls`,
    [
      counts.map(({ subject }) => subject),
      counts.map(({ bucket }) => bucket),
      counts.map(({ secondMs }) => secondMs),
      counts.map(({ calls }) => calls),
    ],
  )
}

async function addRefusals(pool: PostgresPool, rows: readonly RefusalHour[]): Promise<void> {
  await pool.run(
    `INSERT INTO request_refusals AS known
     SELECT key_id, max(partner_id), hour_ms, code, version, sum(calls), max(last_ms)
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
       AS one (key_id, partner_id, hour_ms, code, version, calls, last_ms)
     GROUP BY key_id, hour_ms, code, version
     ORDER BY key_id COLLATE "C", hour_ms, code COLLATE "C", version COLLATE "C"
     ON CONFLICT (key_id, hour_ms, code, version)
     DO UPDATE SET calls = known.calls + excluded.calls, last_ms = greatest(known.last_ms, excluded.last_ms)`,
    [
      rows.map(({ keyId }) => keyId),
      rows.map(({ partnerId }) => partnerId),
      rows.map(({ hourMs: hour }) => hour),
      rows.map(({ code }) => code),
      rows.map(({ version }) => version),
      rows.map(({ calls }) => calls),
      rows.map(({ lastMs }) => lastMs),
    ],
  )
}

/** Deletes a batch of what has expired, or of the oldest hours above the size; any node may do so. */
async function prune(pool: PostgresPool, { beforeMs, maxBytes }: RequestLogBounds): Promise<boolean> {
  const untilMs = Math.max(Math.floor(beforeMs), await findExcess(pool, maxBytes))
  const blocks = await pool.run(
    `DELETE FROM request_blocks WHERE (to_ms, no) IN
       (SELECT to_ms, no FROM request_blocks WHERE to_ms < $1 ORDER BY to_ms, no LIMIT ${blocksPerBatch})`,
    [untilMs],
  )
  if (blocks === blocksPerBatch) return true
  await pool.run('DELETE FROM request_hours WHERE hour_ms <= $1', [untilMs - hourMs])
  await pool.run('DELETE FROM request_refusals WHERE hour_ms < $1', [Math.floor(beforeMs)])
  await pool.run(
    'DELETE FROM request_seconds WHERE second_ms < (SELECT max(counted_to_ms) FROM request_nodes) - $1::bigint',
    [keptSecondsMs],
  )
  await pool.run(
    'DELETE FROM request_peaks WHERE day_ms < least($1, (SELECT max(counted_to_ms) FROM request_nodes) - $2::bigint)',
    [Math.floor(beforeMs) - dayMs, keptPeaksMs + dayMs],
  )
  return blocks > 0
}

/** Returns the end of the oldest hours that are more than `maxBytes` with the later ones; 0 if all fit. */
async function findExcess(pool: PostgresPool, maxBytes: number): Promise<number> {
  const [row] = await pool.query<{ ms: bigint | null }>(
    `SELECT max(hour_ms) AS ms
     FROM (SELECT hour_ms, sum(bytes) OVER (ORDER BY hour_ms DESC) AS bytes FROM request_hours) AS sums
     WHERE bytes > $1`,
    [maxBytes],
  )
  return row!.ms === null ? 0 : Number(row!.ms) + hourMs
}
