import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LockHeld } from '../../domain/store-errors.ts'
import type { Cleanup, Lock, Locks, Upkeep } from '../../domain/stores.ts'
import { createFragments, extractTexts, type Fragments, fragmentOverlap } from '../../kit/fragments.ts'
import type { SqliteFiles } from './files.ts'
import { withBusyTimeout } from './open.ts'
import type { Sqlite } from './sqlite.ts'

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
 * Upkeep of the store files. Freed bytes are zeroed when they are freed (secure_delete), but an erasure leaves two things
 * behind: older states of pages in the write-ahead logs, until those are truncated; and, where SQLite once shifted
 * rows from page to page, occasionally a stale copy, which only compacting removes.
 */
export function createSqliteUpkeep({ files, locks, nowMs, control, openData }: UpkeepParts): Upkeep {
  const cleanOnce = async (data: Sqlite): Promise<Cleanup[]> => {
    const lock = await importLock(locks)
    try {
      return clean(control(), data, lock !== undefined)
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
        const remaining = await cleanOnce(data)
        if (!erased || !holdsTraces(data, files.data, erased)) return remaining
        for (const what of ['compact', 'truncate'] as const) requestCleanup(control(), what, nowMs())
        return await cleanOnce(data)
      } finally {
        data.close()
      }
    },
  }
}

/** Takes the lock that keeps imports away while a store is compacted; undefined while an import holds it. */
async function importLock(locks: Locks): Promise<Lock | undefined> {
  try {
    return await locks.hold('import', 'An erasure is being finished; try again in a while.')
  } catch (error) {
    if (error instanceof LockHeld) return undefined
    throw error
  }
}

/** Notes in control.sqlite what is to be done; the running service does it unless another process has. */
export function requestCleanup(control: Sqlite, what: Cleanup, atMs: number): void {
  control.prepare('INSERT OR IGNORE INTO pending_cleaning (what, since_ms) VALUES (?, ?)').run(what, atMs)
}

const pendingCleanups = (control: Sqlite): Cleanup[] =>
  control.prepare<[], Cleanup>('SELECT what FROM pending_cleaning ORDER BY what').pluck().all()

/**
 * Does what is pending and returns what remains: a reader of an older state keeps a log from being truncated. Compacts
 * only when `mayCompact`, because a running import would wait too long.
 */
function clean(control: Sqlite, data: Sqlite, mayCompact: boolean): Cleanup[] {
  const done = control.prepare('DELETE FROM pending_cleaning WHERE what = ?')
  if (mayCompact && pendingCleanups(control).includes('compact')) {
    data.exec('VACUUM')
    done.run('compact')
  }
  // The log of control.sqlite holds the source's name for a review.
  const truncated = [data, control].map(truncateLog)
  if (truncated.every(Boolean)) done.run('truncate')
  return pendingCleanups(control)
}

/** Copies the log into the database and empties it; returns false when a reader or writer prevented that. */
function truncateLog(db: Sqlite): boolean {
  return withBusyTimeout(db, waitMs, () => db.pragma('wal_checkpoint(TRUNCATE)', { simple: true })) === 0
}

const chunkBytes = 1 << 22

/**
 * Returns whether a store file still holds pieces of texts that are in no row: a stale copy. A piece that another review
 * or place contains does not count.
 */
function holdsTraces(data: Sqlite, file: string, records: readonly string[]): boolean {
  const found = searchFile(file, createFragments(records.flatMap(extractTexts)))
  if (found.size === 0) return false
  const suspected = createFragments([...found].map(piece => Buffer.from(piece, 'latin1')))
  const live = data
    .prepare<[], string>(
      'SELECT record FROM reviews UNION ALL SELECT record FROM hidden_reviews UNION ALL SELECT record FROM locations',
    )
    .pluck()
  for (const record of live.iterate()) {
    for (const piece of suspected.in(Buffer.from(record))) found.delete(piece)
    if (found.size === 0) return false
  }
  return true
}

function searchFile(path: string, fragments: Fragments): Set<string> {
  const found = new Set<string>()
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    for (let at = 0; ; at += chunkBytes - fragmentOverlap) {
      const read = readSync(file, chunk, 0, chunkBytes, at)
      for (const piece of fragments.in(chunk.subarray(0, read))) found.add(piece)
      if (read < chunkBytes) return found
    }
  } finally {
    closeSync(file)
  }
}

/** Removes the copies that migrate.ts made of a store file before a moment; returns their names. */
function removeUpgradeCopies(file: string, beforeMs = Number.POSITIVE_INFINITY): string[] {
  const copies = readdirSync(dirname(file))
    .filter(name => name.startsWith(`${basename(file)}.schema-`) && name.endsWith('.bak'))
    .filter(name => statSync(join(dirname(file), name)).mtimeMs < beforeMs)
  for (const name of copies) rmSync(join(dirname(file), name))
  return copies
}
