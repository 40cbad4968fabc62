import { basename } from 'node:path'
import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { BackupRestorer, RestoreResult } from '../../domain/backup.ts'
import type { CopyProgress } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { recordOf } from './record.ts'

/** The backup to restore. */
export interface RestoreInput {
  /** Folder of the backup. */
  readonly backup: string
  /** Renames a data folder that is not empty; otherwise such a folder is a fault. */
  readonly force: boolean
  readonly onProgress: CopyProgress
}

/** Restores the data folder from a backup and verifies it. The restored folder's audit has a line about it. */
export const restoreBackup = (
  { backups, clock }: { readonly backups: BackupRestorer; readonly clock: Clock },
  actor: Actor,
  { backup, force, onProgress }: RestoreInput,
): Promise<RestoreResult | AdminFault> =>
  backups.restore(
    backup,
    { force, record: recordOf(clock, actor, { action: 'folder.restore', target: basename(backup) }) },
    onProgress,
  )
