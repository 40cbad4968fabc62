import type { Engine } from '../domain/stores.ts'
import { repeat } from '../kit/repeat.ts'
import { pruneAudit } from './prune-audit.ts'
import { type Pruning, pruneChanges } from './prune-changes.ts'

/** Interval between checks for unfinished erasures, in milliseconds; R-47 allows an hour. */
const cleanEveryMs = 60_000
/** Interval between prunings of the change log and the audit, in milliseconds. */
const pruneEveryMs = 3_600_000

export interface MaintenanceOptions extends Pick<Pruning, 'index' | 'feeds' | 'keepDays' | 'keepDeltaDays'> {
  /** Age from which lines of the audit are removed, in days. */
  readonly keepAuditDays: number
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

/** Periodically finishes erasures, and prunes the change log and the audit. Call it in a thread that serves no requests. */
export function startMaintenance(
  { upkeep, changes, audit }: Engine,
  { nowMs, onError, keepAuditDays, ...pruning }: MaintenanceOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const cleanUp = async () => {
    if ((await upkeep.pendingCleanups()).length > 0) await upkeep.cleanUp()
  }
  const prune = () => pruneChanges({ ...pruning, changes, nowMs: nowMs(), signal: stopping.signal })
  const pruneLines = () => pruneAudit(audit, { keepDays: keepAuditDays, nowMs: nowMs(), signal: stopping.signal })
  const tasks = [
    repeat(cleanUp, { everyMs: cleanEveryMs, onError }),
    repeat(prune, { everyMs: pruneEveryMs, onError }),
    repeat(pruneLines, { everyMs: pruneEveryMs, onError }),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(tasks.map(task => task.stop()))
    },
  }
}
