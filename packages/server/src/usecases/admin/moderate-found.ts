import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { FoundDecision } from '../../domain/job-process.ts'
import type { Moderation } from '../../domain/moderation.ts'
import type { ReviewScans } from '../../domain/review-scans.ts'
import { hideReview } from './hide-review.ts'
import { showReview } from './show-review.ts'

/** The decision, and what observes its execution. */
export interface DecisionRun extends FoundDecision {
  /** Called after each review. */
  readonly onDone: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** Result of a decision about the reviews that a scan has found. */
export interface ModeratedFound {
  readonly found: number
  /** Number of reviews whose state has changed; the others were decided, erased or removed before. */
  readonly changed: number
}

/** Hides or shows all reviews that a scan has found. A cancelled run keeps what it has done. */
export async function moderateFound(
  { moderation, scans }: { readonly moderation: Moderation; readonly scans: ReviewScans },
  actor: Actor,
  { scan, action, reason, onDone, signal }: DecisionRun,
): Promise<ModeratedFound | AdminFault> {
  const result = await scans.read(scan)
  if (!result) return adminFault('scan_unknown', ['scan'], { scan })
  const decide = action === 'hide' ? hideReview : showReview
  let changed = 0
  for (const [done, id] of result.ids.entries()) {
    signal.throwIfAborted()
    const outcome = await decide(moderation, actor, { id, reason })
    if (!isAdminFault(outcome) && outcome.changed) changed++
    onDone(done + 1, result.ids.length)
  }
  return { found: result.ids.length, changed }
}
