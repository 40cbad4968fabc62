import type { Id } from '../../domain/id.ts'
import type { ReviewWrite, WriteOutcome } from '../../domain/record-write.ts'
import type { Review, ReviewBody } from '../../domain/review.ts'
import type { Sqlite } from '../connection.ts'
import type { ChangeRecorder } from './change-log.ts'
import { undatedMs } from './codes.ts'
import type { Decisions } from './decisions.ts'
import type { TotalsBatch } from './review-totals.ts'
import { type ReviewRow, toReview } from './reviews.ts'

/** State of one batch: its time, and the changes that it collects. */
export interface Batch {
  readonly atMs: number
  readonly changes: ChangeRecorder
  readonly totals: TotalsBatch
  /** True if a review may have been hidden or erased. */
  readonly hasDecisions: boolean
  /** True if an operator may have overridden a location. */
  readonly hasOverrides: boolean
}

type FullRow = ReviewRow & { user_key: string | null }

/**
 * Creates the function that writes reviews in the transaction of a batch. It reads decisions in the same transaction: a
 * concurrent decision is either read here, or finds the row when it is applied.
 */
export function createReviewWriter(data: Sqlite, decisions: Decisions) {
  const shown = rowsOf(data, 'reviews')
  const hidden = rowsOf(data, 'hidden_reviews')

  const show = (review: Review, batch: Batch): WriteOutcome => {
    const values = columnsOf(review)
    const before = shown.get(review.id)
    if (before) {
      if (sameRow(before, values)) return 'unchanged'
      batch.totals.count(toReview(data, before), -1)
    }
    shown.put(before, values, review.id)
    batch.totals.count(review, 1)
    batch.changes.upserted('review', review.id)
    return before ? 'changed' : 'added'
  }

  const keepHidden = (review: Review, batch: Batch): WriteOutcome => {
    removeShown(review.id, batch)
    const values = columnsOf(review)
    const before = hidden.get(review.id)
    if (before && sameRow(before, values)) return 'unchanged'
    hidden.put(before, values, review.id)
    return before ? 'changed' : 'added'
  }

  const removeShown = (id: Id, batch: Batch): boolean => {
    const before = shown.get(id)
    if (!before) return false
    shown.remove(id)
    batch.totals.count(toReview(data, before), -1)
    batch.changes.removed('review', id, 'removed')
    return true
  }

  const remove = (id: Id, batch: Batch): WriteOutcome =>
    removeShown(id, batch) || (batch.hasDecisions && hidden.remove(id)) ? 'removed' : 'unchanged'

  const put = (review: Review, batch: Batch): WriteOutcome => {
    if (!batch.hasDecisions) return show(review, batch)
    if (review.userKey !== undefined && decisions.isErasedUser(review.userKey)) return 'erased'
    const decision = decisions.findState(review.id)
    if (decision === 'erased') return 'erased'
    return decision === 'hidden' ? keepHidden(review, batch) : show(review, batch)
  }

  return (write: ReviewWrite, batch: Batch): WriteOutcome =>
    write.op === 'put' ? put(write.review, batch) : remove(write.id, batch)
}

function rowsOf(data: Sqlite, table: 'reviews' | 'hidden_reviews') {
  const get = data.prepare<[Id], FullRow>(`SELECT * FROM ${table} WHERE id = ?`).safeIntegers()
  const insert = data.prepare(
    `INSERT INTO ${table} (location_id, published_ms, rating, language, trip_type, user_key, record, id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = data.prepare(
    `UPDATE ${table} SET location_id = ?, published_ms = ?, rating = ?, language = ?, trip_type = ?, user_key = ?,
     record = ? WHERE id = ?`,
  )
  const remove = data.prepare(`DELETE FROM ${table} WHERE id = ?`)
  return {
    get: (id: Id) => get.get(id),
    put: (before: FullRow | undefined, values: ReviewColumns, id: Id) => (before ? update : insert).run(...values, id),
    remove: (id: Id) => remove.run(id).changes > 0,
  }
}

type ReviewColumns = ReturnType<typeof columnsOf>

function columnsOf(review: Review) {
  const { id: _, locationId, publishedMs, rating, language, tripType, userKey, ...body } = review
  return [
    locationId,
    BigInt(publishedMs ?? undatedMs),
    BigInt(Math.round((rating ?? 0) * 100)),
    language ?? null,
    tripType ?? null,
    userKey ?? null,
    JSON.stringify(body satisfies ReviewBody),
  ] as const
}

function sameRow(row: FullRow, values: ReviewColumns): boolean {
  const now = [row.location_id, row.published_ms, row.rating, row.language, row.trip_type, row.user_key, row.record]
  return now.every((value, i) => value === values[i])
}
