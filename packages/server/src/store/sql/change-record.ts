import { v7 as uuidv7 } from 'uuid'
import type { AuditLine } from '../../domain/audit.ts'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { EventDraft } from '../../domain/event.ts'
import type { EndpointEvent } from '../../domain/event-store.ts'
import type { JsonObject } from '../../kit/json.ts'
import { run, type SqlWork } from './database.ts'
import { toRows } from './terms.ts'

/** Writes the record of a change to the audit and the outbox. Part of the transaction of the change. */
export function* writeRecord({ audit, events = [] }: ChangeRecord): SqlWork<void> {
  yield* writeAudit(audit)
  yield* writeEvents(events)
}

function* writeAudit({ atMs, actor, action, target, partnerId, before, after }: AuditLine): SqlWork<void> {
  const text = (json: JsonObject | undefined) => (json === undefined ? null : JSON.stringify(json))
  yield* run(
    `INSERT INTO audit (at, actor_kind, actor_id, via, address, partner, action, target, "before", "after", request_id)
     VALUES (@at, @actorKind, @actorId, @via, @address, @partner, @action, @target, @before, @after, @requestId)`,
    {
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
    },
  )
}

/** Adds events to the outbox unless they are there, in their order. Part of the transaction that causes them. */
export function* writeEvents(events: readonly (EventDraft | EndpointEvent)[]): SqlWork<void> {
  if (events.length === 0) return
  const rows = events.map(event => {
    const { type, partnerId: partner, atMs: at, uniqueKey } = event
    const endpoint = 'endpointId' in event ? event.endpointId : undefined
    return { id: `evt_${uuidv7()}`, type, partner, at, data: JSON.stringify(event.data), uniqueKey, endpoint }
  })
  yield* run(
    `INSERT INTO outbox (id, type, partner, at, data, unique_key, endpoint)
     SELECT value ->> 'id', value ->> 'type', value ->> 'partner', CAST(value ->> 'at' AS BIGINT), value ->> 'data',
       value ->> 'uniqueKey', value ->> 'endpoint'
     FROM json_each(@rows) WHERE true ON CONFLICT (unique_key) DO NOTHING`,
    { rows: toRows(rows) },
  )
}
