import Database from 'better-sqlite3'
import type { Id } from '../../domain/id.ts'
import type { SeenIds } from '../../domain/stores.ts'

/** A set of ids in a temporary database, which SQLite keeps in a small cache and spills to an unnamed file. */
export function sqliteSeenIds(): SeenIds {
  const db = new Database('')
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.exec('CREATE TABLE seen (id INTEGER PRIMARY KEY)')
  const insert = db.prepare('INSERT OR IGNORE INTO seen VALUES (?)')
  const add = db.transaction((ids: readonly Id[]) => ids.map(id => insert.run(id).changes > 0))
  return { add, close: () => db.close() }
}
