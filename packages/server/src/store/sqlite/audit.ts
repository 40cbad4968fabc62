import type { Actor } from '../../domain/actor.ts'
import type { AuditLog, AuditQuery, StoredAuditLine } from '../../domain/audit-log.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { Sqlite } from '../connection.ts'
import { createEventWriter, createRecordWriter } from './change-record.ts'
import { logTerms } from './list-query.ts'
import { isVisibleSql, visibleParameter } from './visibility.ts'

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

/** Opens the audit and the outbox in control.sqlite. */
export function createSqliteAudit(control: Sqlite): AuditLog {
  const writeRecord = createRecordWriter(control)
  const writeEvent = createEventWriter(control)
  const append = control.transaction(writeRecord).immediate
  const appendEvents = control.transaction((events: Parameters<AuditLog['appendEvents']>[0]) => {
    for (const event of events) writeEvent(event)
  }).immediate
  const preparePage = ({ follows, sorted }: ReturnType<typeof logTerms>) =>
    control.prepare<[ReturnType<typeof parametersOf>], AuditRow>(
      `SELECT * FROM audit
     WHERE ${follows} AND at >= @fromMs AND at < @toMs AND ${isVisibleSql('partner')}
       AND (@partner IS NULL OR partner = @partner) AND (@actor IS NULL OR actor_id = @actor)
       AND (@action IS NULL OR action = @action) AND (@target IS NULL OR target = @target)
     ${sorted} LIMIT @rows`,
    )
  const newestFirst = preparePage(logTerms('seq'))
  const oldestFirst = preparePage(logTerms('seq', { by: 'time', isDescending: false }))
  const prune = control.prepare<[{ beforeMs: number; limit: number }]>(
    `DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at < @beforeMs ORDER BY seq LIMIT @limit)
       AND at < (unixepoch('subsec') - 365 * 86400) * 1000`,
  )
  return {
    append: async record => append(record),
    appendEvents: async events => appendEvents(events),
    list: async query => {
      const rows = (query.order?.isDescending === false ? oldestFirst : newestFirst).all(parametersOf(query))
      const lines = rows.slice(0, query.limit).map(row => lineOf(control, row))
      return { lines, ...(rows.length > query.limit && { next: lines.at(-1)!.seq }) }
    },
    prune: async (beforeMs, limit) => prune.run({ beforeMs, limit }).changes,
  }
}

const parametersOf = (query: AuditQuery) => ({
  ...visibleParameter(query.visibility),
  partner: query.partnerId ?? null,
  actor: query.actorId ?? null,
  action: query.action ?? null,
  target: query.target ?? null,
  fromMs: query.fromMs ?? Number.MIN_SAFE_INTEGER,
  toMs: query.toMs ?? Number.MAX_SAFE_INTEGER,
  after: query.after ?? null,
  // One more shows that there is a next page.
  rows: query.limit + 1,
})

const lineOf = (control: Sqlite, row: AuditRow): StoredAuditLine => ({
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
  ...(row.before !== null && { before: control.parseJson<JsonObject>(row.before) }),
  ...(row.after !== null && { after: control.parseJson<JsonObject>(row.after) }),
})
