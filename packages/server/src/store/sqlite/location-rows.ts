import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'
import type { LocationRows, PlaceRow } from '../rows/location-rules.ts'
import type { ReviewRow } from '../rows/review-row.ts'

/** Returns the stored locations in data.sqlite. */
export function createSqliteLocationRows(data: Sqlite): LocationRows {
  const survivorOf = data.prepare<[Id], Id>('SELECT to_id FROM merges WHERE from_id = ?').pluck().safeIntegers()
  const get = data.prepare<[Id], PlaceRow>('SELECT source, country, category, record FROM locations WHERE id = ?')
  const put = data.prepare(
    'INSERT OR REPLACE INTO locations (id, source, country, category, updated_ms, record) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const remove = data.prepare('DELETE FROM locations WHERE id = ?')
  const reviewsOf = data.prepare<[Id], ReviewRow>('SELECT * FROM reviews WHERE location_id = ?').safeIntegers()
  const removeReviews = data.prepare('DELETE FROM reviews WHERE location_id = ?')
  const moveReviews = data.prepare('UPDATE reviews SET location_id = ? WHERE location_id = ?')
  const removeHidden = data.prepare('DELETE FROM hidden_reviews WHERE location_id = ?')
  const moveHidden = data.prepare('UPDATE hidden_reviews SET location_id = ? WHERE location_id = ?')
  const unmerge = data.prepare('DELETE FROM merges WHERE from_id = ?')
  const merge = data.prepare('INSERT OR REPLACE INTO merges (from_id, to_id) VALUES (?, ?)')
  const removeKeys = data.prepare('DELETE FROM merged_keys WHERE from_id = ?')
  const addKey = data.prepare('INSERT OR IGNORE INTO merged_keys (key, from_id) VALUES (?, ?)')
  const moveMerges = data.prepare('UPDATE merges SET to_id = ? WHERE to_id = ?')
  return {
    get: id => get.get(id),
    put: (id, atMs, { source, country, category, record }) => void put.run(id, source, country, category, atMs, record),
    remove: id => remove.run(id).changes > 0,
    survivorOf: id => survivorOf.get(id),
    merge: (id, into, keys) => {
      moveMerges.run(into, id)
      merge.run(id, into)
      removeKeys.run(id)
      for (const key of keys) addKey.run(key, id)
    },
    unmerge: id => {
      const wasMerged = unmerge.run(id).changes > 0
      if (wasMerged) removeKeys.run(id)
      return wasMerged
    },
    reviewsOf: id => reviewsOf.all(id),
    removeReviews: id => {
      removeReviews.run(id)
      removeHidden.run(id)
    },
    moveReviews: (from, to) => {
      moveReviews.run(to, from)
      moveHidden.run(to, from)
    },
    parseJson: text => data.parseJson(text),
  }
}
