import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { BackupMaker, BackupResult } from '../../domain/backup.ts'
import type { CopyProgress } from '../../domain/stores.ts'

/** Makes a verified, consistent backup of the data folder. A service and imports may be running. */
export const backUp = (
  { backups }: { readonly backups: BackupMaker },
  _actor: Actor,
  { target, onProgress }: { readonly target: string; readonly onProgress: CopyProgress },
): Promise<BackupResult | AdminFault> => backups.backUp(target, onProgress)
