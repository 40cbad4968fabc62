import type { Actor } from '../../domain/actor.ts'
import type { Job, JobQuery, JobStore } from '../../domain/job.ts'

/** Lists jobs, newest first. */
export const listJobs = (stores: { readonly jobs: JobStore }, _actor: Actor, query: JobQuery): Promise<Job[]> =>
  stores.jobs.list(query)
