import { type Id, maxId } from '../../domain/id.ts'
import type { ModeratedReview, ReviewList, ReviewListQuery } from '../../domain/review-list.ts'
import type { Sqlite } from '../connection.ts'
import { type FullReviewRow, toReview } from '../rows/review-row.ts'
import { matchesText, mayMatch } from '../rows/review-scan.ts'

const tables = { shown: 'reviews', hidden: 'hidden_reviews' } as const

type State = keyof typeof tables

/** Opens the reviews in data.sqlite for moderators; control.sqlite has the reasons of decisions. */
export function createSqliteReviewList(data: Sqlite, control: Sqlite): ReviewList {
  const reasonOf = control
    .prepare<[Id], string | null>("SELECT reason FROM moderated_reviews WHERE id = ? AND state = 'hidden'")
    .pluck()
  const readers = { shown: prepareReader(data, 'shown'), hidden: prepareReader(data, 'hidden') }
  const present = (row: FullReviewRow, state: State): ModeratedReview => {
    const reason = state === 'hidden' ? reasonOf.get(row.id) : undefined
    const review = { ...toReview(data, row), ...(row.user_key !== null && { userKey: row.user_key }) }
    return { review, state, ...(reason && { reason }) }
  }
  return {
    find: async id => {
      for (const state of ['shown', 'hidden'] as const) {
        const row = readers[state].find(id)
        if (row) return present(row, state)
      }
      return undefined
    },
    list: async query => readers[query.state].list(query).map(row => present(row, query.state)),
    count: async state => readers[state].count.get() ?? 0,
    scan: async query => {
      const { state, rows } = query
      const read = readers[state].list({ state, limit: rows, after: query.after })
      const reviews = read.filter(row => mayMatch(row, query)).map(row => present(row, state))
      return {
        reviews: reviews.filter(({ review }) => matchesText(review, query.text)),
        read: read.length,
        ...(read.length === rows && { last: read.at(-1)!.id }),
      }
    },
  }
}

function prepareReader(data: Sqlite, state: State) {
  const table = tables[state]
  const one = data.prepare<[Id], FullReviewRow>(`SELECT * FROM ${table} WHERE id = ?`).safeIntegers()
  const all = data
    .prepare<[Id, number], FullReviewRow>(`SELECT * FROM ${table} WHERE id <= ? ORDER BY id DESC LIMIT ?`)
    .safeIntegers()
  const ofLocation = data
    .prepare<[Id, Id, number], FullReviewRow>(
      `SELECT * FROM ${table} WHERE location_id = ? AND id <= ? ORDER BY id DESC LIMIT ?`,
    )
    .safeIntegers()
  const count = data.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck()
  return {
    count,
    find: (id: Id) => one.get(id),
    list: ({ locationId, limit, after = maxId + 1n }: ReviewListQuery) => {
      const last = after - 1n
      return locationId === undefined ? all.all(last, limit) : ofLocation.all(locationId, last, limit)
    },
  }
}
