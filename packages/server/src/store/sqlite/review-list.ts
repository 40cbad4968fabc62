import { type Id, maxId } from '../../domain/id.ts'
import type { ReviewList, ReviewListQuery } from '../../domain/review-list.ts'
import type { Sqlite } from '../connection.ts'
import { type ReviewRow, toReview } from './reviews.ts'

const tables = { shown: 'reviews', hidden: 'hidden_reviews' } as const

/** Opens the reviews in data.sqlite for moderators. */
export function createSqliteReviewList(data: Sqlite): ReviewList {
  const read = (state: 'shown' | 'hidden') => {
    const table = tables[state]
    const one = data.prepare<[Id], ReviewRow>(`SELECT * FROM ${table} WHERE id = ?`).safeIntegers()
    const all = data
      .prepare<[Id, number], ReviewRow>(`SELECT * FROM ${table} WHERE id <= ? ORDER BY id DESC LIMIT ?`)
      .safeIntegers()
    const ofLocation = data
      .prepare<[Id, Id, number], ReviewRow>(
        `SELECT * FROM ${table} WHERE location_id = ? AND id <= ? ORDER BY id DESC LIMIT ?`,
      )
      .safeIntegers()
    return {
      find: (id: Id) => one.get(id),
      list: ({ locationId, limit, after = maxId + 1n }: ReviewListQuery) => {
        const last = after - 1n
        return locationId === undefined ? all.all(last, limit) : ofLocation.all(locationId, last, limit)
      },
    }
  }
  const readers = { shown: read('shown'), hidden: read('hidden') }
  return {
    find: async id => {
      for (const state of ['shown', 'hidden'] as const) {
        const row = readers[state].find(id)
        if (row) return { review: toReview(data, row), state }
      }
      return undefined
    },
    list: async query =>
      readers[query.state].list(query).map(row => ({ review: toReview(data, row), state: query.state })),
  }
}
