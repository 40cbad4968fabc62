import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Job } from '../../domain/job.ts'
import type { RequestedBuild } from '../../domain/job-process.ts'
import type { FeedVersion } from '../../domain/lifecycle.ts'
import { toJsonObject } from '../../kit/to-json.ts'
import { type JobStarting, startJob } from './start-job.ts'

/** Starts a build of feeds in a process of its own. */
export async function startFeedBuild(
  stores: JobStarting & { readonly feedVersions: readonly FeedVersion[] },
  actor: Actor,
  build: RequestedBuild,
): Promise<Job | AdminFault> {
  const implemented = stores.feedVersions.filter(one => one.isImplemented).map(one => one.name)
  const unknown = build.versions?.find(name => !implemented.includes(name))
  if (unknown !== undefined)
    return adminFault('version_unknown', ['version'], { version: unknown, versions: implemented })
  return startJob(stores, actor, { work: { kind: 'feeds', build }, request: toJsonObject(build) })
}
