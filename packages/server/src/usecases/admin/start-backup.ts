import { join } from 'node:path'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Job } from '../../domain/job.ts'
import { type JobStarting, startJob } from './start-job.ts'

/** Starts a backup into a new folder of `backupDir`, whose name is the time. */
export async function startBackup(
  stores: JobStarting & { readonly backupDir: string | undefined; readonly isDatabase: boolean },
  actor: Actor,
): Promise<Job | AdminFault> {
  if (stores.isDatabase) return adminFault('backup_of_database', [], {})
  if (stores.backupDir === undefined) return adminFault('backup_folder_unset', [], {})
  const name = `periplus-${new Date(stores.clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')}`
  const folder = join(stores.backupDir, name)
  return startJob(stores, actor, { work: { kind: 'backup', folder }, request: { folder: name } })
}
