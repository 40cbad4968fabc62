import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LockHeld } from '../../domain/store-errors.ts'
import type { Cleanup, Lock, Locks, Upkeep } from '../../domain/stores.ts'
import type { Sqlite } from '../connection.ts'
import { hasTraces } from './erased-traces.ts'
import type { SqliteFiles } from './files.ts'
import { withBusyTimeout } from './open.ts'

/** Maximum wait for readers of an older state, in milliseconds; the next round retries. */
const waitMs = 2000

/** Dependencies of the upkeep. */
export interface UpkeepParts {
  readonly files: SqliteFiles
  readonly locks: Locks
  readonly nowMs: () => number
  readonly control: () => Sqlite
  /** Opens a connection to data.sqlite, which the upkeep closes. */
  readonly openData: () => Sqlite
}

/**
 * Creates the upkeep of the store files. secure_delete overwrites freed bytes with zeros, but an erasure leaves two
 * kinds of traces: older versions of pages in the write-ahead logs, until those are truncated; and, if SQLite
 * has moved rows between pages, occasionally a stale copy, which only compacting removes.
 */
export function createSqliteUpkeep({ files, locks, nowMs, control, openData }: UpkeepParts): Upkeep {
  const cleanUpOnce = async (data: Sqlite): Promise<Cleanup[]> => {
    const lock = await tryImportLock(locks)
    try {
      return runCleanups(control(), data, lock !== undefined)
    } finally {
      await lock?.release()
    }
  }
  return {
    removeUpgradeCopies: async (of, beforeMs) =>
      (of === 'all' ? [files.control, files.data] : [files.data]).flatMap(file => removeUpgradeCopies(file, beforeMs)),
    pendingCleanups: async () => pendingCleanups(control()),
    cleanUp: async erased => {
      const data = openData()
      try {
        const remaining = await cleanUpOnce(data)
        if (!erased || !hasTraces(data, files.data, erased)) return remaining
        for (const what of ['compact', 'truncate'] as const) requestCleanup(control(), what, nowMs())
        return await cleanUpOnce(data)
      } finally {
        data.close()
      }
    },
  }
}

/**
 * Takes the import lock, so that no import runs while a store is compacted; returns undefined if an import holds it.
 */
async function tryImportLock(locks: Locks): Promise<Lock | undefined> {
  try {
    return await locks.hold('import', 'An erasure is being completed. Try again later.')
  } catch (error) {
    if (error instanceof LockHeld) return undefined
    throw error
  }
}

/** Records a pending cleanup in control.sqlite; the running service performs it unless another process has. */
export function requestCleanup(control: Sqlite, what: Cleanup, atMs: number): void {
  control.prepare('INSERT OR IGNORE INTO pending_cleaning (what, since_ms) VALUES (?, ?)').run(what, atMs)
}

const pendingCleanups = (control: Sqlite): Cleanup[] =>
  control.prepare<[], Cleanup>('SELECT what FROM pending_cleaning ORDER BY what').pluck().all()

/**
 * Performs the pending cleanups and returns the remaining ones: a reader of an older state prevents the truncation of a
 * log. Compacts only if `mayCompact` is true, because a running import would wait too long.
 */
function runCleanups(control: Sqlite, data: Sqlite, mayCompact: boolean): Cleanup[] {
  const remove = control.prepare('DELETE FROM pending_cleaning WHERE what = ?')
  if (mayCompact && pendingCleanups(control).includes('compact')) {
    data.exec('VACUUM')
    remove.run('compact')
  }
  // The log of control.sqlite contains the external keys of erased reviews.
  const truncated = [data, control].map(truncateLog)
  if (truncated.every(Boolean)) remove.run('truncate')
  return pendingCleanups(control)
}

/** Copies the log into the database and empties it; returns false if a reader or writer prevented that. */
function truncateLog(db: Sqlite): boolean {
  return withBusyTimeout(db, waitMs, () => db.pragma('wal_checkpoint(TRUNCATE)', { simple: true })) === 0
}

/**
 * Removes the copies of a store file that upgrades made, or that the gate replaced, before `beforeMs`; returns their
 * names.
 */
function removeUpgradeCopies(file: string, beforeMs = Number.POSITIVE_INFINITY): string[] {
  const copies = readdirSync(dirname(file))
    .filter(name => name.startsWith(`${basename(file)}.`) && /\.bak(-wal)?$/.test(name))
    .filter(name => statSync(join(dirname(file), name)).mtimeMs < beforeMs)
  for (const name of copies) rmSync(join(dirname(file), name))
  return copies
}
