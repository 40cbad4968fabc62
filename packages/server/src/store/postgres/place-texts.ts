import type { PlaceTextReader, PlaceTextSource } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { ReviewSample } from '../../domain/review-query.ts'
import { type LocationRow, toLocationEntry } from '../rows/location-entry.ts'
import { pickSample, type SampledReview, sampledReviews } from '../rows/place-sample.ts'
import { type ReviewRow, toReview } from '../rows/review-row.ts'
import { locationColumns } from './locations.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { reviewColumnsOf } from './review-rows.ts'

const place = `SELECT ${locationColumns} FROM locations WHERE id = $1`
const newest = `
  SELECT id, trip_type, language FROM reviews WHERE location_id = $1 ORDER BY published_ms DESC, id DESC LIMIT $2`
const byId = `SELECT ${reviewColumnsOf('reviews')} FROM reviews WHERE location_id = $1 AND id = ANY($2)`

/** Reads texts; each call of `readConsistently` is one read transaction. */
export function createPostgresPlaceTexts(pool: PostgresPool): PlaceTextSource {
  let last: Promise<unknown> = Promise.resolve()
  return {
    readConsistently: work => {
      const read = () =>
        pool.transaction(session => work(textReader(session)), { mode: 'ISOLATION LEVEL REPEATABLE READ, READ ONLY' })
      const done = last.then(read)
      last = done.catch(() => {})
      return done
    },
  }
}

const textReader = (session: PostgresSession): PlaceTextReader => ({
  read: async (id, sample) => {
    const [row] = await session.query<LocationRow>(place, [id])
    if (!row) return undefined
    const entry = toLocationEntry(session.json, row)
    const location = entry.location()
    return { location, ratings: entry.ratings(location), reviews: await readSample(session, id, sample) }
  },
})

async function readSample(session: PostgresSession, id: Id, sample: ReviewSample) {
  const searched = await session.query<SampledReview>(newest, [id, sampledReviews(sample)])
  const ids = pickSample(searched, sample)
  const rows = await session.query<ReviewRow>(byId, [id, ids])
  const found = new Map(rows.map(row => [row.id, row]))
  return ids
    .map(review => found.get(review))
    .filter(row => row !== undefined)
    .slice(0, sample.most)
    .map(row => toReview(session.json, row))
}
