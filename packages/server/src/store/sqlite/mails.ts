import type { EventQueue, WebhookAdmin } from '../../domain/event-store.ts'
import type { DueMail, MailRule, MailSettlement, QueuedMail } from '../../domain/queued-mail.ts'
import type { DeliveryState, OutboxEvent } from '../../domain/webhook.ts'
import { dayMs } from '../../kit/time.ts'
import type { Sqlite } from '../connection.ts'
import { eventOf, type OutboxRow, outboxColumns } from './events.ts'
import { logTerms } from './list-query.ts'

/** Maximum age of an event that is mailed, in milliseconds: setting mail up must not send mails about old events. */
const maxAgeMs = dayMs

/** Returns a function that queues the mails about an event. Call it in the transaction that reads the event. */
export function createMailFanOut(control: Sqlite): (event: OutboxEvent, rule: MailRule, nowMs: number) => void {
  const wanted = `state = 'active' AND created <= @at AND (@security OR coalesce(json_extract(mails, @choice), 1))`
  const toStaff = control.prepare(
    `INSERT INTO event_mails (user, seq, attempt, state, next)
     SELECT id, @seq, 0, 'pending', @next FROM users WHERE staff_role IN ('owner', 'operator') AND ${wanted}
     ON CONFLICT (user, seq) DO NOTHING`,
  )
  const toPartner = control.prepare(
    `INSERT INTO event_mails (user, seq, attempt, state, next)
     SELECT id, @seq, 0, 'pending', @next FROM users JOIN memberships ON user = id
     WHERE partner = @partner AND role = 'admin' AND ${wanted} ON CONFLICT (user, seq) DO NOTHING`,
  )
  return (event, rule, nowMs) => {
    const mail = event.atMs < nowMs - maxAgeMs ? undefined : rule(event)
    if (!mail) return
    const parameters = {
      seq: event.seq,
      at: event.atMs,
      next: nowMs,
      security: mail.isSecurity ? 1 : 0,
      choice: `$."${event.type}"`,
    }
    if (mail.audience === 'staff') toStaff.run(parameters)
    else toPartner.run({ ...parameters, partner: event.partnerId ?? null })
  }
}

/** Opens the list of mails. */
export function createMailList(control: Sqlite): Pick<WebhookAdmin, 'mails'> {
  return {
    mails: async ({ limit, after, order }) => {
      const { follows, sorted } = logTerms('m.no', order)
      const rows = control
        .prepare<
          [object],
          OutboxRow & { no: number; user: string; attempt: number; state: DeliveryState; next: number | null }
        >(
          `SELECT m.no, m.user, m.attempt, m.state, m.next, ${outboxColumns}
           FROM event_mails m JOIN outbox o ON o.seq = m.seq WHERE ${follows} ${sorted} LIMIT @limit`,
        )
        .all({ after: after ?? null, limit: limit + 1 })
      const mails = rows.slice(0, limit).map(
        (row): QueuedMail => ({
          no: row.no,
          userId: row.user,
          event: eventOf(control, row),
          state: row.state,
          attempts: row.attempt,
          ...(row.next !== null && { nextMs: row.next }),
        }),
      )
      return { rows: mails, ...(rows.length > limit && { next: mails.at(-1)!.no }) }
    },
  }
}

/** Opens the queue of mails. */
export function createMailQueue(control: Sqlite): Pick<EventQueue, 'dueMails' | 'settleMail'> {
  const due = control.prepare<
    [number, number],
    OutboxRow & { no: number; user: string; email: string; attempt: number }
  >(
    `SELECT m.no, m.user, u.email, m.attempt, ${outboxColumns}
     FROM event_mails m JOIN outbox o ON o.seq = m.seq JOIN users u ON u.id = m.user
     WHERE m.state = 'pending' AND m.next <= ? AND u.state = 'active' ORDER BY m.next LIMIT ?`,
  )
  const settle = control.prepare<[MailSettlement & { next: number | null }]>(
    'UPDATE event_mails SET attempt = attempt + 1, state = @state, next = @next WHERE no = @no',
  )
  return {
    dueMails: async (nowMs, limit) =>
      due.all(nowMs, limit).map(
        (row): DueMail => ({
          no: row.no,
          userId: row.user,
          to: row.email,
          attempts: row.attempt,
          event: eventOf(control, row),
        }),
      ),
    settleMail: async settlement => void settle.run({ ...settlement, next: settlement.nextMs ?? null }),
  }
}
