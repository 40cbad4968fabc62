import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { Delivery } from '../../domain/webhook.ts'
import { recordOf } from './record.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Queues a delivery again, with the same event id and all attempts ahead of it. */
export async function redeliver(
  { webhooks, clock }: Pick<WebhookStores, 'webhooks' | 'clock'>,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Delivery | AdminFault> {
  const visibility = visibilityOf(actor)
  const unknown = adminFault('delivery_unknown', ['id'], { delivery: id })
  const delivery = await webhooks.delivery(id, visibility)
  if (!delivery) return unknown
  const endpoint = await webhooks.endpoint(delivery.endpointId, visibility)
  if (!endpoint) return unknown
  if (endpoint.state === 'disabled') return adminFault('webhook_disabled', [], { webhook: endpoint.id })
  const { partnerId } = endpoint
  const record = recordOf(clock, actor, {
    action: 'delivery.repeat',
    target: id,
    partnerId,
    after: { webhook: endpoint.id, event: delivery.event.id },
  })
  return (await webhooks.redeliver(id, clock.nowMs(), record)) ?? unknown
}
