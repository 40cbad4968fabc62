import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { WebhookEndpoint } from '../../domain/webhook.ts'
import { createEndpointConflict, findEndpoint } from './find-endpoint.ts'
import { recordOf } from './record.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Removes an endpoint with its deliveries, and returns it as it was. */
export async function removeEndpoint(
  stores: Pick<WebhookStores, 'webhooks' | 'clock'>,
  actor: Actor,
  { id, expectedRevision }: { readonly id: string; readonly expectedRevision: number },
): Promise<WebhookEndpoint | AdminFault> {
  const before = await findEndpoint(stores, actor, id)
  if (isAdminFault(before)) return before
  const { partnerId } = before
  const record = recordOf(stores.clock, actor, { action: 'webhook.remove', target: id, partnerId, before })
  const removed = await stores.webhooks.removeEndpoint(id, expectedRevision, record)
  return removed ? before : createEndpointConflict(stores, actor, { id, expectedRevision })
}
