import { LockHeld } from '../domain/store-errors.ts'
import { holdLock } from '../store/folder/lock.ts'
import { dataMigrations } from '../store/sqlite/migrations/data.ts'
import { openSqlite, type Sqlite } from '../store/sqlite/open.ts'
import { clean, pendingCleaning } from '../store/sqlite/traces.ts'

export interface ErasureCleaning {
  readonly control: Sqlite
  /** Path of data.sqlite. */
  readonly data: string
  readonly importLock: string
  readonly onError: (error: unknown) => void
  readonly everyMs?: number
}

/** How long a cleaning waits for readers of an older state; then it is tried again later. */
const waitMs = 2000

/** Looks every minute whether an erasure has left something to be cleaned, and does it. */
export function cleanErasures({ control, data, importLock, onError, everyMs = 60_000 }: ErasureCleaning): {
  stop(): void
} {
  const look = () => {
    try {
      if (pendingCleaning(control).length > 0) cleanNow(control, data, importLock)
    } catch (error) {
      onError(error)
    }
  }
  look()
  const timer = setInterval(look, everyMs)
  return { stop: () => clearInterval(timer) }
}

function cleanNow(control: Sqlite, data: string, importLock: string): void {
  const db = openSqlite(data, dataMigrations, { synchronous: 'NORMAL' })
  const lock = importLockOf(importLock)
  try {
    clean(control, db, { mayCompact: lock !== undefined, waitMs })
  } finally {
    lock?.release()
    db.close()
  }
}

/** The lock that keeps imports away while a store is compacted; undefined when an import has it. */
export function importLockOf(file: string): { release: () => void } | undefined {
  try {
    return holdLock(file, 'An erasure is being finished; try again in a while.')
  } catch (error) {
    if (error instanceof LockHeld) return undefined
    throw error
  }
}
