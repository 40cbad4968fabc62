import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { WebhookEndpoint } from '../../domain/webhook.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Returns an endpoint that the actor may see, or the fault that it does not exist. */
export const findEndpoint = async (
  { webhooks }: Pick<WebhookStores, 'webhooks'>,
  actor: Actor,
  id: string,
): Promise<WebhookEndpoint | AdminFault> =>
  (await webhooks.endpoint(id, visibilityOf(actor))) ?? adminFault('webhook_unknown', ['id'], { webhook: id })

/** Returns the fault of a change that was rejected because the endpoint has changed since it was read. */
export async function createEndpointConflict(
  stores: Pick<WebhookStores, 'webhooks'>,
  actor: Actor,
  { id, expectedRevision }: { readonly id: string; readonly expectedRevision: number },
): Promise<AdminFault> {
  const current = await findEndpoint(stores, actor, id)
  if (isAdminFault(current)) return current
  return adminFault('changed_meanwhile', [], { resource: 'webhook', id, expectedRevision, revision: current.revision })
}
