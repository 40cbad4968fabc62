import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'
import { type FullReviewRow, type ReviewRows, reviewColumns } from '../rows/review-row.ts'
import type { StoredReviews } from '../rows/review-rules.ts'

/** Returns the stored reviews in data.sqlite. */
export const createSqliteReviewRows = (data: Sqlite): StoredReviews => ({
  shown: rowsOf(data, 'reviews'),
  hidden: rowsOf(data, 'hidden_reviews'),
  parseJson: text => data.parseJson(text),
})

function rowsOf(data: Sqlite, table: 'reviews' | 'hidden_reviews'): ReviewRows {
  const get = data.prepare<[Id], FullReviewRow>(`SELECT * FROM ${table} WHERE id = ?`).safeIntegers()
  const insert = data.prepare(
    `INSERT INTO ${table} (${reviewColumns.join(', ')}, id) VALUES (${reviewColumns.map(() => '?').join(', ')}, ?)`,
  )
  const update = data.prepare(`UPDATE ${table} SET ${reviewColumns.map(name => `${name} = ?`).join(', ')} WHERE id = ?`)
  const remove = data.prepare(`DELETE FROM ${table} WHERE id = ?`)
  return {
    get: id => get.get(id),
    put: (before, values, id) => void (before ? update : insert).run(...values, id),
    remove: id => remove.run(id).changes > 0,
  }
}
