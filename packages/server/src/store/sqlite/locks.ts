import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ReplacedFile } from '../../domain/store-errors.ts'
import type { LockName, Locks } from '../../domain/stores.ts'
import { holdLock, isLockHeld, neverLost } from '../folder/lock.ts'
import type { SqliteFiles } from './files.ts'

/** Creates locks that are files in the data folder. */
export function createSqliteLocks(
  { importLock, feedsLock, serveLock }: SqliteFiles,
  onReplaced: (replaced: ReplacedFile) => void,
): Locks {
  const files: Readonly<Record<LockName, string>> = { import: importLock, feeds: feedsLock, serve: serveLock }
  return {
    hold: async (name, message) => {
      mkdirSync(dirname(files[name]), { recursive: true })
      const lock = holdLock(files[name], message)
      if (lock.replaced) onReplaced(lock.replaced)
      return { lost: neverLost, release: async () => lock.release() }
    },
    isHeld: async name => isLockHeld(files[name]),
  }
}
