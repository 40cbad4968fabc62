import type { MissingRecords, SeenIds } from '../domain/data-stores.ts'
import type { Id } from '../domain/id.ts'
import { connect } from './connection.ts'

/** A set of ids in a temporary database that SQLite keeps partly in memory and partly in an unnamed file. */
interface SeenIdSet {
  /** Adds ids in order; returns false for each that was in the set already. */
  add(ids: readonly Id[]): boolean[]
  has(id: Id): boolean
  /** Yields all ids, ascending, in batches of at most `size`. */
  batches(size: number): Iterable<readonly Id[]>
  close(): void
}

/** Creates an empty set. */
function createIdSet(): SeenIdSet {
  const db = connect('')
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -16384')
  db.exec('CREATE TABLE seen (id INTEGER PRIMARY KEY)')
  const insert = db.prepare('INSERT OR IGNORE INTO seen VALUES (?)')
  const find = db.prepare<[Id], number>('SELECT 1 FROM seen WHERE id = ?').pluck()
  const after = db
    .prepare<[Id, number], Id>('SELECT id FROM seen WHERE id > ? ORDER BY id LIMIT ?')
    .pluck()
    .safeIntegers()
  return {
    add: db.transaction((ids: readonly Id[]) => ids.map(id => insert.run(id).changes > 0)),
    has: id => find.get(id) !== undefined,
    *batches(size) {
      for (let ids = after.all(0n, size); ids.length > 0; ids = after.all(ids.at(-1)!, size)) yield ids
    },
    close: () => db.close(),
  }
}

/** Creates an empty set with the asynchronous interface of the domain. */
export function createSeenIds(): SeenIds {
  const set = createIdSet()
  return {
    add: async ids => set.add(ids),
    has: async ids => ids.map(set.has),
    close: async () => set.close(),
  }
}

/** Finds the stored ids that are not in `kept`. `stored` yields them in pages. */
export async function findMissing(
  stored: Iterable<readonly Id[]> | AsyncIterable<readonly Id[]>,
  kept: SeenIds,
): Promise<MissingRecords> {
  const missing = createIdSet()
  let count = 0
  let all = 0
  for await (const ids of stored) {
    all += ids.length
    const isKept = await kept.has(ids)
    const missingIds = ids.filter((_, i) => !isKept[i])
    count += missingIds.length
    missing.add(missingIds)
  }
  return {
    stored: all,
    count,
    batches: async function* (size) {
      yield* missing.batches(size)
    },
    close: async () => missing.close(),
  }
}
