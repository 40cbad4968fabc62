import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { eventTypes } from '../../domain/event.ts'
import type { EventPage, EventQuery } from '../../domain/event-store.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { OutboxEvent } from '../../domain/webhook.ts'
import { sortEventTypes } from './endpoint-terms.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** A query for events; an actor of a partner sees the events of that partner. */
export interface EventListInput extends Omit<EventQuery, 'visibility' | 'types'> {
  readonly types?: readonly string[]
}

/** Lists the events of the last 30 days, newest first. */
export async function listEvents(
  { webhooks }: Pick<WebhookStores, 'webhooks'>,
  actor: Actor,
  { types, ...query }: EventListInput,
): Promise<EventPage<OutboxEvent> | AdminFault> {
  const unknown = types?.find(type => !eventTypes.some(one => one === type))
  if (unknown !== undefined) return adminFault('event_type_unknown', ['type'], { type: unknown, types: eventTypes })
  return webhooks.events({
    ...query,
    visibility: visibilityOf(actor),
    ...(types && { types: sortEventTypes(types) }),
  })
}
