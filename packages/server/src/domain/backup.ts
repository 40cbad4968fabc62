import type { AdminFault } from './admin-fault.ts'
import type { ChangeRecord } from './change-record.ts'
import type { CopyProgress } from './stores.ts'

/** A finished backup. */
export interface BackupResult {
  readonly folder: string
  readonly files: number
  readonly bytes: number
  /** Problems of the usage ledger as user-facing messages. The data folder has the same problems. */
  readonly problems: readonly string[]
}

/** A restored data folder. */
export interface RestoreResult {
  readonly data: string
  readonly files: number
  readonly bytes: number
  /** The folder that the previous contents of the data folder were moved to. */
  readonly previousFolder?: string
}

/** Makes backups of a data folder. */
export interface BackupMaker {
  /** Copies the data folder to `target`, which must not exist. */
  backUp(target: string, progress: CopyProgress): Promise<BackupResult | AdminFault>
}

/** Restores backups of a data folder. */
export interface BackupRestorer {
  /**
   * Restores the data folder from a backup and writes `record` to it. `force` renames an existing data folder first.
   */
  restore(
    backup: string,
    options: { readonly force: boolean; readonly record: ChangeRecord },
    progress: CopyProgress,
  ): Promise<RestoreResult | AdminFault>
}
