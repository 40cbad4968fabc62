import type { Statement } from 'better-sqlite3'
import type { LocationEntry } from '../../domain/location.ts'
import { entryOf, type LocationRow, locationColumns } from './locations.ts'
import type { Sqlite } from './open.ts'

/** Every location of one moment, read as a stream. */
export interface AllLocations {
  /** The change-log sequence number of that moment. */
  readonly revision: number
  readonly count: number
  readonly entries: Iterable<LocationEntry>
}

/** Runs `read` over all locations in one read transaction, in which the connection serves nobody else. */
export async function withAllLocations<T>(data: Sqlite, read: (all: AllLocations) => Promise<T>): Promise<T> {
  data.exec('BEGIN')
  try {
    const revision = data.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM changes').pluck().get()!
    const count = data.prepare<[], number>('SELECT count(*) FROM locations').pluck().get()!
    const rows = data.prepare<[], LocationRow>(`SELECT ${locationColumns} ORDER BY id`).safeIntegers()
    return await read({ revision, count, entries: entriesOf(rows) })
  } finally {
    data.exec('ROLLBACK')
  }
}

/** The statement begins with the first entry: one that nobody reads would keep the transaction from ending. */
function* entriesOf(rows: Statement<[], LocationRow>): Generator<LocationEntry> {
  for (const row of rows.iterate()) yield entryOf(row)
}
