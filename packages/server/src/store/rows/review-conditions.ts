import type { ReviewQuery } from '../../domain/review-query.ts'
import { undatedMs } from './codes.ts'

/** A value of a placeholder. */
type Binding = string | number | bigint

/** A WHERE clause and the values of its placeholders. */
export interface Conditions {
  readonly sql: string
  readonly bindings: readonly Binding[]
}

/** Builds the WHERE clause of a query. The recency index and review_ranks contain all of its columns. */
export function buildConditions(query: ReviewQuery): Conditions {
  const sql = ['location_id = ?']
  const bindings: Binding[] = [query.locationId]
  const add = (text: string, ...values: Binding[]) => {
    sql.push(text)
    bindings.push(...values)
  }
  if (query.language !== undefined) {
    add(
      "(language = ? OR (language >= ? || '-' AND language < ? || '.'))",
      query.language,
      query.language,
      query.language,
    )
  }
  if (query.ratingMin !== undefined) add('rating >= ?', Math.ceil(query.ratingMin * 100))
  if (query.tripType !== undefined) add('trip_type = ?', query.tripType)
  if (query.publishedAfterMs !== undefined) add('published_ms > ?', query.publishedAfterMs)
  if (query.publishedAfter) {
    add('(published_ms, id) > (?, ?)', query.publishedAfter.publishedMs ?? undatedMs, query.publishedAfter.id)
  }
  return { sql: sql.join(' AND '), bindings }
}
