import type { Config } from '../config/load.ts'
import { type AdminFault, adminFault } from '../domain/admin-fault.ts'
import type { BackupMaker, BackupRestorer } from '../domain/backup.ts'
import { findDiskFailure } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { packageVersion } from '../kit/bundled.ts'
import { writeBackup } from './backup.ts'
import { CopyError } from './backup-files.ts'
import { restore } from './restore.ts'

/** Composes backups of the data folder of an open engine. */
export const composeBackups = (engine: Engine): BackupMaker => ({
  backUp: (target, progress) => withFaults(target, writeBackup(engine, target, packageVersion(), progress)),
})

/** Composes restoring a data folder, which no engine may have open. */
export const composeRestore = (config: Config): BackupRestorer => ({
  restore: (backup, options, progress) => withFaults(config.data, restore(backup, config, options, progress)),
})

/** Returns the expected errors of a copy to `target` as faults; throws any other error. */
async function withFaults<T>(target: string, work: Promise<T>): Promise<T | AdminFault> {
  try {
    return await work
  } catch (error) {
    if (error instanceof CopyError) return error.fault
    const failure = findDiskFailure(error)
    if (failure?.kind === 'disk_full') return adminFault('disk_full', [], { file: failure.file ?? target })
    throw error
  }
}
