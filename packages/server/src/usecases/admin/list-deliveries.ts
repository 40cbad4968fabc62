import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { DeliveryQuery, EventPage } from '../../domain/event-store.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { Delivery } from '../../domain/webhook.ts'
import { findEndpoint } from './find-endpoint.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Lists deliveries, newest first. */
export async function listDeliveries(
  stores: Pick<WebhookStores, 'webhooks'>,
  actor: Actor,
  query: Omit<DeliveryQuery, 'visibility'>,
): Promise<EventPage<Delivery> | AdminFault> {
  const endpoint = query.endpointId === undefined ? undefined : await findEndpoint(stores, actor, query.endpointId)
  if (isAdminFault(endpoint)) return endpoint
  return stores.webhooks.deliveries({ ...query, visibility: visibilityOf(actor) })
}
