import { existsSync } from 'node:fs'
import { LockHeld, StoreFailure } from '../../domain/store-errors.ts'
import { connect } from '../connection.ts'

/**
 * Maximum wait for a lock, in milliseconds: longer than a call of isLockHeld in another process keeps the file locked.
 */
const waitMs = 100

/**
 * Locks `file` exclusively until `release` is called or the process ends, kill -9 included: an exclusive SQLite
 * transaction is the only file lock that Node has. Throws LockHeld with `message` if another process holds it.
 */
export function holdLock(file: string, message: string): { release: () => void } {
  const db = connect(file, { timeout: waitMs })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (error instanceof StoreFailure && error.kind === 'busy') throw new LockHeld(message)
    throw error
  }
  return { release: () => db.close() }
}

/** Returns true if a process holds the lock `file`; false if the file does not exist. */
export function isLockHeld(file: string): boolean {
  if (!existsSync(file)) return false
  const db = connect(file, { readonly: true, timeout: 0 })
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === 'busy') return true
    throw error
  } finally {
    db.close()
  }
}
