import { setTimeout as wait } from 'node:timers/promises'
import type { AuditLog } from '../domain/audit-log.ts'
import { dayMs } from '../kit/time.ts'

/** Maximum number of lines that one transaction removes. */
const batchSize = 1000
/** Pause after each batch, in milliseconds, so that changes of keys can continue. */
const pauseMs = 20

/** Removes the lines of the audit that are older than `keepDays`, and returns their number. */
export async function pruneAudit(
  audit: AuditLog,
  { keepDays, nowMs, signal }: { readonly keepDays: number; readonly nowMs: number; readonly signal?: AbortSignal },
): Promise<number> {
  for (let total = 0; ; await wait(pauseMs)) {
    const removed = await audit.prune(nowMs - keepDays * dayMs, batchSize)
    total += removed
    if (removed < batchSize || signal?.aborted) return total
  }
}
