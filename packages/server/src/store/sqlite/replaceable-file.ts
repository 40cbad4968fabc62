import { renameSync, rmSync, statSync } from 'node:fs'
import { type ReplacedFile, StoreFailure } from '../../domain/store-errors.ts'
import type { ConnectionOptions } from '../connection.ts'
import { damagedName } from '../folder/damaged-name.ts'

/** Callbacks of a store file without irreplaceable contents. */
export interface ReplaceableOptions extends Pick<ConnectionOptions, 'onFailure'> {
  /** Called after a damaged file was replaced. */
  readonly onReplaced: (replaced: ReplacedFile) => void
}

/** Suffixes of the files that SQLite keeps next to a database. */
export const companionSuffixes = ['-wal', '-shm', '-journal'] as const

/** Runs `work`; if it finds the file damaged, returns the result of `otherwise`. */
export function unlessDamaged<T>(work: () => T, otherwise: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === 'damaged') return otherwise()
    throw error
  }
}

/** Renames a damaged file without irreplaceable contents, and removes its companions. */
export function renameDamaged(file: string, onReplaced: (replaced: ReplacedFile) => void): void {
  const renamedTo = damagedName(file)
  renameSync(file, renamedTo)
  removeCompanions(file)
  onReplaced({ file, renamedTo })
}

/** Removes what SQLite kept next to a file that is gone. */
export function removeCompanions(file: string): void {
  for (const suffix of companionSuffixes) rmSync(file + suffix, { recursive: true, force: true })
}

/** Returns the inode of a file, which distinguishes a deleted file from its successor; undefined if it is missing. */
export const readInode = (file: string): bigint | undefined =>
  statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
