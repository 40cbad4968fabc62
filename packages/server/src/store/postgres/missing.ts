import type { MissingRecords, SeenIds } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import { kindNumber } from '../rows/codes.ts'
import { storable } from '../rows/copy-text.ts'
import { noSource } from '../rows/id-rules.ts'
import { findMissing } from '../seen-ids.ts'
import type { PostgresSession } from './pool.ts'

/** Rows of a page. */
const pageRows = 4000

/** Rules out ids that are assigned but not stored; a merged place is not a stored record. */
const isStored: Readonly<Record<RecordKind, string>> = {
  location: 'EXISTS (SELECT 1 FROM locations WHERE locations.id = record_ids.id)',
  review: `(EXISTS (SELECT 1 FROM review_places WHERE review_places.id = record_ids.id)
    OR EXISTS (SELECT 1 FROM hidden_reviews WHERE hidden_reviews.id = record_ids.id))`,
}

interface PageRow {
  readonly id: Id
  readonly source_id: string
  readonly is_stored: boolean
}

/** Finds the stored records of a source that are not in `kept`. */
export const openMissing = (
  session: PostgresSession,
  kind: RecordKind,
  source: string,
  kept: SeenIds,
): Promise<MissingRecords> => findMissing(storedIds(session, kind, storable(source)), kept)

/** Yields the stored ids of a source: those of its keys, and those that it was the last to import by id alone. */
async function* storedIds(session: PostgresSession, kind: RecordKind, source: string): AsyncGenerator<Id[]> {
  for (const [owner, condition] of [
    [source, 'true'],
    [noSource, 'brought_by = (SELECT no FROM sources WHERE name = $4)'],
  ] as const) {
    const page = `
      SELECT id, source_id, ${isStored[kind]} AS is_stored FROM record_ids
      WHERE kind = $1 AND source_no = (SELECT no FROM sources WHERE name = $2) AND ($3::text IS NULL OR source_id > $3)
        AND ${condition}
      ORDER BY source_id LIMIT ${pageRows}`
    let last: string | null = null
    for (;;) {
      const values = [kindNumber[kind], owner, last, ...(owner === source ? [] : [source])]
      const rows: PageRow[] = await session.query<PageRow>(page, values)
      if (rows.length === 0) break
      last = rows.at(-1)!.source_id
      yield rows.filter(row => row.is_stored).map(({ id }) => id)
    }
  }
}
