import type { ImportReport } from '../../domain/import.ts'
import type { SyncCounts, SyncOutcome } from '../../domain/sync.ts'

const counts = ['read', 'added', 'changed', 'removed', 'rejected'] as const

/** Adds a run to the result of a sync; a failure is a sentence. */
export function countRun(
  last: SyncOutcome,
  report: ImportReport,
  nowMs: number,
  failure: string | undefined,
): SyncOutcome {
  const sums = Object.fromEntries(counts.map(name => [name, last.counts[name] + report[name]]))
  const runs = { runs: last.runs + 1, counts: sums as SyncCounts, endedMs: nowMs }
  if (failure === undefined) return { ...runs, succeededMs: nowMs, failures: 0 }
  return {
    ...runs,
    ...(last.succeededMs !== undefined && { succeededMs: last.succeededMs }),
    failures: last.failures + 1,
    failure,
  }
}

/** Longest time between two runs of a sync that fails, in milliseconds. */
const maxDelayMs = 3_600_000

/**
 * Returns the time of the next run: `everyMs` after the last one, and after each failure twice as long, up to an hour.
 */
export function nextRunMs({ endedMs, failures }: SyncOutcome, everyMs: number): number {
  if (endedMs === undefined) return 0
  const delayMs =
    failures === 0 ? everyMs : Math.max(everyMs, Math.min(maxDelayMs, everyMs * 2 ** Math.min(failures, 20)))
  return endedMs + delayMs
}
