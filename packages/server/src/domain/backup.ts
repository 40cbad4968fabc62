import type { AdminFault } from './admin-fault.ts'
import type { CopyProgress } from './stores.ts'

/** A finished backup. */
export interface BackupResult {
  readonly folder: string
  readonly files: number
  readonly bytes: number
  /** Problems of the usage ledger that `verify` reports, one sentence each. The data folder has the same ones. */
  readonly problems: readonly string[]
}

/** A data folder that was made from a backup. */
export interface RestoreResult {
  readonly data: string
  readonly files: number
  readonly bytes: number
  /** The folder that the previous contents of the data folder were moved to. */
  readonly previousFolder?: string
}

/** Copies of a data folder. */
export interface Backups {
  /** Copies the data folder to `target`, which must not exist. */
  backUp(target: string, progress: CopyProgress): Promise<BackupResult | AdminFault>
  /** Makes the data folder from a backup. `force` moves its previous contents to another folder. */
  restore(
    backup: string,
    options: { readonly force: boolean },
    progress: CopyProgress,
  ): Promise<RestoreResult | AdminFault>
}
