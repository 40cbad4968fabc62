import type { Erased } from '../../domain/erased.ts'
import type { Id } from '../../domain/id.ts'
import type { ExternalKey } from '../../domain/record-write.ts'
import type { Batch } from './batch.ts'
import type { Decisions } from './decision-rules.ts'
import { type FullReviewRow, toReview, valuesOfRow } from './review-row.ts'
import type { StoredReviews } from './review-rules.ts'

/** The stores that moderation reads and writes. */
export interface ModeratedStores {
  readonly reviews: StoredReviews
  readonly decisions: Decisions
  /** Deletes and returns the external key of a review; its id stays assigned. */
  release(id: Id): ExternalKey | undefined
}

/** One decision: its batch, and the function that commits its decision rows and record. */
export interface DecisionStep {
  readonly batch: Pick<Batch, 'atMs' | 'changes' | 'totals'>
  commit(work: () => void): void
}

/** Hides a review. */
export function hideReview(
  { reviews, decisions }: ModeratedStores,
  id: Id,
  reason: string | undefined,
  { batch, commit }: DecisionStep,
): 'hidden' | 'unchanged' | 'unknown' | 'erased' {
  const before = decisions.findState(id)
  if (before === 'erased') return 'erased'
  const row = reviews.shown.get(id)
  if (!row) return before === 'hidden' ? 'unchanged' : 'unknown'
  commit(() => decisions.hide(id, batch.atMs, reason))
  reviews.hidden.put(undefined, valuesOfRow(row), id)
  reviews.shown.remove(id)
  batch.totals.count(toReview(reviews, row), -1)
  batch.changes.removed('review', id, 'removed')
  return 'hidden'
}

/** Shows a hidden review. */
export function showReview(
  { reviews, decisions }: ModeratedStores,
  id: Id,
  { batch, commit }: DecisionStep,
): 'shown' | 'unchanged' | 'removed' | 'unknown' | 'erased' {
  const before = decisions.findState(id)
  if (before === 'erased') return 'erased'
  if (before === undefined) return reviews.shown.get(id) ? 'unchanged' : 'unknown'
  const row = reviews.hidden.get(id)
  commit(() => decisions.clearState(id))
  if (!row) return 'removed'
  reviews.shown.put(undefined, valuesOfRow(row), id)
  reviews.hidden.remove(id)
  batch.totals.count(toReview(reviews, row), 1)
  batch.changes.upserted('review', id)
  return 'shown'
}

/** Erases reviews; `changed` is true if one of them was not erased before. Part of the commit of the decision. */
export function eraseReviews(
  stores: ModeratedStores,
  ids: readonly Id[],
  batch: DecisionStep['batch'],
): { readonly erased: Erased; readonly changed: boolean } {
  const all = ids.map(id => eraseOne(stores, id, batch))
  const rows = all.flatMap(({ row }) => row ?? [])
  const texts = rows.flatMap(({ record, user_key: user }) => [record, user ?? ''])
  return { erased: { ids, removed: rows.length, texts }, changed: all.some(({ changed }) => changed) }
}

function eraseOne(
  { reviews, decisions, release }: ModeratedStores,
  id: Id,
  { atMs, changes, totals }: DecisionStep['batch'],
): { row: FullReviewRow | undefined; changed: boolean } {
  const shown = reviews.shown.get(id)
  const row = shown ?? reviews.hidden.get(id)
  const decided = decisions.findState(id) === 'erased'
  if (!decided) {
    decisions.erase(id, atMs)
    const { source, sourceId } = release(id) ?? {}
    if (source !== undefined && sourceId !== undefined) decisions.eraseKey(source, sourceId, atMs)
  }
  if (row || !decided) changes.removed('review', id, 'erased')
  if (shown) totals.count(toReview(reviews, shown), -1)
  reviews.shown.remove(id)
  reviews.hidden.remove(id)
  return { row, changed: row !== undefined || !decided }
}
