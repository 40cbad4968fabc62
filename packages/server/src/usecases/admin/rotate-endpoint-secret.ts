import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { WebhookEndpoint } from '../../domain/webhook.ts'
import { dayMs } from '../../kit/time.ts'
import { createEndpointConflict, findEndpoint } from './find-endpoint.ts'
import { recordOf } from './record.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Time for which the previous secret signs as well, in milliseconds. */
const overlapMs = dayMs

/** Gives an endpoint another secret. For a day, events have a signature with either secret. */
export async function rotateEndpointSecret(
  stores: WebhookStores,
  actor: Actor,
  { id, expectedRevision }: { readonly id: string; readonly expectedRevision: number },
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string } | AdminFault> {
  const before = await findEndpoint(stores, actor, id)
  if (isAdminFault(before)) return before
  const secret = stores.createSecret()
  const previousSecretEndsMs = stores.clock.nowMs() + overlapMs
  const record = recordOf(stores.clock, actor, {
    action: 'webhook.rotate',
    target: id,
    partnerId: before.partnerId,
    after: { secret, previousSecretEndsMs },
  })
  const sealed = stores.secrets.seal(secret, id)
  const endpoint = await stores.webhooks.rotateSecret(id, expectedRevision, sealed, previousSecretEndsMs, record)
  return endpoint ? { endpoint, secret } : createEndpointConflict(stores, actor, { id, expectedRevision })
}
