import type { JobStore } from '../domain/job.ts'
import { repeat } from '../kit/repeat.ts'
import { keepUploads } from './kept-uploads.ts'

/** Interval between checks for dead jobs, in milliseconds. */
const sweepEveryMs = 60_000

/**
 * Removes the inputs of dry runs that a killed process has left in the data folder, because the management
 * thread may never start, and periodically what killed jobs have left.
 */
export function startFolderMaintenance(jobs: JobStore, onError: (error: unknown) => void): { stop(): Promise<void> } {
  keepUploads(jobs.folderOf('kept'))
  return repeat(() => jobs.sweep(), { everyMs: sweepEveryMs, onError })
}
