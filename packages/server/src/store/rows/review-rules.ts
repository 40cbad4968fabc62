import type { Id } from '../../domain/id.ts'
import type { ReviewWrite, WriteOutcome } from '../../domain/record-write.ts'
import type { Review } from '../../domain/review.ts'
import type { JsonColumns } from '../sql/database.ts'
import type { Batch } from './batch.ts'
import type { Decisions } from './decision-rules.ts'
import { withoutErasedReviewPhotos } from './kept-photos.ts'
import { hasValues, type ReviewRows, toReview, toReviewValues } from './review-row.ts'

/** The stored reviews, as the rules read and write them. */
export interface StoredReviews extends JsonColumns {
  readonly shown: ReviewRows
  readonly hidden: ReviewRows
}

/**
 * Creates the function that writes reviews in the transaction of a batch. It reads decisions in the same transaction: a
 * concurrent decision is either read here, or finds the row when it is applied.
 */
export function createReviewWriter(reviews: StoredReviews, decisions: Decisions) {
  const { shown, hidden } = reviews

  const show = (review: Review, batch: Batch): WriteOutcome => {
    const values = toReviewValues(review)
    const before = shown.get(review.id)
    if (before) {
      if (hasValues(before, values)) return 'unchanged'
      batch.totals.count(toReview(reviews, before), -1)
    }
    shown.put(before, values, review.id)
    batch.totals.count(review, 1)
    batch.changes.upserted('review', review.id)
    return before ? 'changed' : 'added'
  }

  const keepHidden = (review: Review, batch: Batch): WriteOutcome => {
    removeShown(review.id, batch)
    const values = toReviewValues(review)
    const before = hidden.get(review.id)
    if (before && hasValues(before, values)) return 'unchanged'
    hidden.put(before, values, review.id)
    return before ? 'changed' : 'added'
  }

  const removeShown = (id: Id, batch: Batch): boolean => {
    const before = shown.get(id)
    if (!before) return false
    shown.remove(id)
    batch.totals.count(toReview(reviews, before), -1)
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
    const kept = withoutErasedReviewPhotos(review, decisions)
    return decision === 'hidden' ? keepHidden(kept, batch) : show(kept, batch)
  }

  return (write: ReviewWrite, batch: Batch): WriteOutcome =>
    write.op === 'put' ? put(write.review, batch) : remove(write.id, batch)
}
