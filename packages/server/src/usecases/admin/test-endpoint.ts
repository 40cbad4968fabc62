import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { DeliveryAttempt, WebhookEndpoint } from '../../domain/webhook.ts'
import { findEndpoint } from './find-endpoint.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Sends a signed event of the type `webhook.test` to an endpoint, once, and returns the answer. Nothing is stored. */
export async function testEndpoint(
  stores: Pick<WebhookStores, 'webhooks' | 'clock' | 'send' | 'newId'>,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<{ readonly endpoint: WebhookEndpoint; readonly attempt: DeliveryAttempt } | AdminFault> {
  const endpoint = await findEndpoint(stores, actor, id)
  if (isAdminFault(endpoint)) return endpoint
  const secrets = (await stores.webhooks.secrets(id))!
  const event = {
    id: stores.newId('evt'),
    type: 'webhook.test' as const,
    atMs: stores.clock.nowMs(),
    ...(endpoint.partnerId !== undefined && { partnerId: endpoint.partnerId }),
    data: { webhook_id: id },
  }
  return { endpoint, attempt: await stores.send({ endpoint, secrets, event }) }
}
