import { LRUCache } from 'lru-cache'
import type { EnumValuesInUse } from '../../domain/enum-value.ts'
import type { RecordEnding } from '../../domain/feed.ts'
import type { FeedReader, FeedSource, IdRange, StorePosition } from '../../domain/feed-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import type { PlacedReview } from '../../domain/review-query.ts'
import { kindNumber, kindOfNumber } from '../rows/codes.ts'
import { cachedPlaceChars, cachedPlaces, cacheRatings, pageChars, pageSize, rowsWithin } from '../rows/feed-pages.ts'
import { type LocationRow, toLocationEntry } from '../rows/location-entry.ts'
import { type ReviewRow, toReview } from '../rows/review-row.ts'
import { readEnumValues } from './enum-values.ts'
import { locationColumns } from './locations.ts'
import type { HeldSession, PostgresPool, PostgresSession } from './pool.ts'
import { readReviews, reviewColumnsOf } from './review-rows.ts'

/** The ids of a page of a list. */
const idsPerPage = 10_000

/**
 * Opens a source of the current data: one transaction with one snapshot, which lasts until `close`. Until then,
 * PostgreSQL keeps the rows that imports replace.
 */
export async function openPostgresFeedSource(pool: PostgresPool): Promise<FeedSource> {
  const session = await pool.hold()
  try {
    await session.exec('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    return await readSource(session)
  } catch (error) {
    session.release()
    throw error
  }
}

interface Bounds {
  readonly seq: bigint
  readonly first: bigint
  readonly store_id: string
}

async function readSource(session: HeldSession): Promise<FeedSource> {
  // The first read determines the snapshot.
  const [bounds] = await session.query<Bounds>(
    `SELECT coalesce(max(seq), 0) AS seq, coalesce(min(seq), 1) AS first, (SELECT store_id FROM store_identity)
     FROM changes`,
  )
  const [seq, first] = [Number(bounds!.seq), Number(bounds!.first)]
  let isOpen = true
  return {
    position: await readPosition(session, seq),
    storeId: bounds!.store_id,
    follows: async earlier =>
      earlier.seq <= seq &&
      earlier.seq >= first - 1 &&
      (await readPosition(session, earlier.seq)).mark === earlier.mark,
    hasChangesSince: async since => since >= first - 1,
    locations: locationReader(session, 'true'),
    geos: locationReader(session, "category = 'GEO'"),
    reviews: reviewReader(session),
    enumValuesInUse: (): Promise<EnumValuesInUse> => readEnumValues(session),
    erasedAfter: since => readErasures(session, since >= first - 1 ? since : undefined),
    close: async () => {
      if (!isOpen) return
      isOpen = false
      await session.exec('ROLLBACK').finally(() => session.release())
    },
  }
}

async function readPosition(session: PostgresSession, seq: number): Promise<StorePosition> {
  const sql = `SELECT at_ms || ' ' || kind || ' ' || id AS mark FROM changes WHERE seq = $1`
  const [row] = await session.query<{ mark: string }>(sql, [seq])
  return { seq, mark: row?.mark ?? '' }
}

/** Returns the statement that reads a page of rows after the id $1: of a bounded number and size. */
const pageOf = (rows: string): string => `
  SELECT * FROM (
    SELECT *, sum(octet_length(record)) OVER (ORDER BY id) - octet_length(record) AS chars_before
    FROM (${rows} ORDER BY id LIMIT ${pageSize}) AS all_rows
  ) AS page WHERE chars_before < ${pageChars} ORDER BY id`

async function* pages<R extends { readonly id: Id }>(
  session: PostgresSession,
  sql: string,
  range?: IdRange,
): AsyncGenerator<R[]> {
  for (let last = range?.after ?? 0n; ; ) {
    const page = await session.query<R>(sql, [last])
    const rows = rowsWithin(page, range)
    if (rows.length > 0) yield rows
    if (page.length === 0 || rows.length < page.length) return
    last = page.at(-1)!.id
  }
}

function locationReader(session: PostgresSession, condition: string): FeedReader<LocationEntry> {
  const page = pageOf(`SELECT ${locationColumns} FROM locations WHERE ${condition} AND id > $1`)
  const byIds = `SELECT ${locationColumns} FROM locations WHERE ${condition} AND id = ANY($1)`
  const toEntry = (row: LocationRow) => toLocationEntry(session.json, row)
  return {
    count: range => countRows(session, `locations WHERE ${condition}`, range),
    all: async function* (range) {
      for await (const rows of pages<LocationRow>(session, page, range)) yield rows.map(toEntry)
    },
    changedAfter: seq =>
      readIds(session, 'SELECT DISTINCT id FROM changes WHERE seq > $2 AND kind = 1 AND id > $1', seq),
    getMany: async ids => {
      const found = new Map((await session.query<LocationRow>(byIds, [ids])).map(row => [row.id, toEntry(row)]))
      return ids.map(id => found.get(id))
    },
    ending: id => readEnding(session, 'location', id),
  }
}

function reviewReader(session: PostgresSession): FeedReader<PlacedReview> {
  const places = new PlaceCache(session)
  // The page is cut before the join, so that the reviews of few places are read.
  const page = pageOf(`SELECT ${reviewColumnsOf('reviews')} FROM (
      SELECT * FROM review_places WHERE id > $1 ORDER BY id LIMIT ${pageSize}
    ) AS next
    JOIN reviews ON reviews.location_id = next.location_id AND reviews.id = next.id`)
  const place = async (rows: readonly ReviewRow[]): Promise<(PlacedReview | undefined)[]> => {
    const found = await places.read(rows.map(row => row.location_id))
    return rows.map(row => {
      const of = found.get(row.location_id)
      return of && { review: toReview(session.json, row), of }
    })
  }
  return {
    count: range => countRows(session, 'review_places WHERE true', range),
    all: async function* (range) {
      for await (const rows of pages<ReviewRow>(session, page, range))
        yield (await place(rows)).filter(found => found !== undefined)
    },
    changedAfter: seq =>
      readIds(
        session,
        `SELECT id FROM changes WHERE seq > $2 AND kind = 2 AND id > $1
         UNION SELECT reviews.id FROM reviews WHERE reviews.id > $1
           AND location_id IN (SELECT id FROM changes WHERE seq > $2 AND kind = 1)`,
        seq,
      ),
    getMany: async ids => {
      const rows = await readReviews(session, ids)
      const placed = await place(rows)
      const found = new Map(rows.map((row, i) => [row.id, placed[i]]))
      return ids.map(id => found.get(id))
    },
    ending: id => readEnding(session, 'review', id),
  }
}

/** The places of reviews that were read last. */
class PlaceCache {
  readonly #session: PostgresSession
  readonly #known = new LRUCache<Id, LocationEntry>({ max: cachedPlaces, maxSize: cachedPlaceChars })

  constructor(session: PostgresSession) {
    this.#session = session
  }

  async read(ids: readonly Id[]): Promise<Map<Id, LocationEntry>> {
    const found = new Map<Id, LocationEntry>()
    const missing: Id[] = []
    for (const id of new Set(ids)) {
      const known = this.#known.get(id)
      if (known) found.set(id, known)
      else missing.push(id)
    }
    if (missing.length === 0) return found
    const sql = `SELECT ${locationColumns} FROM locations WHERE id = ANY($1)`
    for (const row of await this.#session.query<LocationRow>(sql, [missing])) {
      const entry = cacheRatings(toLocationEntry(this.#session.json, row))
      this.#known.set(row.id, entry, { size: row.record.length })
      found.set(row.id, entry)
    }
    return found
  }
}

/** Counts the rows of a range of ids, or all. */
async function countRows(session: PostgresSession, rows: string, range: IdRange | undefined): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${rows}${range ? ' AND id > $1 AND id <= $2' : ''}`
  const [row] = await session.query<{ count: bigint }>(sql, range ? [range.after, range.upTo] : [])
  return Number(row!.count)
}

/** Yields the ids of a statement in pages after the id $1; $2 is `seq`. */
async function* readIds(session: PostgresSession, sql: string, seq: number): AsyncGenerator<Id[]> {
  const page = `${sql} ORDER BY 1 LIMIT ${idsPerPage}`
  for (let last = 0n; ; ) {
    const rows = await session.query<{ id: Id }>(page, [last, seq])
    if (rows.length === 0) return
    last = rows.at(-1)!.id
    yield rows.map(({ id }) => id)
  }
}

interface EndingRow {
  readonly at_ms: bigint
  readonly reason: RecordEnding['reason']
  readonly into: Id | null
}

async function readEnding(session: PostgresSession, kind: RecordKind, id: Id): Promise<RecordEnding | undefined> {
  const [row] = await session.query<EndingRow>(
    `SELECT at_ms, reason, CASE reason WHEN 'merged' THEN (SELECT to_id FROM merges WHERE from_id = id) END AS "into"
     FROM tombstones WHERE kind = $1 AND id = $2`,
    [kindNumber[kind], id],
  )
  return row && { reason: row.reason, atMs: Number(row.at_ms), ...(row.into !== null && { mergedInto: row.into }) }
}

interface ErasedRow {
  readonly at: bigint
  readonly kind: number
  readonly id: Id
}

/** Yields the records that were erased after a number of the change log, in the order of numbers; or all. */
async function* readErasures(
  session: PostgresSession,
  since: number | undefined,
): AsyncGenerator<{ kind: RecordKind; id: Id }[]> {
  const after = `
    SELECT seq AS at, changes.kind, changes.id FROM changes JOIN tombstones USING (kind, id)
    WHERE seq > $1 AND op = 'delete' AND reason = 'erased' ORDER BY seq LIMIT ${idsPerPage}`
  // Only reviews are erased.
  const all = `
    SELECT id AS at, kind, id FROM tombstones WHERE reason = 'erased' AND kind = 2 AND id > $1
    ORDER BY id LIMIT ${idsPerPage}`
  for (let last = BigInt(since ?? 0); ; ) {
    const rows = await session.query<ErasedRow>(since === undefined ? all : after, [last])
    if (rows.length === 0) return
    last = rows.at(-1)!.at
    yield rows.map(({ kind, id }) => ({ kind: kindOfNumber(kind), id }))
  }
}
