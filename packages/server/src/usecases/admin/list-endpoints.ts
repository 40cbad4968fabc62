import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { WebhookEndpoint } from '../../domain/webhook.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Lists the endpoints that an actor may see, oldest first; of one partner, if one is named. */
export async function listEndpoints(
  { webhooks, keys }: Pick<WebhookStores, 'webhooks' | 'keys'>,
  actor: Actor,
  { partnerId }: { readonly partnerId?: string | undefined } = {},
): Promise<WebhookEndpoint[] | AdminFault> {
  const visibility = visibilityOf(actor)
  if (partnerId === undefined) return webhooks.endpoints(visibility)
  if (!(await keys.partner(partnerId, visibility)))
    return adminFault('partner_unknown', ['partner_id'], { partner: partnerId })
  return webhooks.endpoints({ partnerId })
}
