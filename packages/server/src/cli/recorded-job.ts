import { createJobRecorder, type JobDescription, type JobRecorder } from '../compose/job-recorder.ts'
import type { Config } from '../config/load.ts'
import { type AdminFault, adminFault, isAdminFault } from '../domain/admin-fault.ts'
import type { JobEnd } from '../domain/job.ts'
import { StoreError } from '../domain/store-errors.ts'
import { CommandError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { fileErrorText } from './file-error.ts'
import { storeErrorText } from './store-error-text.ts'

/** Variable with the id of the job that a service has added and that this process runs. */
export const jobVariable = 'PERIPLUS_JOB'

/** The work of a command that is recorded as a job. */
export interface RecordedWork<T> extends Omit<JobDescription, 'addedId'> {
  /** Does the work. It begins the job unless the service has added it. */
  readonly work: (job: JobRecorder) => Promise<T | AdminFault>
  /** Describes the result for the record. */
  readonly describe: (result: T) => Omit<JobEnd, 'state'>
}

/**
 * Runs the work of a command as a job that other processes can see and cancel. Returns its result, or throws its fault.
 */
export async function recordJob<T>(config: Config, { work, describe, ...job }: RecordedWork<T>): Promise<T> {
  const recorder = unwrapOrThrow(await createJobRecorder(config, { ...job, addedId: process.env[jobVariable] }))
  try {
    const outcome = await runRecorded(recorder, work)
    await recorder.end(isAdminFault(outcome) ? endOf({ failure: outcome }) : endOf(describe(outcome)))
    return unwrapOrThrow(outcome)
  } finally {
    await recorder.close()
  }
}

async function runRecorded<T>(recorder: JobRecorder, work: RecordedWork<T>['work']): Promise<T | AdminFault> {
  try {
    return await work(recorder)
  } catch (error) {
    if (recorder.signal.aborted) return adminFault('job_cancelled', [], {})
    await recorder.end(endOf({ failure: adminFault('job_failed', [], { detail: detailOf(error) }) })).catch(() => {
      // The error of the work is the one to report.
    })
    throw error
  }
}

const cancellations: readonly string[] = ['job_cancelled', 'import_cancelled', 'removal_cancelled']

function endOf(end: Omit<JobEnd, 'state'>): JobEnd {
  const { failure } = end
  if (!failure) return { ...end, state: 'done' }
  return { ...end, state: cancellations.includes(failure.fault) ? 'cancelled' : 'failed' }
}

function detailOf(error: unknown): string {
  if (error instanceof CommandError) return error.message
  const text = error instanceof StoreError ? storeErrorText(error) : fileErrorText(error)
  return text ?? 'An unexpected error occurred. See the output of the command.'
}
