import type { Id } from '../../domain/id.ts'
import { countReview, emptyTotals, type ReviewTotals } from '../../domain/ratings.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import type { Review } from '../../domain/review.ts'
import type { JsonColumns } from '../sql/database.ts'

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

/** Records changes and updates the tombstones, in the transaction of the recorded changes. */
export interface ChangeRecorder {
  upserted(kind: RecordKind, id: Id): void
  removed(kind: RecordKind, id: Id, reason: 'removed' | 'erased'): void
  merged(id: Id, into: Id): void
}

/** Collects the changes of a batch to review totals, so that each location is written once per batch. */
export interface TotalsBatch {
  count(review: Review, sign: 1 | -1): void
  /** Writes the totals that differ, and records a change of each of their locations that still exists. */
  flush(): void
}

/** The stored totals of reviews: ReviewTotals as JSON. */
export interface TotalsRows extends JsonColumns {
  get(id: Id): string | undefined
  put(id: Id, atMs: number, totals: string, reviews: number): void
  remove(id: Id, atMs: number): void
  /** Returns true if the location is stored. */
  hasLocation(id: Id): boolean
}

/** Creates the totals of a batch. */
export function createTotalsBatch(rows: TotalsRows, atMs: number, changes: ChangeRecorder): TotalsBatch {
  const touched = new Map<Id, { before: string | undefined; totals: ReviewTotals }>()
  const load = (id: Id): ReviewTotals => {
    const known = touched.get(id)
    if (known) return known.totals
    const before = rows.get(id)
    const totals = before === undefined ? emptyTotals() : rows.parseJson<ReviewTotals>(before)
    touched.set(id, { before, totals })
    return totals
  }
  return {
    count: (review, sign) => countReview(load(review.locationId), review, sign),
    flush: () => {
      for (const [id, { before, totals }] of touched) {
        const after = JSON.stringify(totals)
        if (after === before || (before === undefined && totals.reviews === 0)) continue
        if (totals.reviews === 0) rows.remove(id, atMs)
        else rows.put(id, atMs, after, totals.reviews)
        // A location that this batch removed keeps its tombstone. A location with reviews exists: looking it
        // up would read a page per review.
        if (totals.reviews > 0 || rows.hasLocation(id)) changes.upserted('location', id)
      }
    },
  }
}
