import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { ImportSurvey } from '../../domain/import-survey.ts'
import type { Job, JobStore, RejectsOfRun } from '../../domain/job.ts'

/** An import with its rejected rows by input. */
export interface ImportRun {
  readonly job: Job
  readonly rejects: readonly RejectsOfRun[]
  /** Undefined without places, and before the end of the import. */
  readonly survey: ImportSurvey | undefined
}

/** Returns the run of an import. */
export async function getImport(
  { jobs }: { readonly jobs: JobStore },
  _actor: Actor,
  { id }: { readonly id: string },
): Promise<ImportRun | AdminFault> {
  const job = await jobs.find(id)
  if (job?.kind !== 'import') return adminFault('import_unknown', ['id'], { import: id })
  return { job, rejects: await jobs.rejects(id), survey: await jobs.survey(id) }
}
