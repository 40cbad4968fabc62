import type { Change, PruneOptions } from '../../domain/change.ts'
import type { ChangeLog } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'
import type { ChangeRecorder } from '../rows/batch.ts'
import { kindNumber, kindOfNumber } from '../rows/codes.ts'
import { withBusyTimeout } from './open.ts'

interface ChangeRow {
  seq: bigint
  at_ms: bigint
  kind: bigint
  id: bigint
  op: Change['op']
  merged_into: bigint | null
}

const changeOf = (row: ChangeRow): Change => ({
  seq: Number(row.seq),
  atMs: Number(row.at_ms),
  kind: kindOfNumber(Number(row.kind)),
  id: row.id,
  op: row.op,
  ...(row.merged_into !== null && { mergedInto: row.merged_into }),
})

/** Maximum wait for writers before `prune` returns `busy`, in milliseconds. */
const pruneWaitMs = 250

/**
 * Opens the change log in data.sqlite. AUTOINCREMENT never reuses a number, even after pruning, and with the single
 * writer of SQLite numbers become visible in ascending order.
 */
export function createSqliteChangeLog(data: Sqlite): ChangeLog {
  const last = data.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM changes').pluck()
  const oldest = data.prepare<[], number | null>('SELECT min(seq) FROM changes').pluck()
  const after = data
    .prepare<[number, number], ChangeRow>('SELECT * FROM changes WHERE seq > ? ORDER BY seq LIMIT ?')
    .safeIntegers()
  const head = data.prepare<[number], Pick<Change, 'seq' | 'atMs'>>(
    'SELECT seq, at_ms AS atMs FROM changes ORDER BY seq LIMIT ?',
  )
  const removeThrough = data.prepare<[number]>('DELETE FROM changes WHERE seq <= ?')
  const prune = data.transaction(({ beforeMs, keepFromSeq, limit }: PruneOptions): number => {
    const end = Math.min(keepFromSeq, last.get()!)
    const rows = head.all(limit)
    const kept = rows.findIndex(({ seq, atMs }) => seq >= end || atMs >= beforeMs)
    const removed = kept === -1 ? rows : rows.slice(0, kept)
    return removed.length === 0 ? 0 : removeThrough.run(removed.at(-1)!.seq).changes
  }).immediate
  return {
    lastSeq: async () => last.get()!,
    after: async (seq, limit) => {
      // Read the oldest number last: changes that are pruned between the two reads are then reported as pruned.
      const rows = after.all(seq, limit)
      return (oldest.get() ?? 1) > seq + 1 ? undefined : rows.map(changeOf)
    },
    prune: async options => {
      const removed = withBusyTimeout(data, pruneWaitMs, () => prune(options))
      return removed === undefined ? 'busy' : { removed }
    },
  }
}

type NewChange = [atMs: number, kind: number, id: Id, op: Change['op'], mergedInto: Id | null]

/** A recorder that buffers changes. */
export interface SqliteChangeRecorder extends ChangeRecorder {
  /** Writes the buffered changes; call it last in the transaction. */
  flush(): void
}

/**
 * Changes per INSERT statement. SQLite updates the counter of AUTOINCREMENT with every statement, and an import records
 * two changes per review.
 */
const changesPerInsert = 64
const insertChanges = (count: number) =>
  `INSERT INTO changes (at_ms, kind, id, op, merged_into) VALUES ${Array(count).fill('(?, ?, ?, ?, ?)').join(', ')}`

/** Returns a function that creates the recorder of a batch, whose changes all have the time `atMs`. */
export function prepareChangeRecorder(data: Sqlite): (atMs: number) => SqliteChangeRecorder {
  const addOne = data.prepare(insertChanges(1))
  const addMany = data.prepare(insertChanges(changesPerInsert))
  const insertTombstone = data.prepare(
    'INSERT OR REPLACE INTO tombstones (kind, id, at_ms, reason) VALUES (?, ?, ?, ?)',
  )
  const deleteTombstone = data.prepare('DELETE FROM tombstones WHERE kind = ? AND id = ?')
  const hasTombstones = data.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM tombstones)').pluck()
  return atMs => {
    // A first import finds no tombstones, so it skips the deletes.
    let mayHaveTombstones = hasTombstones.get() === 1
    let buffer: NewChange[] = []
    const add = (...change: NewChange) => {
      if (buffer.push(change) < changesPerInsert) return
      addMany.run(buffer.flat())
      buffer = []
    }
    return {
      upserted: (kind, id) => {
        if (mayHaveTombstones) deleteTombstone.run(kindNumber[kind], id)
        add(atMs, kindNumber[kind], id, 'upsert', null)
      },
      removed: (kind, id, reason) => {
        mayHaveTombstones = true
        insertTombstone.run(kindNumber[kind], id, atMs, reason)
        add(atMs, kindNumber[kind], id, 'delete', null)
      },
      merged: (id, into) => {
        mayHaveTombstones = true
        insertTombstone.run(kindNumber.location, id, atMs, 'merged')
        add(atMs, kindNumber.location, id, 'merge', into)
      },
      flush: () => {
        for (const change of buffer) addOne.run(change)
        buffer = []
      },
    }
  }
}
