import type { Config } from '../config/load.ts'
import { type AdminFault, adminFault } from '../domain/admin-fault.ts'
import type { BackupMaker, BackupRestorer } from '../domain/backup.ts'
import type { Engine } from '../domain/stores.ts'
import { packageVersion } from '../kit/bundled.ts'
import { backUp } from './backup.ts'
import { CopyError } from './backup-files.ts'
import { restore } from './restore.ts'

/** Composes backups of the data folder of an open engine. */
export const composeBackups = (engine: Engine): BackupMaker => ({
  backUp: (target, progress) => withFaults(backUp(engine, target, packageVersion(), progress)),
})

/** Composes restoring a data folder, which no engine may have open. */
export const composeRestore = (config: Config): BackupRestorer => ({
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
