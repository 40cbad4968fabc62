import type { Actor } from '../../domain/actor.ts'
import type { Job, JobQuery, JobSpan, JobStore } from '../../domain/job.ts'
import type { ListPart } from '../../domain/list-order.ts'

/** Lists jobs, newest first. */
export const listJobs = (stores: { readonly jobs: JobStore }, _actor: Actor, query: JobQuery): Promise<Job[]> =>
  stores.jobs.list(query)

/** Lists a part of the jobs in an order. */
export const listJobPart = (
  stores: { readonly jobs: JobStore },
  _actor: Actor,
  span: JobSpan,
): Promise<ListPart<Job>> => stores.jobs.part(span)
