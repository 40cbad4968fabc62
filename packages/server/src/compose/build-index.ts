import { buildSegment } from '../search/index/build.ts'
import { documentOf } from '../search/index/document.ts'
import { saveSegment } from '../search/index/file.ts'
import { withAllLocations } from '../store/sqlite/all-locations.ts'
import { dataMigrations } from '../store/sqlite/migrations/data.ts'
import { openSqlite } from '../store/sqlite/open.ts'

/** Told how many places have been read, now and then. */
export type BuildProgress = (done: number, total: number) => void

const tellEvery = 1000

/** Builds the search index of a data.sqlite as it is now, and puts it in place of the old one. */
export async function buildIndex(data: string, index: string, nowMs: number, progress: BuildProgress = () => {}) {
  const db = openSqlite(data, dataMigrations, { synchronous: 'NORMAL', cacheMb: 16 })
  try {
    await withAllLocations(db, async ({ revision, count, entries }) => {
      let done = 0
      const documents = Iterator.from(entries).map(entry => {
        if (++done % tellEvery === 0) progress(done, count)
        return documentOf(entry)
      })
      const segment = await buildSegment(documents, { revision, nowMs })
      saveSegment(index, segment)
    })
  } finally {
    db.close()
  }
}
