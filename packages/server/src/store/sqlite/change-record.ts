import { v7 as uuidv7 } from 'uuid'
import type { AuditLine } from '../../domain/audit.ts'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { EventDraft } from '../../domain/event.ts'
import type { EndpointEvent } from '../../domain/event-store.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { Sqlite } from '../connection.ts'

/**
 * Returns a function that writes the record of a change to the audit and the outbox of control.sqlite. Call it in the
 * transaction of the change.
 */
export function createRecordWriter(control: Sqlite): (record: ChangeRecord) => void {
  const writeAudit = createAuditWriter(control)
  const writeEvent = createEventWriter(control)
  return ({ audit, events = [] }) => {
    writeAudit(audit)
    for (const event of events) writeEvent(event)
  }
}

/** Returns a function that writes a line of the audit. Call it in the transaction of the change. */
export function createAuditWriter(control: Sqlite): (line: AuditLine) => void {
  const add = control.prepare(
    `INSERT INTO audit (at, actor_kind, actor_id, via, address, partner, action, target, "before", "after", request_id)
     VALUES (@at, @actorKind, @actorId, @via, @address, @partner, @action, @target, @before, @after, @requestId)`,
  )
  const text = (json: JsonObject | undefined) => (json === undefined ? null : JSON.stringify(json))
  return ({ atMs, actor, action, target, partnerId, before, after }) =>
    void add.run({
      at: atMs,
      actorKind: actor.kind,
      actorId: actor.id,
      via: actor.via,
      address: actor.address ?? null,
      partner: partnerId ?? null,
      action,
      target,
      before: text(before),
      after: text(after),
      requestId: actor.requestId ?? null,
    })
}

/**
 * Returns a function that adds an event to the outbox unless it is there. Call it in the transaction that causes the
 * event.
 */
export function createEventWriter(control: Sqlite): (event: EventDraft | EndpointEvent) => void {
  const add = control.prepare(
    `INSERT INTO outbox (id, type, partner, at, data, unique_key, endpoint)
     VALUES (@id, @type, @partner, @at, @data, @uniqueKey, @endpoint) ON CONFLICT (unique_key) DO NOTHING`,
  )
  return event => {
    const { type, partnerId, atMs, data, uniqueKey } = event
    add.run({
      id: `evt_${uuidv7()}`,
      type,
      partner: partnerId ?? null,
      at: atMs,
      data: JSON.stringify(data),
      uniqueKey,
      endpoint: 'endpointId' in event ? event.endpointId : null,
    })
  }
}
