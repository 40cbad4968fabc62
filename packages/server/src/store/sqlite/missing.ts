import type { DataWriter } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import type { PreparedStatement, Sqlite } from '../connection.ts'
import { kindNumber } from '../rows/codes.ts'
import { noSource } from '../rows/id-rules.ts'
import { findMissing } from '../seen-ids.ts'

/** Rows per page, and ids per lookup in the set of kept ids. */
const pageRows = 1000

interface PageQuery {
  readonly kind: number
  /** Number of the source under which the ids are registered. */
  readonly owner: number
  /** Number of the source that last imported the record. */
  readonly source: number
  readonly from: string
  readonly limit: number
}

interface OwnedRow {
  readonly id: Id
  readonly source_id: string
}

/**
 * Creates the function that finds the records that a source no longer has. control.sqlite has the ids of each source,
 * and data.sqlite the stored records. A merged place is not a stored record, and is therefore never missing.
 */
export function createMissingFinder(control: Sqlite, data: Sqlite): DataWriter['openMissing'] {
  const sourceNo = control.prepare<[string], number>('SELECT no FROM sources WHERE name = ?').pluck()
  const pageOf = (condition: string) =>
    control
      .prepare<[PageQuery], OwnedRow>(
        `SELECT id, source_id FROM record_ids WHERE kind = @kind AND source_no = @owner AND source_id >= @from
         AND ${condition} ORDER BY source_id LIMIT @limit`,
      )
      .safeIntegers()
  const [owned, brought] = [pageOf('true'), pageOf('brought_by = @source')]
  const place = data.prepare<[Id], number>('SELECT 1 FROM locations WHERE id = ?').pluck()
  const review = data
    .prepare<[{ id: Id }], number>(
      'SELECT 1 FROM reviews WHERE id = @id UNION ALL SELECT 1 FROM hidden_reviews WHERE id = @id',
    )
    .pluck()
  const isStored = { location: (id: Id) => place.get(id), review: (id: Id) => review.get({ id }) }
  /** Yields the stored ids of a source in pages; no statement stays open between them. */
  function* stored(kind: RecordKind, name: string): Generator<Id[]> {
    const source = sourceNo.get(name)
    if (source === undefined) return
    const query = { kind: kindNumber[kind], source, limit: pageRows }
    const unowned = sourceNo.get(noSource)
    const pages = [
      pagesOf(owned, { ...query, owner: source }),
      ...(unowned === undefined ? [] : [pagesOf(brought, { ...query, owner: unowned })]),
    ]
    for (const list of pages) for (const ids of list) yield ids.filter(id => isStored[kind](id) !== undefined)
  }
  return (kind, source, kept) => findMissing(stored(kind, source), kept)
}

/** Yields ids in keyset pages, ascending by source_id. */
function* pagesOf(page: PreparedStatement<[PageQuery], OwnedRow>, query: Omit<PageQuery, 'from'>): Generator<Id[]> {
  let last: string | undefined
  for (;;) {
    const rows = page.all({ ...query, from: last ?? '' })
    const fresh = rows[0]?.source_id === last ? rows.slice(1) : rows
    if (fresh.length === 0) return
    yield fresh.map(({ id }) => id)
    last = fresh.at(-1)!.source_id
  }
}
