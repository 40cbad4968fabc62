import { LRUCache } from 'lru-cache'
import type { EnumValuesInUse } from '../../domain/enum-value.ts'
import type { RecordEnding } from '../../domain/feed.ts'
import type { FeedReader, FeedSource, IdRange, StorePosition } from '../../domain/feed-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Category, LocationEntry } from '../../domain/location.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import type { PlacedReview } from '../../domain/review-query.ts'
import type { PreparedStatement, Sqlite } from '../connection.ts'
import { kindNumber, kindOfNumber } from '../rows/codes.ts'
import { cachedPlaceChars, cachedPlaces, cacheRatings, pageChars, pageSize, rowsWithin } from '../rows/feed-pages.ts'
import { type LocationRow, toLocationEntry } from '../rows/location-entry.ts'
import { type ReviewRow, toReview } from '../rows/review-row.ts'
import { locationColumns } from './locations.ts'

/**
 * Opens a source of the current data: one read transaction that lasts until `close`, which also closes the connection.
 * Imports continue concurrently; their pages remain in the write-ahead log until `close`.
 */
export function openSqliteFeedSource(data: Sqlite): FeedSource {
  data.exec('BEGIN')
  const getNumber = (sql: string) => data.prepare<[], number>(sql).pluck().get()!
  const mark = data.prepare<[number], string>(`SELECT at_ms || ' ' || kind || ' ' || id FROM changes WHERE seq = ?`)
  const positionAt = (seq: number): StorePosition => ({ seq, mark: mark.pluck().get(seq) ?? '' })
  // The first read determines the position.
  const seq = getNumber('SELECT coalesce(max(seq), 0) FROM changes')
  const first = getNumber('SELECT coalesce(min(seq), 1) FROM changes')
  return {
    position: positionAt(seq),
    storeId: data.prepare<[], string>('SELECT store_id FROM store_identity').pluck().get()!,
    follows: async earlier =>
      earlier.seq <= seq && earlier.seq >= first - 1 && positionAt(earlier.seq).mark === earlier.mark,
    hasChangesSince: async since => since >= first - 1,
    locations: locationReader(data, 'true'),
    geos: locationReader(data, "category = 'GEO'"),
    reviews: reviewReader(data),
    enumValuesInUse: async () => enumValuesIn(data),
    erasedAfter: since => (since >= first - 1 ? erasuresSince(data, since) : allErasures(data)),
    close: async () => {
      data.close()
    },
  }
}

function locationReader(data: Sqlite, condition: string): FeedReader<LocationEntry> {
  const select = `SELECT ${locationColumns} WHERE ${condition}`
  const one = data.prepare<[Id], LocationRow>(`${select} AND id = ?`).safeIntegers()
  const count = countOf(data, `locations WHERE ${condition}`)
  const page = data.prepare<[Id], LocationRow>(`${select} AND id > ? ORDER BY id`).safeIntegers()
  const changed = data
    .prepare<[number], Id>('SELECT DISTINCT id FROM changes WHERE seq > ? AND kind = 1 ORDER BY id')
    .pluck()
    .safeIntegers()
  return {
    count: async range => count(range),
    all: async function* (range) {
      for await (const rows of pages(page, range)) yield rows.map(row => toLocationEntry(data, row))
    },
    changedAfter: seq => inPages(changed.iterate(seq)),
    getMany: async ids =>
      ids.map(id => {
        const row = one.get(id)
        return row && toLocationEntry(data, row)
      }),
    ending: endings(data, 'location'),
  }
}

/** Returns a function that counts the rows of a range, or all. */
function countOf(data: Sqlite, rows: string): (range: IdRange | undefined) => number {
  const all = data.prepare<[], number>(`SELECT count(*) FROM ${rows}`).pluck()
  const within = data.prepare<[Id, Id], number>(`SELECT count(*) FROM ${rows} AND id > ? AND id <= ?`).pluck()
  return range => (range ? within.get(range.after, range.upTo) : all.get())!
}

function reviewReader(data: Sqlite): FeedReader<PlacedReview> {
  const count = countOf(data, 'reviews WHERE true')
  const one = data.prepare<[Id], ReviewRow>('SELECT * FROM reviews WHERE id = ?').safeIntegers()
  const page = data.prepare<[Id], ReviewRow>('SELECT * FROM reviews WHERE id > ? ORDER BY id').safeIntegers()
  const place = data.prepare<[Id], LocationRow>(`SELECT ${locationColumns} WHERE id = ?`).safeIntegers()
  const changed = data
    .prepare<[number, number], Id>(
      `SELECT id FROM changes WHERE seq > ? AND kind = 2
       UNION SELECT reviews.id FROM changes JOIN reviews ON location_id = changes.id WHERE seq > ? AND kind = 1
       ORDER BY 1`,
    )
    .pluck()
    .safeIntegers()
  const places = new LRUCache<Id, LocationEntry>({ max: cachedPlaces, maxSize: cachedPlaceChars })
  const placeOf = (id: Id): LocationEntry | undefined => {
    const known = places.get(id)
    const row = known ? undefined : place.get(id)
    if (!row) return known
    const entry = cacheRatings(toLocationEntry(data, row))
    places.set(id, entry, { size: row.record.length })
    return entry
  }
  const placed = (row: ReviewRow | undefined): PlacedReview | undefined => {
    const of = row && placeOf(row.location_id)
    return of && { review: toReview(data, row), of }
  }
  return {
    count: async range => count(range),
    all: async function* (range) {
      for await (const rows of pages(page, range)) yield rows.map(placed).filter(found => found !== undefined)
    },
    changedAfter: seq => inPages(changed.iterate(seq, seq)),
    getMany: async ids => ids.map(id => placed(one.get(id))),
    ending: endings(data, 'review'),
  }
}

function endings(data: Sqlite, kind: RecordKind): (id: Id) => Promise<RecordEnding | undefined> {
  const tombstone = data
    .prepare<[number, Id], { at_ms: bigint; reason: RecordEnding['reason']; into: bigint | null }>(
      `SELECT at_ms, reason, CASE reason WHEN 'merged' THEN (SELECT to_id FROM merges WHERE from_id = id) END AS "into"
       FROM tombstones WHERE kind = ? AND id = ?`,
    )
    .safeIntegers()
  return async id => {
    const row = tombstone.get(kindNumber[kind], id)
    return row && { reason: row.reason, atMs: Number(row.at_ms), ...(row.into !== null && { mergedInto: row.into }) }
  }
}

function enumValuesIn(data: Sqlite): EnumValuesInUse {
  const categories = data
    .prepare<[], string>(
      `SELECT min(used.value) FROM locations, json_each(record, '$.categories') AS used GROUP BY used.value ->> 'id'`,
    )
    .pluck()
    .all()
  const subratingTypes = data
    .prepare<[], string>(
      `SELECT used.value ->> 'type' FROM locations, json_each(record, '$.ownRatings.subratings') AS used
       WHERE instr(record, '"subratings"')
       UNION SELECT used.key FROM review_totals, json_each(totals, '$.subratings') AS used`,
    )
    .pluck()
    .all()
  return { categories: categories.map(text => data.parseJson<Category>(text)), subratingTypes }
}

type Erasures = AsyncIterable<readonly { kind: RecordKind; id: Id }[]>

function erasuresSince(data: Sqlite, seq: number): Erasures {
  const erased = data
    .prepare<[number], { kind: bigint; id: Id }>(
      `SELECT changes.kind, changes.id FROM changes JOIN tombstones USING (kind, id)
       WHERE seq > ? AND op = 'delete' AND reason = 'erased' ORDER BY seq`,
    )
    .safeIntegers()
  return erasurePages(erased.iterate(seq))
}

function allErasures(data: Sqlite): Erasures {
  const erased = data
    .prepare<[], { kind: bigint; id: Id }>(`SELECT kind, id FROM tombstones WHERE reason = 'erased'`)
    .safeIntegers()
  return erasurePages(erased.iterate())
}

const erasurePages = (rows: Iterable<{ kind: bigint; id: Id }>): Erasures =>
  inPages(Iterator.from(rows).map(({ kind, id }) => ({ kind: kindOfNumber(Number(kind)), id })))

/** Reads keyset pages; no statement stays open between them. */
async function* pages<R extends { id: bigint; record: string }>(
  after: PreparedStatement<[Id], R>,
  range?: IdRange,
): AsyncGenerator<R[]> {
  const first = pageOf(after, range?.after ?? 0n)
  for (let page = first; page.length > 0; page = pageOf(after, page.at(-1)!.id)) {
    const rows = rowsWithin(page, range)
    if (rows.length > 0) yield rows
    if (rows.length < page.length) return
  }
}

function pageOf<R extends { record: string }>(after: PreparedStatement<[Id], R>, id: Id): R[] {
  const page: R[] = []
  let chars = 0
  for (const row of after.iterate(id)) {
    page.push(row)
    chars += row.record.length
    if (page.length === pageSize || chars >= pageChars) break
  }
  return page
}

async function* inPages<T>(rows: Iterable<T>): AsyncGenerator<T[]> {
  let page: T[] = []
  for (const row of rows) {
    page.push(row)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
