import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Job } from '../../domain/job.ts'
import { type JobResource, jobResource } from '../../resources/job.ts'
import { describeJobFailure } from '../job-failures.ts'
import { fromCursor, toCursor } from '../page.ts'
import type { ApiAnswer } from '../route.ts'

/** Presents a job in the admin API. */
export const presentJob = (job: Job): JobResource => jobResource(job, describeJobFailure)

/** Returns the answer to the request that started a job. */
export const startedJob = (job: Job | AdminFault): ApiAnswer<JobResource> | AdminFault =>
  isAdminFault(job) ? job : { body: presentJob(job), location: `/jobs/${job.id}` }

/** Returns a page of jobs, and the cursor of the next one. */
export async function pageOfJobs(
  list: (query: { limit: number; after?: string }) => Promise<Job[]>,
  { limit = 50, after }: { readonly limit?: number; readonly after?: string },
): Promise<{ body: { data: JobResource[]; next: string | null } }> {
  // One more shows that there is a next page.
  const jobs = await list({ limit: limit + 1, ...(after !== undefined && { after: fromCursor(after) }) })
  const data = jobs.slice(0, limit)
  return { body: { data: data.map(presentJob), next: jobs.length > limit ? toCursor(data.at(-1)!.id) : null } }
}
