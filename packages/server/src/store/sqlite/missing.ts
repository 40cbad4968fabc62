import type { Id } from '../../domain/id.ts'
import type { DataWriter } from '../../domain/stores.ts'
import { kindNumber } from './codes.ts'
import { nobody } from './ids.ts'
import type { Sqlite } from './open.ts'
import { sqliteSeenIds } from './seen-ids.ts'

/** Ids looked at between two writes to the temporary set. */
const gathered = 1000

/**
 * Finds what a source no longer has. Which records are whose stands in control.sqlite, which of them are stored in
 * data.sqlite; a place that was merged away is in neither table of records, and so is never missing.
 */
export function sqliteMissing(control: Sqlite, data: Sqlite): DataWriter['missing'] {
  const idsOf = control
    .prepare<[{ kind: number; source: string; nobody: string }], Id>(
      `SELECT id FROM record_ids WHERE kind = @kind AND source_no = (SELECT no FROM sources WHERE name = @source)
       UNION ALL
       SELECT id FROM record_ids WHERE kind = @kind AND source_no = (SELECT no FROM sources WHERE name = @nobody)
         AND brought_by = (SELECT no FROM sources WHERE name = @source)`,
    )
    .pluck()
    .safeIntegers()
  const place = data.prepare<[Id], number>('SELECT 1 FROM locations WHERE id = ?').pluck()
  const review = data
    .prepare<[{ id: Id }], number>(
      'SELECT 1 FROM reviews WHERE id = @id UNION ALL SELECT 1 FROM hidden_reviews WHERE id = @id',
    )
    .pluck()
  const isStored = { location: (id: Id) => place.get(id), review: (id: Id) => review.get({ id }) }
  return async (kind, source, kept) => {
    const gone = sqliteSeenIds()
    let count = 0
    let all = 0
    let batch: Id[] = []
    for (const id of idsOf.iterate({ kind: kindNumber[kind], source, nobody })) {
      if (isStored[kind](id) === undefined) continue
      all++
      if (kept.has(id)) continue
      count++
      batch.push(id)
      if (batch.length === gathered) {
        gone.add(batch)
        batch = []
      }
    }
    gone.add(batch)
    return { stored: all, count, batches: gone.batches, close: gone.close }
  }
}
