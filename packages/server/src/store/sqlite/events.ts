import type { ChangeRecord } from '../../domain/change-record.ts'
import { type EventType, partnerEventTypes } from '../../domain/event.ts'
import type { DeliveryQuery, EventPage, EventQuery, WebhookAdmin } from '../../domain/event-store.ts'
import type { Delivery, DeliveryAttempt, DeliveryState, OutboxEvent } from '../../domain/webhook.ts'
import type { Sqlite } from '../connection.ts'
import { logTerms } from './list-query.ts'
import { isVisibleSql, visibleParameter } from './visibility.ts'

/** A row of the outbox. */
export interface OutboxRow {
  seq: number
  event_id: string
  type: EventType
  partner: string | null
  at: number
  data: string
  for_endpoint: string | null
}

/** The columns of the outbox as OutboxRow has them. */
export const outboxColumns = `o.seq, o.id AS event_id, o.type, o.partner, o.at, o.data, o.endpoint AS for_endpoint`

/** Returns the event of a row. */
export const eventOf = (control: Sqlite, row: OutboxRow): OutboxEvent => ({
  seq: row.seq,
  id: row.event_id,
  type: row.type,
  ...(row.partner !== null && { partnerId: row.partner }),
  atMs: row.at,
  data: control.parseJson<OutboxEvent['data']>(row.data),
  ...(row.for_endpoint !== null && { endpointId: row.for_endpoint }),
})

interface DeliveryRow extends OutboxRow {
  no: number
  id: string
  endpoint: string
  state: DeliveryState
  next: number | null
  answers: string
}

const deliveryOf = (control: Sqlite, row: DeliveryRow): Delivery => ({
  id: row.id,
  endpointId: row.endpoint,
  event: eventOf(control, row),
  state: row.state,
  ...(row.next !== null && { nextMs: row.next }),
  attempts: control.parseJson<DeliveryAttempt[]>(row.answers),
})

const deliveryJoin = `
  SELECT d.no, d.id, d.endpoint, d.state, d.next, d.answers, ${outboxColumns}
  FROM deliveries d JOIN outbox o ON o.seq = d.seq JOIN webhook_endpoints e ON e.id = d.endpoint
  WHERE ${isVisibleSql('e.partner')}`

/** Opens the lists of events and deliveries. */
export function createSqliteEvents(
  control: Sqlite,
  write: (record: ChangeRecord) => void,
): Pick<WebhookAdmin, 'deliveries' | 'delivery' | 'redeliver' | 'events'> {
  const one = control.prepare<[{ id: string; visible: string | null }], DeliveryRow>(`${deliveryJoin} AND d.id = @id`)
  const repeat = control.prepare<[number, string]>(
    `UPDATE deliveries SET state = 'pending', attempt = 0, next = ? WHERE id = ?`,
  )
  const redeliver = control.transaction((id: string, nowMs: number, record: ChangeRecord): boolean => {
    if (repeat.run(nowMs, id).changes === 0) return false
    write(record)
    return true
  }).immediate
  const find = (id: string, visible: string | null): Delivery | undefined => {
    const row = one.get({ id, visible })
    return row && deliveryOf(control, row)
  }
  return {
    deliveries: async query => listDeliveries(control, query),
    delivery: async (id, visibility) => find(id, visibleParameter(visibility).visible),
    redeliver: async (id, nowMs, record) => (redeliver(id, nowMs, record) ? find(id, null) : undefined),
    events: async query => listEvents(control, query),
  }
}

function listDeliveries(control: Sqlite, query: DeliveryQuery): EventPage<Delivery> {
  const { follows, sorted } = logTerms('d.no', query.order)
  const conditions = [
    follows,
    ...(query.endpointId === undefined ? [] : ['d.endpoint = @endpointId']),
    ...(query.state === undefined ? [] : ['d.state = @state']),
  ]
  const where = conditions.map(condition => ` AND ${condition}`).join('')
  const rows = control.prepare<[object], DeliveryRow>(`${deliveryJoin}${where} ${sorted} LIMIT @limit`).all({
    ...visibleParameter(query.visibility),
    endpointId: query.endpointId,
    state: query.state,
    after: query.after ?? null,
    limit: query.limit + 1,
  })
  return pageOf(
    rows,
    query.limit,
    ({ no }) => no,
    row => deliveryOf(control, row),
  )
}

function listEvents(control: Sqlite, query: EventQuery): EventPage<OutboxEvent> {
  const { follows, sorted } = logTerms('o.seq', query.order)
  const conditions = [
    follows,
    // Events of no partner concern all partners, unless their type is one for the operator.
    `(${isVisibleSql('o.partner')} OR (o.partner IS NULL AND o.endpoint IS NULL
       AND o.type IN (SELECT value FROM json_each(@partnerTypes))))`,
    ...(query.types === undefined ? [] : ['o.type IN (SELECT value FROM json_each(@types))']),
    ...(query.sinceMs === undefined ? [] : ['o.at >= @sinceMs']),
  ]
  const parameters = {
    ...visibleParameter(query.visibility),
    types: JSON.stringify(query.types ?? []),
    partnerTypes: JSON.stringify(partnerEventTypes),
    sinceMs: query.sinceMs ?? 0,
    after: query.after ?? null,
    limit: query.limit + 1,
  }
  const rows = control
    .prepare<[object], OutboxRow>(
      `SELECT ${outboxColumns} FROM outbox o WHERE ${conditions.join(' AND ')} ${sorted} LIMIT @limit`,
    )
    .all(parameters)
  return pageOf(
    rows,
    query.limit,
    ({ seq }) => seq,
    row => eventOf(control, row),
  )
}

/** Returns a page of at most `limit` of the rows, which are one more if another page follows. */
function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => number,
  present: (row: Row) => T,
): EventPage<T> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(present),
    ...(rows.length > limit && last !== undefined && { next: cursorOf(last) }),
  }
}
