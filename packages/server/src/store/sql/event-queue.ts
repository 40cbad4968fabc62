import { v7 as uuidv7 } from 'uuid'
import type { DeliverySettlement, DueDelivery, EndingSecret, EventQueue } from '../../domain/event-store.ts'
import type { MailRule } from '../../domain/queued-mail.ts'
import { type DeliveryAttempt, isSubscribed } from '../../domain/webhook.ts'
import { writeEvents } from './change-record.ts'
import { all, get, type JsonColumns, run, type SqlDatabase, type SqlWork } from './database.ts'
import { eventOf, type OutboxRow, outboxColumns } from './events.ts'
import { addMails, createMailQueue } from './mails.ts'
import { listOf, toList, toRows } from './terms.ts'
import { type EndpointRow, endpointOf, secretsOf } from './webhooks.ts'

/** Events in one transaction of `fanOut`, and of `prune`. */
const eventsPerBatch = 1000

/** Attempts that a delivery remembers. */
const keptAttempts = 20

/** Opens the queue of the deliveries. */
export const createEventQueue = (db: SqlDatabase): EventQueue => ({
  ...createAdditions(db),
  ...createMailQueue(db),
  fanOut: createFanOut(db),
  due: createDue(db),
  settle: settlement => db.transaction(() => settle(db, settlement)),
  locationPosition: async () =>
    (await db.get<{ changes: number | null }>('SELECT changes FROM event_positions'))?.changes ?? undefined,
  endingSecrets: (fromMs, toMs) =>
    db.all<EndingSecret>(
      `SELECT s.key_id AS "keyId", s.created_ms AS "createdMs", s.expires_ms AS "expiresMs",
         (SELECT max(created_ms) FROM key_secrets WHERE key_id = s.key_id) AS "newestCreatedMs"
       FROM key_secrets s JOIN keys k ON k.id = s.key_id
       WHERE k.state = 'active' AND s.expires_ms > @fromMs AND s.expires_ms <= @toMs`,
      { fromMs, toMs },
    ),
  callersOf: async (version, sinceMs) => {
    const rows = await db.all<{ partner_id: string }>(
      'SELECT DISTINCT partner_id FROM usage_days WHERE from_ms >= @sinceMs AND version = @version ORDER BY partner_id',
      { sinceMs, version },
    )
    return rows.map(({ partner_id }) => partner_id)
  },
  prune: createPrune(db),
})

function createFanOut(db: SqlDatabase): EventQueue['fanOut'] {
  const hasEvents = async () => {
    const row = await db.get<{ more: number | boolean }>(
      'SELECT (SELECT coalesce(max(seq), 0) FROM outbox) > outbox AS more FROM event_positions',
    )
    return Boolean(row?.more)
  }
  return async (nowMs, mailRule) => {
    let total = 0
    // Read first: a write transaction without events would touch the disk each time.
    while (await hasEvents()) {
      const { read, added } = await db.transaction(() => addBatch(db, nowMs, mailRule))
      total += added
      if (read < eventsPerBatch) break
    }
    return total
  }
}

/** Adds the deliveries and mails of the next events. */
function* addBatch(
  db: JsonColumns,
  nowMs: number,
  mailRule: MailRule | undefined,
): SqlWork<{ readonly read: number; readonly added: number }> {
  const endpoints = yield* all<EndpointRow>("SELECT * FROM webhook_endpoints WHERE state <> 'disabled'")
  const receivers = endpoints.map(row => endpointOf(db, row))
  const rows = yield* all<OutboxRow>(
    `SELECT ${outboxColumns} FROM outbox o WHERE o.seq > (SELECT outbox FROM event_positions) ORDER BY o.seq
     LIMIT @limit`,
    { limit: eventsPerBatch },
  )
  const events = rows.map(row => eventOf(db, row))
  if (mailRule) yield* addMails(db, events, mailRule, nowMs)
  const deliveries = events.flatMap(event =>
    receivers
      .filter(endpoint => event.atMs >= endpoint.createdMs && isSubscribed(endpoint, event))
      .map(endpoint => ({ id: `dlv_${uuidv7()}`, endpoint: endpoint.id, seq: event.seq })),
  )
  const added = yield* run(
    `INSERT INTO deliveries (id, endpoint, seq, attempt, state, next, answers)
     SELECT value ->> 'id', value ->> 'endpoint', CAST(value ->> 'seq' AS BIGINT), 0, 'pending', @nowMs, '[]'
     FROM json_each(@rows) WHERE true ON CONFLICT (endpoint, seq) DO NOTHING`,
    { rows: toRows(deliveries), nowMs },
  )
  if (rows.length > 0) yield* run('UPDATE event_positions SET outbox = @seq', { seq: rows.at(-1)!.seq })
  return { read: rows.length, added }
}

function createDue(db: SqlDatabase): EventQueue['due'] {
  const waiting = (nowMs: number) =>
    db.all<EndpointRow>(
      `SELECT * FROM webhook_endpoints e WHERE state = 'active' AND EXISTS (
         SELECT 1 FROM deliveries d WHERE d.endpoint = e.id AND d.state = 'pending' AND d.next <= @nowMs)`,
      { nowMs },
    )
  return async (nowMs, perEndpoint, running) => {
    const due: DueDelivery[] = []
    for (const row of await waiting(nowMs)) {
      const found = await db.all<OutboxRow & { id: string; attempt: number }>(
        `SELECT d.id, d.attempt, ${outboxColumns} FROM deliveries d JOIN outbox o ON o.seq = d.seq
         WHERE d.endpoint = @endpoint AND d.state = 'pending' AND d.next <= @nowMs ORDER BY d.next, d.no LIMIT @limit`,
        { endpoint: row.id, nowMs, limit: perEndpoint },
      )
      const [endpoint, secrets] = [endpointOf(db, row), secretsOf(row)]
      for (const delivery of found)
        if (!running.has(delivery.id))
          due.push({
            id: delivery.id,
            endpoint,
            secrets,
            attempts: delivery.attempt,
            event: eventOf(db, delivery),
          })
    }
    return due
  }
}

function* settle(
  db: JsonColumns,
  { deliveryId: id, attempt, state, nextMs, disable: reason }: DeliverySettlement,
): SqlWork<void> {
  const row = yield* get<{ endpoint: string; answers: string; state: string }>(
    'SELECT endpoint, answers, state FROM deliveries WHERE id = @id',
    { id },
  )
  // The endpoint was removed while the event was being sent, or another worker has delivered the event.
  if (!row || row.state === 'delivered') return
  const { endpoint } = row
  const earlier = db.parseJson<DeliveryAttempt[]>(row.answers).map(({ body: _, ...rest }) => rest)
  const attempts = [...earlier, attempt].slice(-keptAttempts)
  yield* run(
    'UPDATE deliveries SET attempt = attempt + 1, state = @state, next = @next, answers = @answers WHERE id = @id',
    { id, state, next: nextMs ?? null, answers: JSON.stringify(attempts) },
  )
  if (state === 'delivered')
    yield* run('UPDATE webhook_endpoints SET failing_since = NULL WHERE id = @endpoint', { endpoint })
  else
    yield* run('UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, @atMs) WHERE id = @endpoint', {
      endpoint,
      atMs: attempt.atMs,
    })
  if (reason !== undefined) yield* disable(db, endpoint, reason, attempt.atMs)
}

/** Disables an endpoint, with the event, unless it is disabled. */
function* disable(
  db: JsonColumns,
  id: string,
  reason: NonNullable<DeliverySettlement['disable']>,
  atMs: number,
): SqlWork<void> {
  const disabled = yield* run(
    `UPDATE webhook_endpoints SET state = 'disabled', disabled_reason = @reason WHERE id = @id AND state <> 'disabled'`,
    { id, reason },
  )
  if (disabled === 0) return
  const row = yield* get<EndpointRow>('SELECT * FROM webhook_endpoints WHERE id = @id', { id })
  const { partnerId } = endpointOf(db, row!)
  yield* writeEvents([
    {
      type: 'webhook.disabled',
      ...(partnerId !== undefined && { partnerId }),
      atMs,
      data: { webhook_id: id, reason },
      uniqueKey: `webhook.disabled:${id}:${atMs}`,
    },
  ])
}

const createAdditions = (db: SqlDatabase): Pick<EventQueue, 'add' | 'addLocationEvents'> => ({
  add: async events => {
    // Dated events are offered again and again: read before locking the store for writing.
    const known = await db.all<{ unique_key: string }>(
      `SELECT unique_key FROM outbox WHERE unique_key IN (${listOf('keys')})`,
      { keys: toList(events.map(({ uniqueKey }) => uniqueKey)) },
    )
    const knownKeys = new Set(known.map(({ unique_key }) => unique_key))
    const missing = events.filter(({ uniqueKey }) => !knownKeys.has(uniqueKey))
    if (missing.length > 0) await db.transaction(() => writeEvents(missing))
  },
  addLocationEvents: (events, { from, to }) =>
    db.transaction(function* () {
      const moved = yield* run('UPDATE event_positions SET changes = @to WHERE coalesce(changes, -1) = @from', {
        to,
        from: from ?? -1,
      })
      if (moved > 0) yield* writeEvents(events)
    }),
})

function createPrune(db: SqlDatabase): EventQueue['prune'] {
  const findLast = async (beforeMs: number) => {
    const row = await db.get<{ seq: number | null }>(
      `SELECT max(seq) AS seq FROM (
         SELECT seq FROM outbox WHERE at < @beforeMs AND seq < (SELECT max(seq) FROM outbox)
         ORDER BY seq LIMIT @limit) AS oldest`,
      { beforeMs, limit: eventsPerBatch },
    )
    return row?.seq ?? undefined
  }
  return async beforeMs => {
    for (let seq = await findLast(beforeMs); seq !== undefined; seq = await findLast(beforeMs)) {
      const params = { seq, beforeMs }
      await db.transaction(function* () {
        yield* run('DELETE FROM deliveries WHERE seq <= @seq', params)
        yield* run('DELETE FROM event_mails WHERE seq <= @seq', params)
        yield* run('DELETE FROM outbox WHERE seq <= @seq AND at < @beforeMs', params)
      })
    }
  }
}
