import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeLog } from '../domain/data-stores.ts'
import { readNewestPositions } from '../feeds/newest-positions.ts'
import { dayMs } from '../kit/time.ts'
import { bulkChanges } from '../search/index/bulk-changes.ts'
import { readIndexRevision } from '../search/index/file.ts'

/** Maximum number of changes that one transaction removes. */
const batchSize = 10_000
/** Pause after each batch, in milliseconds, so that writers and the fold can continue. */
const pauseMs = 20

/** One round of pruning. */
export interface Pruning {
  readonly changes: ChangeLog
  /** Path of the search index. */
  readonly index: string
  /** Folder of the feeds. */
  readonly feeds: string
  /** Age from which a change may be removed, in days. */
  readonly keepDays: number
  /** Age from which the changes after a feed snapshot need not be kept for it, in days. */
  readonly keepDeltaDays: number
  readonly nowMs: number
  readonly signal?: AbortSignal
}

/**
 * Removes the changes that are older than `keepDays` from the change log, except those that the next feed delta or the
 * index file still needs. Returns the number of removed changes. If the store is busy, the next round continues.
 */
export async function pruneChanges(pruning: Pruning): Promise<number> {
  const { changes, keepDays, nowMs, signal } = pruning
  const keepFromSeq = await findFirstNeededSeq(pruning)
  let total = 0
  while (!signal?.aborted) {
    const result = await changes.prune({ beforeMs: nowMs - keepDays * dayMs, keepFromSeq, limit: batchSize })
    if (result === 'busy') break
    total += result.removed
    if (result.removed < batchSize) break
    await wait(pauseMs)
  }
  return total
}

/** Returns the number of the oldest change that the index or a feed still needs. */
async function findFirstNeededSeq({ changes, index, feeds, keepDeltaDays, nowMs }: Pruning): Promise<number> {
  const newest = await changes.lastSeq()
  const revision = readIndexRevision(index)
  // An index file that is further behind is rebuilt at the next start.
  const neededByIndex = revision === undefined || revision < newest - bulkChanges ? newest : revision
  return Math.min(
    newest,
    neededByIndex,
    ...readNewestPositions(feeds, nowMs - keepDeltaDays * dayMs).map(({ seq }) => seq),
  )
}
