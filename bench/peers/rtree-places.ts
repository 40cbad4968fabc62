import Database from 'better-sqlite3'
import type { SearchDocument } from '../../packages/server/src/search/index/document.ts'
import { distancesFrom } from '../../packages/server/src/search/index/sphere.ts'

/** Creates an SQLite R*Tree. The index selects the box around a circle; JavaScript selects the circle and sorts it. */
export function rtreePlaces(documents: Iterable<SearchDocument>) {
  const db = new Database('')
  db.exec('CREATE VIRTUAL TABLE points USING rtree(id, south, north, west, east)')
  const add = db.prepare('INSERT INTO points VALUES (?, ?, ?, ?, ?)')
  db.transaction(() => {
    for (const { id, latitude, longitude } of documents) add.run(id, latitude, latitude, longitude, longitude)
  })()
  const within = db.prepare<number[], { id: number; south: number; west: number }>(
    'SELECT id, south, west FROM points WHERE south >= ? AND north <= ? AND west >= ? AND east <= ?',
  )
  return (latitude: number, longitude: number, radiusKm: number) => {
    const tall = radiusKm / 111.19
    const wide = tall / Math.max(0.01, Math.cos((latitude * Math.PI) / 180))
    const distance = distancesFrom({ latitude, longitude })
    return within
      .all(latitude - tall, latitude + tall, longitude - wide, longitude + wide)
      .map(({ id, south, west }) => ({ id, km: distance(south, west) }))
      .filter(({ km }) => km <= radiusKm)
      .sort((a, b) => a.km - b.km)
      .slice(0, 10)
  }
}
