import type { Engine } from '../domain/stores.ts'
import { repeat } from '../kit/repeat.ts'
import { type Pruning, pruneChanges } from './prune-changes.ts'

/** Interval between checks for unfinished erasures, in milliseconds; R-47 allows an hour. */
const cleanEveryMs = 60_000
/** Interval between prunings of the change log, in milliseconds. */
const pruneEveryMs = 3_600_000

export interface MaintenanceOptions extends Pick<Pruning, 'index' | 'feeds' | 'keepDays' | 'keepDeltaDays'> {
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

/** Periodically finishes erasures and prunes the change log. Call it in a thread that serves no requests. */
export function startMaintenance(
  { upkeep, changes }: Engine,
  { nowMs, onError, ...pruning }: MaintenanceOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const cleanUp = async () => {
    if ((await upkeep.pendingCleanups()).length > 0) await upkeep.cleanUp()
  }
  const prune = () => pruneChanges({ ...pruning, changes, nowMs: nowMs(), signal: stopping.signal })
  const tasks = [repeat(cleanUp, { everyMs: cleanEveryMs, onError }), repeat(prune, { everyMs: pruneEveryMs, onError })]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(tasks.map(task => task.stop()))
    },
  }
}
