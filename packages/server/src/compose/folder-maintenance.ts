import type { Engine } from '../domain/stores.ts'
import { repeat } from '../kit/repeat.ts'
import { keepUploads } from './kept-uploads.ts'
import { moveOldRejects, type OwnRejects } from './shared-rejects.ts'

/** Interval between checks for dead jobs and old files, in milliseconds. */
const sweepEveryMs = 60_000

export interface FolderMaintenance {
  /** The rejected rows of a node that shares them; undefined without blobs, where they are kept. */
  readonly rejects: Omit<OwnRejects, 'jobs'> | undefined
  readonly onError: (error: unknown) => void
}

/**
 * Removes the inputs of dry runs that a killed process has left in the data folder, because the management
 * thread may never start, and periodically what killed jobs have left, and rejected rows that nodes share.
 */
export function startFolderMaintenance(
  { jobs, locks }: Pick<Engine, 'jobs' | 'locks'>,
  { rejects, onError }: FolderMaintenance,
): { stop(): Promise<void> } {
  keepUploads(jobs.folderOf('kept'))
  const sweep = async () => {
    await jobs.sweep()
    if (rejects && !(await locks.isHeld('import'))) await moveOldRejects({ ...rejects, jobs }, Date.now())
  }
  return repeat(sweep, { everyMs: sweepEveryMs, onError })
}
