import type { Config } from '../config/load.ts'
import { type AdminFault, adminFault } from '../domain/admin-fault.ts'
import type { Backups } from '../domain/backup.ts'
import { packageVersion } from '../kit/bundled.ts'
import { backUp } from './backup.ts'
import { CopyError } from './backup-files.ts'
import { restore } from './restore.ts'

/** Makes and restores backups of a data folder. */
export const composeBackups = (config: Config): Backups => ({
  backUp: (target, progress) => withFaults(backUp(config, target, packageVersion(), progress)),
  restore: (backup, options, progress) => withFaults(restore(backup, config, options, progress)),
})

/** Returns the expected errors of a copy as faults; throws any other error. */
async function withFaults<T>(work: Promise<T>): Promise<T | AdminFault> {
  try {
    return await work
  } catch (error) {
    if (error instanceof CopyError) return error.fault
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return adminFault('disk_full', [], {})
    throw error
  }
}
