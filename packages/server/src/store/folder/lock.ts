import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'

/** Longer than anybody who only looks (`isHeld`) is in the way. */
const patienceMs = 100

/** Somebody else holds the lock. */
export class Locked extends Error {}

/**
 * Holds `file` exclusively until `release` or the end of the process, kill -9 included: an exclusive SQLite
 * transaction is the one file lock that Node has. Throws Locked with `sentence` when another process has it.
 */
export function holdLock(file: string, sentence: string): { release: () => void } {
  const db = new Database(file, { timeout: patienceMs })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw new Locked(sentence)
    throw error
  }
  return { release: () => db.close() }
}

/** Whether a process holds `file`; false where nobody ever did. */
export function isHeld(file: string): boolean {
  if (!existsSync(file)) return false
  const db = new Database(file, { readonly: true, timeout: 0 })
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true
    throw error
  } finally {
    db.close()
  }
}
