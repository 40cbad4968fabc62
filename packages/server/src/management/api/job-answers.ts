import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type Job, type JobOrder, jobOrders } from '../../domain/job.ts'
import type { ListPart, ListSpan } from '../../domain/list-order.ts'
import { type JobResource, jobResource } from '../../resources/job.ts'
import { describeJobFailure } from '../job-failures.ts'
import { invalidCursor, type ListPageQuery, readListPage } from '../page.ts'
import type { Problem } from '../problem.ts'
import type { ApiAnswer } from '../route.ts'

/** Presents a job in the admin API. */
export const presentJob = (job: Job): JobResource => jobResource(job, describeJobFailure)

/** Returns the answer to the request that started a job. */
export const startedJob = (job: Job | AdminFault): ApiAnswer<JobResource> | AdminFault =>
  isAdminFault(job) ? job : { body: presentJob(job), location: `/jobs/${job.id}` }

/** Returns a page of jobs, and the cursor of the next one; a problem for a cursor that no page has sent. */
export async function pageOfJobs(
  read: (span: ListSpan<JobOrder>) => Promise<ListPart<Job>>,
  query: ListPageQuery,
): Promise<{ body: { data: JobResource[]; next: string | null } } | Problem> {
  const found = await readListPage(jobOrders, read, query)
  return found ? { body: { ...found, data: found.data.map(presentJob) } } : invalidCursor()
}
