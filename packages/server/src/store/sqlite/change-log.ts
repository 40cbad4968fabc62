import type { Id } from '../../domain/id.ts'
import type { Change, ChangeLog, RecordKind } from '../../domain/stores.ts'
import { kindNumber, kindOfNumber } from './codes.ts'
import type { Sqlite } from './open.ts'

interface Row {
  seq: bigint
  at_ms: bigint
  kind: bigint
  id: bigint
  op: Change['op']
  merged_into: bigint | null
}

const changeOf = (row: Row): Change => ({
  seq: Number(row.seq),
  atMs: Number(row.at_ms),
  kind: kindOfNumber(Number(row.kind)),
  id: row.id,
  op: row.op,
  ...(row.merged_into !== null && { mergedInto: row.merged_into }),
})

/** Reads the change log in data.sqlite. */
export function sqliteChangeLog(data: Sqlite): ChangeLog {
  const last = data.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM changes').pluck()
  const after = data
    .prepare<[number, number], Row>('SELECT * FROM changes WHERE seq > ? ORDER BY seq LIMIT ?')
    .safeIntegers()
  return {
    lastSeq: async () => last.get()!,
    after: async (seq, limit) => after.all(seq, limit).map(changeOf),
  }
}

type Line = [atMs: number, kind: number, id: Id, op: Change['op'], mergedInto: Id | null]

/** Writes to the log, and keeps the tombstones in step; to be used inside the transaction of the change itself. */
export interface ChangeRecorder {
  upserted(kind: RecordKind, id: Id): void
  removed(kind: RecordKind, id: Id, reason: 'removed' | 'erased'): void
  merged(id: Id, into: Id): void
  /** Writes what is not written yet: the last thing of a transaction. */
  flush(): void
}

/**
 * Lines of one statement. SQLite brings its count of what AUTOINCREMENT has given up to date with every statement, and
 * an import adds two lines a review.
 */
const linesAtOnce = 64
const insertLines = (count: number) =>
  `INSERT INTO changes (at_ms, kind, id, op, merged_into) VALUES ${Array(count).fill('(?, ?, ?, ?, ?)').join(', ')}`

/** A recorder for one batch, all of whose lines carry `atMs`. */
export function sqliteChangeRecorder(data: Sqlite): (atMs: number) => ChangeRecorder {
  const addOne = data.prepare(insertLines(1))
  const addMany = data.prepare(insertLines(linesAtOnce))
  const bury = data.prepare('INSERT OR REPLACE INTO tombstones (kind, id, at_ms, reason) VALUES (?, ?, ?, ?)')
  const unbury = data.prepare('DELETE FROM tombstones WHERE kind = ? AND id = ?')
  const anyBuried = data.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM tombstones)').pluck()
  return atMs => {
    // A first import buries nothing: there is nothing to look for with every row.
    let buried = anyBuried.get() === 1
    let lines: Line[] = []
    const add = (...line: Line) => {
      if (lines.push(line) < linesAtOnce) return
      addMany.run(lines.flat())
      lines = []
    }
    return {
      upserted: (kind, id) => {
        if (buried) unbury.run(kindNumber[kind], id)
        add(atMs, kindNumber[kind], id, 'upsert', null)
      },
      removed: (kind, id, reason) => {
        buried = true
        bury.run(kindNumber[kind], id, atMs, reason)
        add(atMs, kindNumber[kind], id, 'delete', null)
      },
      merged: (id, into) => {
        buried = true
        bury.run(kindNumber.location, id, atMs, 'merged')
        add(atMs, kindNumber.location, id, 'merge', into)
      },
      flush: () => {
        for (const line of lines) addOne.run(line)
        lines = []
      },
    }
  }
}
