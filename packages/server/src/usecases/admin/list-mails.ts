import type { Actor } from '../../domain/actor.ts'
import type { EventPage, MailQuery } from '../../domain/event-store.ts'
import type { QueuedMail } from '../../domain/queued-mail.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Lists the mails about events, newest first. Only for the operator. */
export const listMails = (
  { webhooks }: Pick<WebhookStores, 'webhooks'>,
  actor: Actor,
  query: MailQuery,
): Promise<EventPage<QueuedMail>> =>
  actor.partnerId === undefined ? webhooks.mails(query) : Promise.resolve({ rows: [] })
