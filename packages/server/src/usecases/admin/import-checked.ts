import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Job } from '../../domain/job.ts'
import type { UploadedImport } from '../../domain/job-process.ts'
import { getImport } from './get-import.ts'
import { newJobId } from './new-job-id.ts'
import { describeImport } from './start-import.ts'
import { type JobStarting, startJob } from './start-job.ts'

/** Returns the dry run if its input is kept for this actor: the one who uploaded it. */
export async function findChecked(
  stores: JobStarting,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Job | AdminFault | undefined> {
  const run = await getImport(stores, actor, { id })
  if (isAdminFault(run)) return run
  const { job } = run
  const isOwn = job.actor.kind === actor.kind && job.actor.id === actor.id
  const isChecked = job.state === 'done' && isOwn && job.request.dry_run === true
  return isChecked && (await stores.processes.isKept(id)) ? job : undefined
}

/**
 * Imports the input of a dry run with the same options, and forgets the input. Returns undefined if the input is not
 * kept for this actor.
 */
export async function importChecked(
  stores: JobStarting,
  actor: Actor,
  { id, options }: { readonly id: string; readonly options: UploadedImport },
): Promise<Job | AdminFault | undefined> {
  const checked = await findChecked(stores, actor, { id })
  if (!checked || isAdminFault(checked)) return checked
  const jobId = newJobId()
  const bytes = await stores.processes.reuse(jobId, id)
  if (bytes === undefined) return undefined
  const work = { kind: 'import', import: { ...options, dryRun: false } } as const
  const job = await startJob(stores, actor, { id: jobId, work, request: describeImport(work.import, bytes) })
  await stores.processes.discard(isAdminFault(job) ? jobId : id)
  return job
}
