import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Job, JobStore } from '../../domain/job.ts'
import type { Clock } from '../../kit/clock.ts'
import { getJob } from './get-job.ts'
import { recordOf } from './record.ts'

/**
 * Requests the cancellation of a job and returns the job. Its process ends it soon: an import after its current batch.
 */
export async function cancelJob(
  stores: { readonly jobs: JobStore; readonly clock: Clock },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Job | AdminFault> {
  const job = await getJob(stores, actor, { id })
  if (isAdminFault(job) || job.isCancelling) return job
  const record = recordOf(stores.clock, actor, { action: `${job.kind}.cancel`, target: id })
  const cancelled = await stores.jobs.cancel(id, record)
  if (cancelled) return cancelled
  const ended = await getJob(stores, actor, { id })
  return isAdminFault(ended) ? ended : adminFault('job_ended', ['id'], { job: id, state: ended.state })
}
