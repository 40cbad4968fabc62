import type { PlaceTextReader, PlaceTextSource } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'
import { pickSample, type SampledReview, sampledReviews } from '../rows/place-sample.ts'
import { type ReviewRow, toReview } from '../rows/review-row.ts'
import { createSqliteLocations } from './locations.ts'

const columns = 'id, location_id, published_ms, rating, language, trip_type, record'

/** Reads texts on a dedicated connection; each call of `readConsistently` is one read transaction. */
export function createSqlitePlaceTexts(db: Sqlite): PlaceTextSource {
  const reader = textReader(db)
  let last: Promise<unknown> = Promise.resolve()
  const inTransaction = async <T>(work: (texts: PlaceTextReader) => Promise<T>): Promise<T> => {
    db.exec('BEGIN')
    try {
      return await work(reader)
    } finally {
      db.exec('ROLLBACK')
    }
  }
  return {
    readConsistently: work => {
      const done = last.then(() => inTransaction(work))
      last = done.catch(() => {})
      return done
    },
  }
}

/** Reads the newest entries of one index, and only as many rows as are requested. */
function textReader(db: Sqlite): PlaceTextReader {
  const locations = createSqliteLocations(db)
  const newest = db
    .prepare<[Id, number], SampledReview>(
      `SELECT id, trip_type, language FROM reviews INDEXED BY reviews_by_recency
       WHERE location_id = ? ORDER BY published_ms DESC, id DESC LIMIT ?`,
    )
    .safeIntegers()
  const byId = db.prepare<[Id], ReviewRow>(`SELECT ${columns} FROM reviews WHERE id = ?`).safeIntegers()
  return {
    read: async (id, sample) => {
      const entry = await locations.get(id)
      if (entry?.id !== id) return undefined
      const location = entry.location()
      const rows = pickSample(newest.all(id, sampledReviews(sample)), sample)
        .map(review => byId.get(review))
        .filter(row => row?.location_id === id)
        .slice(0, sample.most)
      return { location, ratings: entry.ratings(location), reviews: rows.map(row => toReview(db, row!)) }
    },
  }
}
