import type { PlaceTextReader, PlaceTextSource } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { ReviewSample } from '../../domain/review-query.ts'
import type { Sqlite } from '../connection.ts'
import { createSqliteLocations } from './locations.ts'
import { type ReviewRow, toReview } from './reviews.ts'

/** Number of index entries that are searched for preferred reviews; their rows are not read. */
const newestSearched = 40
/** Maximum number of preferred languages. */
const maxLanguages = 3

interface NewestQuery {
  readonly id: Id
  readonly most: number
}

interface Preference {
  readonly preferred: string
}

const columns = 'id, location_id, published_ms, rating, language, trip_type, record'
const newestOf = (selected: string) =>
  `SELECT ${selected} FROM reviews INDEXED BY reviews_by_recency
   WHERE location_id = @id ORDER BY published_ms DESC, id DESC LIMIT @most`

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
  const newest = db.prepare<[NewestQuery], ReviewRow>(newestOf(columns)).safeIntegers()
  const byId = db.prepare<[Id], ReviewRow>(`SELECT ${columns} FROM reviews WHERE id = ?`).safeIntegers()
  const among = `SELECT id FROM (${newestOf('id, trip_type, language')})`
  const ofTrip = db
    .prepare<[NewestQuery & Preference], Id>(`${among} WHERE trip_type = @preferred`)
    .pluck()
    .safeIntegers()
  const inLanguage = db
    .prepare<[NewestQuery & Preference], Id>(
      `${among} WHERE language = @preferred OR (language > @preferred || '-' AND language < @preferred || '.')`,
    )
    .pluck()
    .safeIntegers()
  const rowsOf = (id: Id, { most, tripType, languages }: ReviewSample): ReviewRow[] => {
    const preferred = new Set(
      tripType === undefined ? [] : ofTrip.all({ id, most: newestSearched, preferred: tripType }),
    )
    const primaryLanguages = new Set(languages.slice(0, maxLanguages).map(tag => tag.split('-')[0]!))
    for (const language of primaryLanguages)
      for (const found of inLanguage.all({ id, most: newestSearched, preferred: language })) preferred.add(found)
    if (preferred.size === 0) return newest.all({ id, most })
    const rows = [...preferred].slice(0, most).map(review => byId.get(review)!)
    if (rows.length < most) rows.push(...newest.all({ id, most }).filter(row => !preferred.has(row.id)))
    return rows.slice(0, most)
  }
  return {
    read: async (id, sample) => {
      const entry = await locations.get(id)
      if (entry?.id !== id) return undefined
      const location = entry.location()
      return { location, ratings: entry.ratings(location), reviews: rowsOf(id, sample).map(row => toReview(db, row)) }
    },
  }
}
