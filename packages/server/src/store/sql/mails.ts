import type { EventQueue, WebhookAdmin } from '../../domain/event-store.ts'
import type { DueMail, MailRule, QueuedMail } from '../../domain/queued-mail.ts'
import type { MailChoices } from '../../domain/user.ts'
import type { DeliveryState, OutboxEvent } from '../../domain/webhook.ts'
import { dayMs } from '../../kit/time.ts'
import { all, type JsonColumns, run, type SqlDatabase, type SqlWork } from './database.ts'
import { eventOf, type OutboxRow, outboxColumns } from './events.ts'
import { listOf, logOrder, toList, toRows, where } from './terms.ts'

/** Maximum age of an event that is mailed, in milliseconds: setting mail up must not send mails about old events. */
const maxAgeMs = dayMs

/** A user who may get mails about events. */
interface Receiver {
  readonly id: string
  readonly mails: string
  readonly created: number
  /** The partner whose admin the user is. */
  readonly partner: string | null
}

/** Queues the mails about events. Part of the transaction that reads the events. */
export function* addMails(
  db: JsonColumns,
  events: readonly OutboxEvent[],
  rule: MailRule,
  nowMs: number,
): SqlWork<void> {
  const mails = events.flatMap(event => {
    const mail = event.atMs < nowMs - maxAgeMs ? undefined : rule(event)
    return mail ? { ...mail, event } : []
  })
  if (mails.length === 0) return
  const users = yield* all<Receiver>(
    `SELECT u.id, u.mails, u.created, m.partner FROM users u
     LEFT JOIN memberships m ON m."user" = u.id AND m.role = 'admin'
     WHERE u.state = 'active' AND (m.partner IN (${listOf('partners')}) OR u.staff_role IN ('owner', 'operator'))
     ORDER BY u.created, u.id`,
    { partners: toList(mails.flatMap(({ event }) => event.partnerId ?? [])) },
  )
  const receivers = users.map(user => ({ ...user, choices: db.parseJson<MailChoices>(user.mails) }))
  const rows = mails.flatMap(({ event, audience, isSecurity }) =>
    receivers
      .filter(({ partner }) => (audience === 'staff' ? partner === null : partner === event.partnerId))
      .filter(({ created, choices }) => created <= event.atMs && (isSecurity || choices[event.type] !== false))
      .map(({ id }) => ({ user: id, seq: event.seq })),
  )
  yield* run(
    `INSERT INTO event_mails ("user", seq, attempt, state, next)
     SELECT value ->> 'user', CAST(value ->> 'seq' AS BIGINT), 0, 'pending', @nowMs
     FROM json_each(@rows) WHERE true ON CONFLICT ("user", seq) DO NOTHING`,
    { rows: toRows(rows), nowMs },
  )
}

interface MailRow extends OutboxRow {
  no: number
  user: string
  attempt: number
  state: DeliveryState
  next: number | null
}

/** Opens the list of mails. */
export const createMailList = (db: SqlDatabase): Pick<WebhookAdmin, 'mails'> => ({
  mails: async ({ limit, after, order }) => {
    const { follows, sorted } = logOrder('m.no', after, order)
    const { sql, params } = where(follows)
    const rows = await db.all<MailRow>(
      `SELECT m.no, m."user", m.attempt, m.state, m.next, ${outboxColumns}
       FROM event_mails m JOIN outbox o ON o.seq = m.seq ${sql} ${sorted} LIMIT @rows`,
      { ...params, rows: limit + 1 },
    )
    const mails = rows.slice(0, limit).map(
      (row): QueuedMail => ({
        no: row.no,
        userId: row.user,
        event: eventOf(db, row),
        state: row.state,
        attempts: row.attempt,
        ...(row.next !== null && { nextMs: row.next }),
      }),
    )
    return { rows: mails, ...(rows.length > limit && { next: mails.at(-1)!.no }) }
  },
})

/** Opens the queue of mails. */
export const createMailQueue = (db: SqlDatabase): Pick<EventQueue, 'dueMails' | 'settleMail'> => ({
  dueMails: async (nowMs, limit) => {
    const rows = await db.all<MailRow & { email: string }>(
      `SELECT m.no, m."user", u.email, m.attempt, ${outboxColumns}
       FROM event_mails m JOIN outbox o ON o.seq = m.seq JOIN users u ON u.id = m."user"
       WHERE m.state = 'pending' AND m.next <= @nowMs AND u.state = 'active' ORDER BY m.next LIMIT @limit`,
      { nowMs, limit },
    )
    return rows.map(
      (row): DueMail => ({
        no: row.no,
        userId: row.user,
        to: row.email,
        attempts: row.attempt,
        event: eventOf(db, row),
      }),
    )
  },
  settleMail: async ({ no, state, nextMs }) =>
    // A mail that another worker has sent remains sent.
    void (await db.run(
      `UPDATE event_mails SET attempt = attempt + 1, state = @state, next = @next WHERE no = @no AND state <> 'delivered'`,
      { no, state, next: nextMs ?? null },
    )),
})
