import type { HiddenPhoto, PhotoDecisions } from '../../domain/photo-decisions.ts'
import { writeRecord } from './change-record.ts'
import { run, type SqlDatabase } from './database.ts'
import { isOneOf, where } from './terms.ts'

/** A row of moderated_photos. */
interface HiddenRow {
  photo: string
  reason: string | null
  at_ms: number | bigint
}

const toHidden = ({ photo, reason, at_ms: atMs }: HiddenRow): HiddenPhoto => ({
  photoId: photo,
  ...(reason !== null && { reason }),
  atMs: Number(atMs),
})

/** Opens the decisions about photos. */
export const createPhotoDecisions = (db: SqlDatabase): PhotoDecisions => ({
  hide: (photo, record, reason) =>
    db.transaction(function* () {
      const added = yield* run(
        `INSERT INTO moderated_photos (photo, state, reason, at_ms) VALUES (@photo, 'hidden', @reason, @atMs)
         ON CONFLICT DO NOTHING`,
        { photo, reason: reason ?? null, atMs: record.audit.atMs },
      )
      if (added > 0) yield* writeRecord(record)
      return added > 0
    }),
  show: (photo, record) =>
    db.transaction(function* () {
      const removed = yield* run("DELETE FROM moderated_photos WHERE photo = @photo AND state = 'hidden'", { photo })
      if (removed > 0) yield* writeRecord(record)
      return removed > 0
    }),
  setErased: (photo, atMs) =>
    db.transaction(function* () {
      yield* run('DELETE FROM moderated_photos WHERE photo = @photo', { photo })
      yield* run("INSERT INTO moderated_photos (photo, state, at_ms) VALUES (@photo, 'erased', @atMs)", { photo, atMs })
    }),
  findHidden: async photoIds => {
    if (photoIds.length === 0) return new Map()
    const { sql, params } = where(isOneOf('photo', 'photos', photoIds))
    const rows = await db.all<HiddenRow>(`SELECT photo, reason, at_ms FROM moderated_photos ${sql}`, params)
    return new Map(rows.map(row => [row.photo, toHidden(row)]))
  },
  listHidden: async ({ limit, after }) => {
    const { sql, params } = where([
      { sql: "state = 'hidden'", params: {} },
      ...(after === undefined ? [] : [{ sql: 'photo > @after', params: { after } }]),
    ])
    const rows = await db.all<HiddenRow>(
      `SELECT photo, reason, at_ms FROM moderated_photos ${sql} ORDER BY photo LIMIT @limit`,
      { ...params, limit },
    )
    return rows.map(toHidden)
  },
})
