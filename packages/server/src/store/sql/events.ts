import { type EventType, partnerEventTypes } from '../../domain/event.ts'
import type { DeliveryQuery, EventPage, EventQuery, WebhookAdmin } from '../../domain/event-store.ts'
import { everything, type Visibility } from '../../domain/visibility.ts'
import type { Delivery, DeliveryAttempt, DeliveryState, OutboxEvent } from '../../domain/webhook.ts'
import { writeRecord } from './change-record.ts'
import { type JsonColumns, run, type SqlDatabase } from './database.ts'
import { equals, isOneOf, isVisible, logOrder, type Term, where } from './terms.ts'

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
export const eventOf = (db: JsonColumns, row: OutboxRow): OutboxEvent => ({
  seq: row.seq,
  id: row.event_id,
  type: row.type,
  ...(row.partner !== null && { partnerId: row.partner }),
  atMs: row.at,
  data: db.parseJson<OutboxEvent['data']>(row.data),
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

const deliveryOf = (db: JsonColumns, row: DeliveryRow): Delivery => ({
  id: row.id,
  endpointId: row.endpoint,
  event: eventOf(db, row),
  state: row.state,
  ...(row.next !== null && { nextMs: row.next }),
  attempts: db.parseJson<DeliveryAttempt[]>(row.answers),
})

const deliveryJoin = `
  SELECT d.no, d.id, d.endpoint, d.state, d.next, d.answers, ${outboxColumns}
  FROM deliveries d JOIN outbox o ON o.seq = d.seq JOIN webhook_endpoints e ON e.id = d.endpoint`

/** Opens the lists of events and deliveries. */
export function createEvents(db: SqlDatabase): Pick<WebhookAdmin, 'deliveries' | 'delivery' | 'redeliver' | 'events'> {
  const find = async (id: string, visibility: Visibility): Promise<Delivery | undefined> => {
    const { sql, params } = where([...equals('d.id', 'id', id), ...isVisible('e.partner', visibility)])
    const row = await db.get<DeliveryRow>(`${deliveryJoin} ${sql}`, params)
    return row && deliveryOf(db, row)
  }
  return {
    deliveries: query => listDeliveries(db, query),
    delivery: find,
    redeliver: async (id, nowMs, record) => {
      const repeated = await db.transaction(function* () {
        const changes = yield* run(
          "UPDATE deliveries SET state = 'pending', attempt = 0, next = @nowMs WHERE id = @id",
          { id, nowMs },
        )
        if (changes > 0) yield* writeRecord(record)
        return changes > 0
      })
      return repeated ? find(id, everything) : undefined
    },
    events: query => listEvents(db, query),
  }
}

async function listDeliveries(db: SqlDatabase, query: DeliveryQuery): Promise<EventPage<Delivery>> {
  const { follows, sorted } = logOrder('d.no', query.after, query.order)
  const { sql, params } = where([
    ...follows,
    ...isVisible('e.partner', query.visibility),
    ...equals('d.endpoint', 'endpoint', query.endpointId),
    ...equals('d.state', 'state', query.state),
  ])
  const rows = await db.all<DeliveryRow>(`${deliveryJoin} ${sql} ${sorted} LIMIT @rows`, {
    ...params,
    rows: query.limit + 1,
  })
  return pageOf(
    rows,
    query.limit,
    ({ no }) => no,
    row => deliveryOf(db, row),
  )
}

async function listEvents(db: SqlDatabase, query: EventQuery): Promise<EventPage<OutboxEvent>> {
  const { follows, sorted } = logOrder('o.seq', query.after, query.order)
  const { sql, params } = where([
    ...follows,
    ...isEventVisible(query.visibility),
    ...isOneOf('o.type', 'type', query.types),
    ...(query.sinceMs === undefined ? [] : [{ sql: 'o.at >= @sinceMs', params: { sinceMs: query.sinceMs } }]),
  ])
  const rows = await db.all<OutboxRow>(`SELECT ${outboxColumns} FROM outbox o ${sql} ${sorted} LIMIT @rows`, {
    ...params,
    rows: query.limit + 1,
  })
  return pageOf(
    rows,
    query.limit,
    ({ seq }) => seq,
    row => eventOf(db, row),
  )
}

/** Events of no partner concern all partners, unless their type is one for the operator. */
function isEventVisible(visibility: Visibility): readonly Term[] {
  const own = isVisible('o.partner', visibility)
  const ofAll = isOneOf('o.type', 'common', partnerEventTypes)
  return own.map(({ sql, params }) => ({
    sql: `(${sql} OR (o.partner IS NULL AND o.endpoint IS NULL AND ${ofAll.map(term => term.sql).join()}))`,
    params: { ...params, ...ofAll[0]?.params },
  }))
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
