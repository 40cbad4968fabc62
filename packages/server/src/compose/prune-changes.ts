import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeLog } from '../domain/stores.ts'
import { readNewestPositions } from '../feeds/newest-positions.ts'
import { readIndexRevision } from '../search/index/file.ts'
import { bulkChanges } from '../search/keep/index-keeper.ts'

const dayMs = 86_400_000
/** Lines that one transaction removes. */
const batchLines = 10_000
/** Pause after each batch, so that writers and the fold proceed. Milliseconds. */
const pauseMs = 20

/** One round of pruning. */
export interface Pruning {
  readonly changes: ChangeLog
  /** Path of the search index. */
  readonly index: string
  /** Folder of the feeds. */
  readonly feeds: string
  /** Age from which a line may be removed, days. */
  readonly keepDays: number
  /** Age from which a feed snapshot no longer keeps the lines after it, days. */
  readonly keepDeltaDays: number
  readonly nowMs: number
  readonly signal?: AbortSignal
}

/**
 * Removes the lines of the change log that are older than `keepDays`, but for those from which the next feed delta is
 * built, or which a start reads to follow the index file. Returns the number of removed lines; what a busy store kept
 * from being removed is left for the next round.
 */
export async function pruneChanges(pruning: Pruning): Promise<number> {
  const { changes, keepDays, nowMs, signal } = pruning
  const keepFromSeq = await neededFrom(pruning)
  let total = 0
  while (!signal?.aborted) {
    const result = await changes.prune({ beforeMs: nowMs - keepDays * dayMs, keepFromSeq, limit: batchLines })
    if (result === 'busy') break
    total += result.removed
    if (result.removed < batchLines) break
    await wait(pauseMs)
  }
  return total
}

/** Returns the oldest line that the index or a feed still needs. */
async function neededFrom({ changes, index, feeds, keepDeltaDays, nowMs }: Pruning): Promise<number> {
  const newest = await changes.lastSeq()
  const revision = readIndexRevision(index)
  // An index file that is further behind is rebuilt at the next start.
  const ofIndex = revision === undefined || revision < newest - bulkChanges ? newest : revision
  return Math.min(newest, ofIndex, ...readNewestPositions(feeds, nowMs - keepDeltaDays * dayMs).map(({ seq }) => seq))
}
