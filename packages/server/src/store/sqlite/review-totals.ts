import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'
import { type ChangeRecorder, createTotalsBatch, type TotalsBatch, type TotalsRows } from '../rows/batch.ts'
import { prepareReviewRanks } from './review-ranks.ts'

/** Returns a function that creates the totals of a batch, for use inside one transaction on data.sqlite. */
export function prepareReviewTotals(data: Sqlite): (atMs: number, changes: ChangeRecorder) => TotalsBatch {
  const get = data.prepare<[Id], string>('SELECT totals FROM review_totals WHERE location_id = ?').pluck()
  const put = data.prepare('INSERT OR REPLACE INTO review_totals (location_id, updated_ms, totals) VALUES (?, ?, ?)')
  const remove = data.prepare('DELETE FROM review_totals WHERE location_id = ?')
  const exists = data.prepare<[Id], number>('SELECT 1 FROM locations WHERE id = ?').pluck()
  const rank = prepareReviewRanks(data)
  const rows: TotalsRows = {
    get: id => get.get(id),
    put: (id, atMs, totals, reviews) => {
      put.run(id, atMs, totals)
      rank(id, reviews)
    },
    remove: id => void remove.run(id),
    hasLocation: id => exists.get(id) !== undefined,
    parseJson: text => data.parseJson(text),
  }
  return (atMs, changes) => createTotalsBatch(rows, atMs, changes)
}
