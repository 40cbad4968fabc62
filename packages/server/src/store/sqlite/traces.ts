import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Fragments, fragmentOverlap, fragmentsOf } from '../../kit/fragments.ts'
import type { Sqlite } from './open.ts'

/**
 * What an erasure leaves behind in a store file, and how it is got rid of. Freed bytes are zeroed when they are
 * freed (secure_delete), but two things remain: older states of pages in the write-ahead log, until that is truncated,
 * and, where SQLite once shifted rows from page to page, now and then a stale copy, which only compacting removes.
 */
export type Cleaning = 'truncate' | 'compact'

/** Notes in control.sqlite what is to be done; the running service does it when nobody else has. */
export function requestCleaning(control: Sqlite, what: Cleaning, atMs: number): void {
  control.prepare('INSERT OR IGNORE INTO pending_cleaning (what, since_ms) VALUES (?, ?)').run(what, atMs)
}

/** What is still to be done. */
export const pendingCleaning = (control: Sqlite): Cleaning[] =>
  control.prepare<[], Cleaning>('SELECT what FROM pending_cleaning ORDER BY what').pluck().all()

/**
 * Does what is pending, as far as others let it: a reader of an older state keeps the log from being truncated. Compacts
 * only when `mayCompact`: an import that runs would wait too long. Gives what is left to do.
 */
export function clean(control: Sqlite, data: Sqlite, options: { mayCompact: boolean; waitMs: number }): Cleaning[] {
  const done = control.prepare('DELETE FROM pending_cleaning WHERE what = ?')
  if (options.mayCompact && pendingCleaning(control).includes('compact')) {
    data.exec('VACUUM')
    done.run('compact')
  }
  // What stands in the log of control.sqlite is how a source called a review.
  const truncated = [data, control].map(db => truncateLog(db, options.waitMs))
  if (truncated.every(Boolean)) done.run('truncate')
  return pendingCleaning(control)
}

/** Copies the log into the database and empties it; false when a reader or writer has kept it from that. */
function truncateLog(db: Sqlite, waitMs: number): boolean {
  const before = db.pragma('busy_timeout', { simple: true }) as number
  db.pragma(`busy_timeout = ${waitMs}`)
  try {
    return db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0
  } finally {
    db.pragma(`busy_timeout = ${before}`)
  }
}

const chunkBytes = 1 << 22

/**
 * Whether a store file still holds pieces of texts that are in none of its rows: a stale copy. What another review or
 * place says in the same words does not count.
 */
export function holdsTraces(data: Sqlite, file: string, records: readonly string[]): boolean {
  const found = searchFile(file, fragmentsOf(records.flatMap(textsOf)))
  if (found.size === 0) return false
  const suspected = fragmentsOf([...found].map(piece => Buffer.from(piece, 'latin1')))
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

/** The texts in a stored record, escaped as JSON has them; or the text itself, when it is no record. */
export function textsOf(record: string): string[] {
  if (!record.startsWith('{')) return [record]
  const texts: string[] = []
  JSON.parse(record, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(JSON.stringify(value).slice(1, -1))
    return value
  })
  return texts
}

/** Removes copies that migrations set aside (migrate.ts), or those older than a moment; gives their names. */
export function dropSchemaCopies(file: string, beforeMs = Number.POSITIVE_INFINITY): string[] {
  const copies = readdirSync(dirname(file))
    .filter(name => name.startsWith(`${basename(file)}.schema-`) && name.endsWith('.bak'))
    .filter(name => statSync(join(dirname(file), name)).mtimeMs < beforeMs)
  for (const name of copies) rmSync(join(dirname(file), name))
  return copies
}
