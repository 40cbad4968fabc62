import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Job } from '../../domain/job.ts'
import type { ScanQuery } from '../../domain/review-list.ts'
import type { ReviewScans } from '../../domain/review-scans.ts'
import type { JsonObject } from '../../kit/json.ts'
import { checkTexts } from './check-texts.ts'
import { newJobId } from './new-job-id.ts'
import { type JobStarting, startJob } from './start-job.ts'

/** Starts a scan of all reviews for a user, a text or both, in a process of its own. */
export async function startReviewScan(
  stores: JobStarting & { readonly scans: ReviewScans },
  actor: Actor,
  query: ScanQuery,
): Promise<Job | AdminFault> {
  const fault = checkScan(query)
  if (fault) return fault
  const id = newJobId()
  await stores.scans.create(id, query)
  const job = await startJob(stores, actor, { id, work: { kind: 'scan' }, request: describeScan(query) })
  if (isAdminFault(job)) await stores.scans.remove(id)
  return job
}

/** Returns the fault of a scan without a query, or with one that nothing can match. */
export function checkScan({ user, text }: ScanQuery): AdminFault | undefined {
  if (user === undefined) return checkTexts({ text: text ?? '' })
  if (!/^[^:]+:.{1,500}$/s.test(user)) return adminFault('reviewer_invalid', ['user'], { reviewer: user })
  return checkTexts({ text })
}

/** Returns the request that the job of a scan records, which names neither user nor text. */
export const describeScan = ({ state, user, text }: ScanQuery): JsonObject => ({
  state,
  by: [...(user === undefined ? [] : ['user']), ...(text === undefined ? [] : ['text'])],
})
