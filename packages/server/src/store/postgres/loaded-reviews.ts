import type { Id } from '../../domain/id.ts'
import { inPieces, storable } from '../rows/copy-text.ts'
import type { FullReviewRow, ReviewRows, ReviewValues } from '../rows/review-row.ts'
import type { PostgresSession } from './pool.ts'
import { removeReviewRows } from './review-rows.ts'

/** Reviews of one state that a batch has loaded, and their changes. */
export class LoadedReviews implements ReviewRows {
  readonly #stored = new Map<Id, FullReviewRow>()
  readonly #now = new Map<Id, FullReviewRow | undefined>()

  load(rows: Iterable<FullReviewRow>): void {
    for (const row of rows) this.#stored.set(row.id, row)
  }

  get(id: Id): FullReviewRow | undefined {
    return this.#now.has(id) ? this.#now.get(id) : this.#stored.get(id)
  }

  put(_before: FullReviewRow | undefined, values: ReviewValues, id: Id): void {
    const [location_id, published_ms, rating, language, trip_type, user_key, record] = values
    this.#now.set(id, { id, location_id, published_ms, rating, language, trip_type, user_key, record })
  }

  remove(id: Id): boolean {
    const existed = this.get(id) !== undefined
    if (existed) this.#now.set(id, undefined)
    return existed
  }

  /** Returns the reviews that differ from their stored rows. */
  changes(): ReviewChanges {
    const changes: ReviewChanges = { added: [], removed: [], changed: [] }
    for (const [id, now] of this.#now) {
      const before = this.#stored.get(id)
      if (now && before) changes.changed.push({ before, now })
      else if (now) changes.added.push(now)
      else if (before) changes.removed.push(before)
    }
    return changes
  }
}

export interface ReviewChanges {
  readonly added: FullReviewRow[]
  readonly removed: FullReviewRow[]
  readonly changed: { readonly before: FullReviewRow; readonly now: FullReviewRow }[]
}

const columns = 'location_id, id, published_ms, rating, language, trip_type, user_key, record'
const toValues = (row: FullReviewRow) => [
  row.location_id,
  row.id,
  row.published_ms,
  row.rating,
  storable(row.language),
  storable(row.trip_type),
  storable(row.user_key),
  row.record,
]
const copyIn = (session: PostgresSession, table: string, rows: readonly FullReviewRow[]): Promise<void> =>
  session.copyIn(`COPY ${table} (${columns}) FROM STDIN`, inPieces(rows.map(toValues)))

const copyPlaces = (session: PostgresSession, rows: readonly FullReviewRow[]): Promise<void> =>
  session.copyIn(
    'COPY review_places (id, location_id) FROM STDIN',
    inPieces(rows.map(row => [row.id, row.location_id])),
  )

/** Writes the changes of shown reviews, their places and their ranks. A changed row is replaced. */
export async function writeShown(
  session: PostgresSession,
  changes: ReviewChanges,
  isRanked: (locationId: Id) => boolean,
): Promise<void> {
  const { added, removed, changed } = changes
  const moved = changed.filter(({ before, now }) => before.location_id !== now.location_id)
  const ended = [...removed, ...changed.map(({ before }) => before)]
  const written = [...added, ...changed.map(({ now }) => now)]
  const withoutPlace = [...removed, ...moved.map(({ before }) => before)].map(({ id }) => id)
  const placed = [...added, ...moved.map(({ now }) => now)]
  if (ended.length > 0) await removeReviewRows(session, ended)
  if (withoutPlace.length > 0) await session.run('DELETE FROM review_places WHERE id = ANY($1)', [withoutPlace])
  if (written.length > 0) await copyIn(session, 'reviews', written)
  if (placed.length > 0) await copyPlaces(session, placed)
  await removeRanks(
    session,
    ended.filter(row => isRanked(row.location_id)),
  )
  await addRanks(
    session,
    written.filter(row => isRanked(row.location_id)),
  )
}

/** Writes the changes of hidden reviews. */
export async function writeHidden(session: PostgresSession, { added, removed, changed }: ReviewChanges): Promise<void> {
  const ids = [...removed.map(({ id }) => id), ...changed.map(({ now }) => now.id)]
  if (ids.length > 0) await session.run('DELETE FROM hidden_reviews WHERE id = ANY($1)', [ids])
  const rows = [...added, ...changed.map(({ now }) => now)]
  if (rows.length > 0) await copyIn(session, 'hidden_reviews', rows)
}

const rankColumns = 'location_id, rating, published_ms, id, language, trip_type'

/** Removes reviews from the order by rating of their places. */
async function removeRanks(session: PostgresSession, rows: readonly FullReviewRow[]): Promise<void> {
  if (rows.length === 0) return
  await session.run(
    `DELETE FROM review_ranks USING unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[])
       AS gone (location_id, rating, published_ms, id)
     WHERE review_ranks.location_id = gone.location_id AND review_ranks.rating = gone.rating
       AND review_ranks.published_ms = gone.published_ms AND review_ranks.id = gone.id`,
    [
      rows.map(row => row.location_id),
      rows.map(row => row.rating),
      rows.map(row => row.published_ms),
      rows.map(row => row.id),
    ],
  )
}

/** Adds reviews to the order by rating of their places. */
async function addRanks(session: PostgresSession, rows: readonly FullReviewRow[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(row => [
    row.location_id,
    row.rating,
    row.published_ms,
    row.id,
    storable(row.language),
    storable(row.trip_type),
  ])
  await session.copyIn(`COPY review_ranks (${rankColumns}) FROM STDIN`, inPieces(values))
}

/** Stores the order by rating of places that had none. */
export async function fillRanks(session: PostgresSession, locationIds: readonly Id[]): Promise<void> {
  await session.run(
    `INSERT INTO review_ranks (${rankColumns}) SELECT ${rankColumns} FROM reviews WHERE location_id = ANY($1)`,
    [locationIds],
  )
}

/** Removes all reviews of places. */
export async function removeReviewsOf(session: PostgresSession, locationIds: readonly Id[]): Promise<void> {
  await session.run(
    `WITH gone AS (DELETE FROM reviews WHERE location_id = ANY($1) RETURNING id)
     DELETE FROM review_places USING gone WHERE review_places.id = gone.id`,
    [locationIds],
  )
  await session.run('DELETE FROM hidden_reviews WHERE location_id = ANY($1)', [locationIds])
  await session.run('DELETE FROM review_ranks WHERE location_id = ANY($1)', [locationIds])
}

/** Moves all reviews of a place; `isRanked`: the place that gets them has an order by rating. */
export async function moveReviewsOf(session: PostgresSession, from: Id, to: Id, isRanked: boolean): Promise<void> {
  if (isRanked)
    await session.run(
      `INSERT INTO review_ranks (${rankColumns})
       SELECT $2, rating, published_ms, id, language, trip_type FROM reviews WHERE location_id = $1`,
      [from, to],
    )
  await session.run('DELETE FROM review_ranks WHERE location_id = $1', [from])
  await session.run(
    `WITH moved AS (UPDATE reviews SET location_id = $2 WHERE location_id = $1 RETURNING id)
     UPDATE review_places SET location_id = $2 FROM moved WHERE review_places.id = moved.id`,
    [from, to],
  )
  await session.run('UPDATE hidden_reviews SET location_id = $2 WHERE location_id = $1', [from, to])
}
