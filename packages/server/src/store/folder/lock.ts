import { existsSync, ftruncateSync, mkdirSync, openSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { LockHeld, type ReplacedFile, StoreFailure } from '../../domain/store-errors.ts'
import { connect, type Sqlite } from '../connection.ts'
import { damagedName } from './damaged-name.ts'

/**
 * Maximum wait for a lock, in milliseconds: longer than a call of isLockHeld in another process keeps the file locked.
 */
const waitMs = 100

/** Number of times that a damaged lock file is replaced before its failure is thrown. */
const maxReplacements = 3

/** The signal of a lock that only the end of its process releases. */
export const neverLost: AbortSignal = new AbortController().signal

/** A lock that this process holds. */
export interface HeldLock {
  /** Set if the file was damaged. */
  readonly replaced: ReplacedFile | undefined
  release(): void
}

/**
 * Locks `file` exclusively until `release` is called or the process ends, kill -9 included: an exclusive SQLite
 * transaction is the only file lock that Node has. Throws LockHeld with `message` if another process holds it. A lock
 * file has no contents, so a damaged one is emptied.
 */
export function holdLock(file: string, message: string): HeldLock {
  let replaced: ReplacedFile | undefined
  for (let replacements = 0; ; replacements++) {
    try {
      const db = lock(file)
      return { replaced, release: () => void db.close() }
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error
      if (error.kind === 'busy') throw new LockHeld(message)
      if (error.kind !== 'damaged' || replacements === maxReplacements) throw error
      replaced = replaceLockFile(file) ?? replaced
    }
  }
}

function lock(file: string): Sqlite {
  const db = connect(file, { timeout: waitMs })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Makes a damaged lock file usable; returns undefined if another process has done so. Two processes may both find it
 * damaged, and one of them may hold its lock before the other one acts. Therefore the file is emptied in place, which
 * does nothing to a lock on it, and only a folder is renamed: rename(2) never puts a file in the place of a folder.
 */
export function replaceLockFile(file: string): ReplacedFile | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory()) return renameFolder(file)
  if (!found || found.size === 0) return undefined
  // Stays open: closing it would release the lock that another thread of this process may hold by now (fcntl(2)).
  ftruncateSync(openSync(file, 'r+'))
  return { file, renamedTo: undefined }
}

/** Renames a folder at the path of a lock file; returns undefined if it is no folder any more. */
export function renameFolder(file: string): ReplacedFile | undefined {
  const target = damagedName(file)
  mkdirSync(target)
  try {
    renameSync(file, target)
    return { file, renamedTo: target }
  } catch (error) {
    rmdirSync(target)
    const { code = '' } = error as NodeJS.ErrnoException
    if (['EISDIR', 'ENOENT', 'ENOTDIR'].includes(code)) return undefined
    throw error
  }
}

/** Returns true if a process holds the lock `file`; false if the file does not exist or is damaged. */
export function isLockHeld(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    const db = connect(file, { readonly: true, timeout: 0 })
    try {
      db.prepare('SELECT count(*) FROM sqlite_schema').get()
      return false
    } finally {
      db.close()
    }
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    if (error.kind === 'busy') return true
    if (error.kind === 'damaged') return false
    throw error
  }
}
