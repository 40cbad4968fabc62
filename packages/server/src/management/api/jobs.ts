import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { feedNames } from '../../domain/feed.ts'
import type { Job } from '../../domain/job.ts'
import { jobKinds, jobPermissions, jobStates } from '../../domain/job-kind.ts'
import { Type } from '../../kit/json-schema.ts'
import { jobSchema } from '../../resources/job.ts'
import { closedObject } from '../../resources/schema.ts'
import { cancelJob } from '../../usecases/admin/cancel-job.ts'
import { getJob } from '../../usecases/admin/get-job.ts'
import { listJobPart } from '../../usecases/admin/list-jobs.ts'
import { startBackup } from '../../usecases/admin/start-backup.ts'
import { startFeedBuild } from '../../usecases/admin/start-feed-build.ts'
import { startVerify } from '../../usecases/admin/start-verify.ts'
import { pageOf, pageQuery } from '../page.ts'
import { type ApiRequest, apiRoute } from '../route.ts'
import type { WorkStores } from '../work.ts'
import { pageOfJobs, presentJob, startedJob } from './job-answers.ts'

/** The permissions that start jobs; each reads and cancels those of its kinds. */
const starters = [...new Set(Object.values(jobPermissions))]

/** Finds a job that the token may see: any with `system:read` or `system:write`, else those that it may start. */
async function findJob(
  work: WorkStores,
  { actor, may, params }: Pick<ApiRequest<unknown, unknown>, 'actor' | 'may' | 'params'>,
): Promise<Job | AdminFault> {
  const job = await getJob(work, actor, { id: params.id! })
  if (isAdminFault(job) || may('system:read') || may('system:write') || may(jobPermissions[job.kind])) return job
  return adminFault('job_unknown', ['id'], { job: job.id })
}

const started = { status: 202, response: jobSchema } as const

/** `/jobs`, `/backups`, `/verify` and `/feeds/build` of the admin API. */
export const jobRoutes = [
  apiRoute({
    method: 'GET',
    path: '/jobs',
    operation: 'listJobs',
    summary: 'Lists imports, backups, verifications and builds of feeds, newest first.',
    permission: 'system:read',
    query: closedObject({
      ...pageQuery,
      kind: Type.Optional(Type.Enum(jobKinds)),
      state: Type.Optional(Type.Enum(jobStates)),
    }),
    response: pageOf(jobSchema),
    handler: ({ work }, { actor, query: { kind, state, ...page } }) =>
      pageOfJobs(one => listJobPart(work, actor, { ...one, ...(kind && { kind }), ...(state && { state }) }), page),
  }),
  apiRoute({
    method: 'GET',
    path: '/jobs/:id',
    operation: 'getJob',
    summary: 'Returns a job with its progress and result.',
    permission: 'system:read',
    alternatives: starters,
    response: jobSchema,
    handler: async ({ work }, request) => {
      const job = await findJob(work, request)
      return isAdminFault(job) ? job : { body: presentJob(job) }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/jobs/:id/cancel',
    operation: 'cancelJob',
    summary: 'Cancels a job. An import ends after its current batch.',
    permission: 'system:write',
    alternatives: starters,
    ...started,
    handler: async ({ work }, request) => {
      const job = await findJob(work, request)
      if (isAdminFault(job)) return job
      const permission = jobPermissions[job.kind]
      if (!request.may('system:write') && !request.may(permission))
        return adminFault('not_permitted', [], { permission })
      return startedJob(await cancelJob(work, request.actor, { id: job.id }))
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/backups',
    operation: 'listBackups',
    summary: 'Lists the jobs of backups, newest first.',
    permission: 'system:read',
    query: closedObject(pageQuery),
    response: pageOf(jobSchema),
    handler: ({ work }, { actor, query }) =>
      pageOfJobs(one => listJobPart(work, actor, { ...one, kind: 'backup' }), query),
  }),
  apiRoute({
    method: 'POST',
    path: '/backups',
    operation: 'startBackup',
    summary: 'Starts a backup into a new folder of backup.dir.',
    permission: 'system:write',
    ...started,
    handler: async ({ work }, { actor }) => startedJob(await startBackup(work, actor)),
  }),
  apiRoute({
    method: 'GET',
    path: '/verify',
    operation: 'listVerifications',
    summary: 'Lists the jobs that verified the data folder, newest first.',
    permission: 'system:read',
    query: closedObject(pageQuery),
    response: pageOf(jobSchema),
    handler: ({ work }, { actor, query }) =>
      pageOfJobs(one => listJobPart(work, actor, { ...one, kind: 'verify' }), query),
  }),
  apiRoute({
    method: 'POST',
    path: '/verify',
    operation: 'startVerify',
    summary: 'Starts a verification of the data folder.',
    permission: 'system:write',
    ...started,
    handler: async ({ work }, { actor }) => startedJob(await startVerify(work, actor)),
  }),
  apiRoute({
    method: 'POST',
    path: '/feeds/build',
    operation: 'startFeedBuild',
    summary: 'Starts a build of feeds.',
    permission: 'feeds:write',
    body: closedObject({
      kind: Type.Optional(
        Type.Enum(['full', 'delta'], { description: 'Default: a full snapshot if one is due, otherwise a delta.' }),
      ),
      feeds: Type.Optional(Type.Array(Type.Enum(feedNames), { minItems: 1, description: 'Default: all.' })),
      versions: Type.Optional(Type.Array(Type.String(), { minItems: 1, description: 'Default: all.' })),
      force: Type.Boolean({ default: false, description: 'Publishes what would be withheld.' }),
    }),
    ...started,
    handler: async ({ work }, { actor, body: { kind, feeds, versions, force } }) =>
      startedJob(await startFeedBuild(work, actor, { kind, feeds, versions, force: force === true })),
  }),
]
