import { v7 as uuidv7 } from 'uuid'
import type { EventDraft } from '../../domain/event.ts'
import type {
  DeliverySettlement,
  DueDelivery,
  EndingSecret,
  EndpointEvent,
  EventQueue,
} from '../../domain/event-store.ts'
import type { MailRule } from '../../domain/queued-mail.ts'
import { type DeliveryAttempt, isSubscribed } from '../../domain/webhook.ts'
import type { Sqlite } from '../connection.ts'
import { createEventWriter } from './change-record.ts'
import { eventOf, type OutboxRow, outboxColumns } from './events.ts'
import { createMailFanOut, createMailQueue } from './mails.ts'
import { type EndpointRow, endpointOf, secretsOf } from './webhooks.ts'

/** Events in one transaction of `fanOut`, and of `prune`. */
const eventsPerBatch = 1000

/** Attempts that a delivery remembers. */
const keptAttempts = 20

/** Opens the queue of the deliveries in control.sqlite. */
export function createSqliteEventQueue(control: Sqlite): EventQueue {
  const position = control.prepare<[], number | null>('SELECT changes FROM event_positions').pluck()
  const ending = control.prepare<[number, number], EndingSecret>(
    `SELECT s.key_id AS keyId, s.created_ms AS createdMs, s.expires_ms AS expiresMs,
       (SELECT max(created_ms) FROM key_secrets WHERE key_id = s.key_id) AS newestCreatedMs
     FROM key_secrets s JOIN keys k ON k.id = s.key_id
     WHERE k.state = 'active' AND s.expires_ms > ? AND s.expires_ms <= ?`,
  )
  const callers = control
    .prepare<[number, string], string>(
      'SELECT DISTINCT partner_id FROM usage_days WHERE from_ms >= ? AND version = ? ORDER BY partner_id',
    )
    .pluck()
  return {
    ...createFanOut(control),
    ...createAdditions(control),
    ...createMailQueue(control),
    due: createDue(control),
    settle: createSettle(control),
    locationPosition: async () => position.get() ?? undefined,
    endingSecrets: async (fromMs, toMs) => ending.all(fromMs, toMs),
    callersOf: async (version, sinceMs) => callers.all(sinceMs, version),
    prune: createPrune(control),
  }
}

function createFanOut(control: Sqlite): Pick<EventQueue, 'fanOut'> {
  const endpoints = control.prepare<[], EndpointRow>(`SELECT * FROM webhook_endpoints WHERE state <> 'disabled'`)
  const newest = control
    .prepare<[], number>('SELECT (SELECT coalesce(max(seq), 0) FROM outbox) > outbox FROM event_positions')
    .pluck()
  const events = control.prepare<[number], OutboxRow>(
    `SELECT ${outboxColumns} FROM outbox o WHERE o.seq > (SELECT outbox FROM event_positions) ORDER BY o.seq LIMIT ?`,
  )
  const add = control.prepare(
    `INSERT INTO deliveries (id, endpoint, seq, attempt, state, next, answers)
     VALUES (@id, @endpoint, @seq, 0, 'pending', @next, '[]') ON CONFLICT (endpoint, seq) DO NOTHING`,
  )
  const move = control.prepare<[number]>('UPDATE event_positions SET outbox = ?')
  const addMails = createMailFanOut(control)
  const addBatch = control.transaction(
    (nowMs: number, mailRule: MailRule | undefined): { read: number; added: number } => {
      const receivers = endpoints.all().map(row => endpointOf(control, row))
      const rows = events.all(eventsPerBatch)
      let added = 0
      for (const event of rows.map(row => eventOf(control, row))) {
        if (mailRule) addMails(event, mailRule, nowMs)
        for (const endpoint of receivers) {
          if (event.atMs < endpoint.createdMs || !isSubscribed(endpoint, event)) continue
          added += add.run({ id: `dlv_${uuidv7()}`, endpoint: endpoint.id, seq: event.seq, next: nowMs }).changes
        }
      }
      if (rows.length > 0) move.run(rows.at(-1)!.seq)
      return { read: rows.length, added }
    },
  )
  return {
    fanOut: async (nowMs, mailRule) => {
      let total = 0
      // Read first: a write transaction without events would touch the disk each time.
      while (newest.get() === 1) {
        const { read, added } = addBatch.immediate(nowMs, mailRule)
        total += added
        if (read < eventsPerBatch) break
      }
      return total
    },
  }
}

function createDue(control: Sqlite): EventQueue['due'] {
  const waiting = control.prepare<[number], EndpointRow>(
    `SELECT * FROM webhook_endpoints e WHERE state = 'active' AND EXISTS (
       SELECT 1 FROM deliveries d WHERE d.endpoint = e.id AND d.state = 'pending' AND d.next <= ?)`,
  )
  const due = control.prepare<[string, number, number], OutboxRow & { id: string; attempt: number }>(
    `SELECT d.id, d.attempt, ${outboxColumns} FROM deliveries d JOIN outbox o ON o.seq = d.seq
     WHERE d.endpoint = ? AND d.state = 'pending' AND d.next <= ? ORDER BY d.next, d.no LIMIT ?`,
  )
  return async (nowMs, perEndpoint, running) =>
    waiting.all(nowMs).flatMap(row => {
      const endpoint = endpointOf(control, row)
      return due
        .all(row.id, nowMs, perEndpoint)
        .filter(({ id }) => !running.has(id))
        .map(
          (found): DueDelivery => ({
            id: found.id,
            endpoint,
            secrets: secretsOf(row),
            attempts: found.attempt,
            event: eventOf(control, found),
          }),
        )
    })
}

function createSettle(control: Sqlite): EventQueue['settle'] {
  const answers = control.prepare<[string], { endpoint: string; answers: string }>(
    'SELECT endpoint, answers FROM deliveries WHERE id = ?',
  )
  const update = control.prepare(
    `UPDATE deliveries SET attempt = attempt + 1, state = @state, next = @next, answers = @answers WHERE id = @id`,
  )
  const succeeded = control.prepare<[string]>('UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ?')
  const failed = control.prepare<[number, string]>(
    'UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, ?) WHERE id = ?',
  )
  const disable = control.prepare<[string, string]>(
    `UPDATE webhook_endpoints SET state = 'disabled', disabled_reason = ? WHERE id = ? AND state <> 'disabled'`,
  )
  const endpoint = control.prepare<[string], EndpointRow>('SELECT * FROM webhook_endpoints WHERE id = ?')
  const write = createEventWriter(control)
  const settle = control.transaction(({ deliveryId, attempt, state, nextMs, disable: reason }: DeliverySettlement) => {
    const row = answers.get(deliveryId)
    // The endpoint was removed while the event was being sent.
    if (!row) return
    const earlier = control.parseJson<DeliveryAttempt[]>(row.answers).map(({ body: _, ...rest }) => rest)
    const attempts = [...earlier, attempt].slice(-keptAttempts)
    update.run({ id: deliveryId, state, next: nextMs ?? null, answers: JSON.stringify(attempts) })
    if (state === 'delivered') succeeded.run(row.endpoint)
    else failed.run(attempt.atMs, row.endpoint)
    if (reason === undefined || disable.run(reason, row.endpoint).changes === 0) return
    const disabled = endpointOf(control, endpoint.get(row.endpoint)!)
    write({
      type: 'webhook.disabled',
      ...(disabled.partnerId !== undefined && { partnerId: disabled.partnerId }),
      atMs: attempt.atMs,
      data: { webhook_id: disabled.id, reason },
      uniqueKey: `webhook.disabled:${disabled.id}:${attempt.atMs}`,
    })
  }).immediate
  return async settlement => settle(settlement)
}

function createAdditions(control: Sqlite): Pick<EventQueue, 'add' | 'addLocationEvents'> {
  const write = createEventWriter(control)
  const known = control.prepare<[string], 1>('SELECT 1 FROM outbox WHERE unique_key = ?').pluck()
  const move = control.prepare<[number]>('UPDATE event_positions SET changes = ?')
  const add = control.transaction((events: readonly EventDraft[]) => {
    for (const event of events) write(event)
  }).immediate
  const addLocationEvents = control.transaction((events: readonly EndpointEvent[], position: number) => {
    for (const event of events) write(event)
    move.run(position)
  }).immediate
  return {
    add: async events => {
      // Dated events are offered again and again: read before locking the store for writing.
      const missing = events.filter(({ uniqueKey }) => known.get(uniqueKey) === undefined)
      if (missing.length > 0) add(missing)
    },
    addLocationEvents: async (events, position) => addLocationEvents(events, position),
  }
}

function createPrune(control: Sqlite): EventQueue['prune'] {
  const last = control
    .prepare<[number, number], number | null>(
      `SELECT max(seq) FROM (SELECT seq FROM outbox WHERE at < ? AND seq < (SELECT max(seq) FROM outbox)
         ORDER BY seq LIMIT ?)`,
    )
    .pluck()
  const removeDeliveries = control.prepare<[number]>('DELETE FROM deliveries WHERE seq <= ?')
  const removeMails = control.prepare<[number]>('DELETE FROM event_mails WHERE seq <= ?')
  const removeEvents = control.prepare<[number, number]>('DELETE FROM outbox WHERE seq <= ? AND at < ?')
  const prune = control.transaction((seq: number, beforeMs: number) => {
    removeDeliveries.run(seq)
    removeMails.run(seq)
    removeEvents.run(seq, beforeMs)
  }).immediate
  return async beforeMs => {
    for (let seq = last.get(beforeMs, eventsPerBatch); seq; seq = last.get(beforeMs, eventsPerBatch))
      prune(seq, beforeMs)
  }
}
