import type { Id } from '../../domain/id.ts'
import { countReview, emptyTotals, type ReviewTotals } from '../../domain/ratings.ts'
import type { Review } from '../../domain/review.ts'
import type { Sqlite } from '../connection.ts'
import type { ChangeRecorder } from './change-log.ts'
import { prepareReviewRanks } from './review-ranks.ts'

/** Collects the changes of a batch to review totals, so that each location is written once per batch. */
export interface TotalsBatch {
  count(review: Review, sign: 1 | -1): void
  /** Writes the totals that differ, and records a change of each of their locations that still exists. */
  flush(): void
}

/** Returns a function that creates the totals of a batch, for use inside one transaction on data.sqlite. */
export function prepareReviewTotals(data: Sqlite): (atMs: number, changes: ChangeRecorder) => TotalsBatch {
  const get = data.prepare<[Id], string>('SELECT totals FROM review_totals WHERE location_id = ?').pluck()
  const put = data.prepare('INSERT OR REPLACE INTO review_totals (location_id, updated_ms, totals) VALUES (?, ?, ?)')
  const remove = data.prepare('DELETE FROM review_totals WHERE location_id = ?')
  const exists = data.prepare<[Id], number>('SELECT 1 FROM locations WHERE id = ?').pluck()
  const rank = prepareReviewRanks(data)
  return (atMs, changes) => {
    const touched = new Map<Id, { before: string | undefined; totals: ReviewTotals }>()
    const load = (id: Id): ReviewTotals => {
      const known = touched.get(id)
      if (known) return known.totals
      const before = get.get(id)
      const totals = before === undefined ? emptyTotals() : data.parseJson<ReviewTotals>(before)
      touched.set(id, { before, totals })
      return totals
    }
    return {
      count: (review, sign) => countReview(load(review.locationId), review, sign),
      flush: () => {
        for (const [id, { before, totals }] of touched) {
          const after = JSON.stringify(totals)
          if (after === before || (before === undefined && totals.reviews === 0)) continue
          if (totals.reviews === 0) remove.run(id)
          else put.run(id, atMs, after)
          rank(id, totals.reviews)
          // A location that this batch removed keeps its tombstone. A location with reviews exists: looking it
          // up would read a page per review.
          if (totals.reviews > 0 || exists.get(id)) changes.upserted('location', id)
        }
      },
    }
  }
}
