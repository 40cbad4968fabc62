import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Job } from '../../domain/job.ts'
import type { FoundDecision } from '../../domain/job-process.ts'
import type { ReviewScans } from '../../domain/review-scans.ts'
import { checkOptionalTexts } from './check-texts.ts'
import { type JobStarting, startJob } from './start-job.ts'

/** Starts to hide or show all reviews that a scan has found, in a process of its own. */
export async function startModeration(
  stores: JobStarting & { readonly scans: ReviewScans },
  actor: Actor,
  { scan, action, reason: entered }: FoundDecision,
): Promise<Job | AdminFault> {
  const fault = checkOptionalTexts({ reason: entered })
  if (fault) return fault
  const found = await stores.scans.read(scan)
  if (!found) return adminFault('scan_unknown', ['scan'], { scan })
  const reason = entered?.trim() || undefined
  return startJob(stores, actor, {
    work: { kind: 'moderation', scan, action, reason },
    request: { scan, action, reviews: found.ids.length },
  })
}
