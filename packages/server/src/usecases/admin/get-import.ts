import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Job, JobStore, RejectsOfRun } from '../../domain/job.ts'

/** An import with its rejected rows by input. */
export interface ImportRun {
  readonly job: Job
  readonly rejects: readonly RejectsOfRun[]
}

/** Returns the run of an import. */
export async function getImport(
  { jobs }: { readonly jobs: JobStore },
  _actor: Actor,
  { id }: { readonly id: string },
): Promise<ImportRun | AdminFault> {
  const job = await jobs.find(id)
  if (job?.kind !== 'import') return adminFault('import_unknown', ['id'], { import: id })
  return { job, rejects: await jobs.rejects(id) }
}
