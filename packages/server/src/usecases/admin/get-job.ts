import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Job, JobStore } from '../../domain/job.ts'

/** Returns a job. */
export async function getJob(
  { jobs }: { readonly jobs: JobStore },
  _actor: Actor,
  { id }: { readonly id: string },
): Promise<Job | AdminFault> {
  return (await jobs.find(id)) ?? adminFault('job_unknown', ['id'], { job: id })
}
