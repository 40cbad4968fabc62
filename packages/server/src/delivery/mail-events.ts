import type { EventQueue } from '../domain/event-store.ts'
import type { DueMail } from '../domain/queued-mail.ts'
import { formatMail } from '../events/mail.ts'
import { nextAttemptMs } from '../events/retry.ts'
import type { Mailer } from './mailer.ts'

/** Mails that are sent in one round, sequentially. */
const perRound = 50

/** Sends due mails about events. A killed process repeats a mail with the same message id. */
export async function sendDueMails(
  {
    queue,
    mailer,
    nowMs,
    random,
  }: {
    readonly queue: EventQueue
    readonly mailer: Mailer
    readonly nowMs: () => number
    readonly random: () => number
  },
  onError: (error: unknown) => void,
): Promise<void> {
  for (const mail of await queue.dueMails(nowMs(), perRound)) {
    const error = await send(mailer, mail)
    if (error === undefined) {
      await queue.settleMail({ no: mail.no, state: 'delivered' })
      continue
    }
    onError(error)
    const nextMs = nextAttemptMs(mail.attempts + 1, nowMs(), random())
    await queue.settleMail({
      no: mail.no,
      ...(nextMs === undefined ? { state: 'failed' } : { state: 'pending', nextMs }),
    })
  }
}

async function send(mailer: Mailer, { to, event, userId }: DueMail): Promise<Error | undefined> {
  try {
    await mailer.send({ to, ...formatMail(event), id: `${event.id}.${userId}` })
    return undefined
  } catch (error) {
    // The text of the server may repeat the address, which logs must not have.
    const { code = 'unknown' } = error as { code?: string }
    return new Error(`The SMTP server did not accept a mail (${code}).`)
  }
}
