import type { Actor } from '../../domain/actor.ts'
import type { AuditLog, AuditQuery, StoredAuditLine } from '../../domain/audit-log.ts'
import type { JsonObject } from '../../kit/json.ts'
import { writeEvents, writeRecord } from './change-record.ts'
import type { JsonColumns, SqlDatabase } from './database.ts'
import { equals, isVisible, logOrder, type Term, where } from './terms.ts'

interface AuditRow {
  seq: number
  at: number
  actor_kind: string
  actor_id: string
  via: string
  address: string | null
  partner: string | null
  action: string
  target: string
  before: string | null
  after: string | null
  request_id: string | null
}

/** Opens the audit and the outbox. */
export const createAudit = (db: SqlDatabase): AuditLog => ({
  append: record => db.transaction(() => writeRecord(record)),
  appendEvents: events => db.transaction(() => writeEvents(events)),
  list: async query => {
    const { follows, sorted } = logOrder('seq', query.after, query.order)
    const { sql, params } = where([...follows, ...conditionsOf(query)])
    const rows = await db.all<AuditRow>(`SELECT * FROM audit ${sql} ${sorted} LIMIT @rows`, {
      ...params,
      // One more shows that there is a next page.
      rows: query.limit + 1,
    })
    const lines = rows.slice(0, query.limit).map(row => lineOf(db, row))
    return { lines, ...(rows.length > query.limit && { next: lines.at(-1)!.seq }) }
  },
  prune: (beforeMs, limit) =>
    db.run(
      `DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at < @beforeMs ORDER BY seq LIMIT @limit)
         AND at < (unixepoch('subsec') - 365 * 86400) * 1000`,
      { beforeMs, limit },
    ),
})

const conditionsOf = (query: AuditQuery): readonly Term[] => [
  ...isVisible('partner', query.visibility),
  ...equals('partner', 'partner', query.partnerId),
  ...equals('actor_id', 'actor', query.actorId),
  ...equals('action', 'action', query.action),
  ...equals('target', 'target', query.target),
  ...(query.fromMs === undefined ? [] : [{ sql: 'at >= @fromMs', params: { fromMs: query.fromMs } }]),
  ...(query.toMs === undefined ? [] : [{ sql: 'at < @toMs', params: { toMs: query.toMs } }]),
]

const lineOf = (db: JsonColumns, row: AuditRow): StoredAuditLine => ({
  seq: row.seq,
  atMs: row.at,
  actor: {
    kind: row.actor_kind as Actor['kind'],
    id: row.actor_id,
    via: row.via as Actor['via'],
    ...(row.address !== null && { address: row.address }),
    ...(row.request_id !== null && { requestId: row.request_id }),
  },
  action: row.action,
  target: row.target,
  ...(row.partner !== null && { partnerId: row.partner }),
  ...(row.before !== null && { before: db.parseJson<JsonObject>(row.before) }),
  ...(row.after !== null && { after: db.parseJson<JsonObject>(row.after) }),
})
