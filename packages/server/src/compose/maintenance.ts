import type { Engine } from '../domain/stores.ts'
import type { SessionTerms } from '../identity/sessions.ts'
import { repeat } from '../kit/repeat.ts'
import { hourMs } from '../kit/time.ts'
import { findLazyBlobs } from './lazy-blobs.ts'
import { pruneAudit } from './prune-audit.ts'
import { type Pruning, pruneChanges } from './prune-changes.ts'
import { removeOldUploads } from './shared-uploads.ts'

/** Interval between checks for unfinished erasures and old inputs, in milliseconds; R-47 allows an hour. */
const cleanEveryMs = 60_000
/** Interval between prunings of the change log, the audit and sessions, in milliseconds. */
const pruneEveryMs = hourMs

export interface MaintenanceOptions extends Pick<Pruning, 'index' | 'feeds' | 'keepDays' | 'keepDeltaDays'> {
  /** Age from which lines of the audit are removed, in days. */
  readonly keepAuditDays: number
  /** The terms by which sessions end. */
  readonly sessions: SessionTerms
  /** Place of the blobs, from which old inputs of dry runs are removed; undefined without blobs. */
  readonly blobs: string | undefined
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

/**
 * Periodically finishes erasures, removes old inputs of dry runs, and prunes the change log, the audit,
 * and sessions and links that have ended. Call it in a thread that serves no requests.
 */
export function startMaintenance(
  { upkeep, changes, audit, people }: Engine,
  { nowMs, onError, keepAuditDays, sessions, blobs: place, ...pruning }: MaintenanceOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const cleanUp = async () => {
    if ((await upkeep.pendingCleanups()).length > 0) await upkeep.cleanUp()
  }
  const blobs = findLazyBlobs({ blobs: place })
  const prune = () => pruneChanges({ ...pruning, changes, nowMs: nowMs(), signal: stopping.signal })
  const pruneLines = () => pruneAudit(audit, { keepDays: keepAuditDays, nowMs: nowMs(), signal: stopping.signal })
  const prunePeople = () => {
    const at = nowMs()
    return people.prune({ nowMs: at, seenBeforeMs: at - sessions.idleMs, createdBeforeMs: at - sessions.maxMs })
  }
  const tasks = [
    repeat(cleanUp, { everyMs: cleanEveryMs, onError }),
    ...(blobs ? [repeat(() => removeOldUploads(blobs, nowMs()), { everyMs: cleanEveryMs, onError })] : []),
    repeat(prune, { everyMs: pruneEveryMs, onError }),
    repeat(pruneLines, { everyMs: pruneEveryMs, onError }),
    repeat(prunePeople, { everyMs: pruneEveryMs, onError }),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(tasks.map(task => task.stop()))
    },
  }
}
