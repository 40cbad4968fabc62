import type { RequestLogBounds } from '../../domain/request-log.ts'
import type { Sqlite } from '../connection.ts'
import { type BlockRow, maxRows, maxSpanMs, trimBlock } from '../rows/request-log-blocks.ts'
import { createPeakPruning } from './request-log-rates.ts'

/** Maximum number of rows that one transaction deletes: about 20 ms. */
const rowsPerBatch = 5000

/** Part of the time span of the log that is deleted when it is too large. */
const spanPart = 0.05

/**
 * Returns a function that deletes a batch of expired or excess rows, and returns false if nothing is left to delete.
 */
export function createRequestLogPruning(db: Sqlite): (bounds: RequestLogBounds) => boolean {
  const keys = db.prepare<[], number>('SELECT no FROM keys ORDER BY no').pluck()
  const span = db.prepare<[], { oldest: number | null; newest: number | null }>(
    `SELECT (
       SELECT min(oldest) FROM (
         SELECT (SELECT time_ms FROM calls c WHERE c.key_no = k.no ORDER BY time_ms LIMIT 1) AS oldest FROM keys k
         UNION ALL SELECT (SELECT from_ms FROM blocks b WHERE b.key_no = k.no ORDER BY to_ms LIMIT 1) FROM keys k)
     ) AS oldest, (SELECT max(last_ms) FROM keys) AS newest`,
  )
  const remove = db.prepare(
    `DELETE FROM calls WHERE (key_no, time_ms, id) IN
     (SELECT key_no, time_ms, id FROM calls WHERE key_no = ? AND time_ms < ? ORDER BY time_ms, id LIMIT ?)`,
  )
  const removeBlocks = db.prepare(
    'DELETE FROM blocks WHERE no IN (SELECT no FROM blocks WHERE key_no = ? AND to_ms < ? ORDER BY to_ms LIMIT ?)',
  )
  const findPartial = db.prepare<[number, number, number, number], BlockRow & { readonly no: number }>(
    'SELECT no, from_ms, to_ms, calls FROM blocks WHERE key_no = ? AND to_ms BETWEEN ? AND ? AND from_ms < ?',
  )
  const replace = db.prepare<[number, Buffer, number]>('UPDATE blocks SET from_ms = ?, calls = ? WHERE no = ?')
  const removeGroups = db.prepare<[number, number]>(
    `DELETE FROM block_groups WHERE group_no IN (SELECT no FROM call_groups WHERE key_no = ?)
       AND to_ms < coalesce((SELECT min(to_ms) FROM blocks WHERE key_no = ?), ${Number.MAX_SAFE_INTEGER})`,
  )
  const removeServed = (key: number, beforeMs: number, limit: number): number => {
    const removed = removeBlocks.run(key, beforeMs, limit).changes
    if (removed > 0) removeGroups.run(key, key)
    const partial = findPartial.all(key, beforeMs, beforeMs + maxSpanMs, beforeMs)
    for (const block of partial) {
      const { from_ms, calls } = trimBlock(block, beforeMs)
      replace.run(from_ms, calls, block.no)
    }
    return (removed + partial.length) * maxRows
  }
  const removeRefusals = db.prepare('DELETE FROM refusals WHERE hour_ms < ?')
  const newest = db.prepare<[], number | null>('SELECT max(last_ms) FROM keys').pluck()
  const removePeaks = createPeakPruning(db)
  const removeBefore = db.transaction((beforeMs: number): number => {
    let removed = removeRefusals.run(beforeMs).changes + removePeaks(newest.get() ?? 0, beforeMs)
    for (const key of keys.all()) {
      if (removed >= rowsPerBatch) break
      removed += remove.run(key, beforeMs, rowsPerBatch - removed).changes
      removed += removeServed(key, beforeMs, Math.ceil(rowsPerBatch / maxRows))
    }
    return removed
  }).immediate
  const pragma = (name: string) => db.pragma(name, { simple: true }) as number
  const usedBytes = () => (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
  /** End of the oldest part, while more than `maxBytes` are used. */
  let excessBeforeMs = 0
  return ({ beforeMs, maxBytes }) => {
    if (usedBytes() > maxBytes) {
      const { oldest, newest } = span.get()!
      if (oldest !== null && oldest >= excessBeforeMs)
        excessBeforeMs = oldest + Math.max(1, Math.ceil((newest! - oldest) * spanPart))
    } else excessBeforeMs = 0
    const removed = removeBefore(Math.max(beforeMs, excessBeforeMs))
    if (removed > 0) db.pragma('incremental_vacuum')
    return removed > 0
  }
}
