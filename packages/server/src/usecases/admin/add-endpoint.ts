import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { WebhookEndpoint } from '../../domain/webhook.ts'
import { checkEndpointTerms, sortEventTypes } from './endpoint-terms.ts'
import { findKey } from './find-key.ts'
import { recordOf } from './record.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Terms of a new endpoint. */
export interface EndpointInput {
  readonly url: string
  readonly types: readonly string[]
  /** Default: the partner of the actor or of the key; without both, the endpoint is the operator's own. */
  readonly partnerId?: string | undefined
  readonly keyId?: string | undefined
}

/** Maximum number of endpoints of one partner, or of the operator. */
const maxEndpoints = 20

/** Adds an endpoint. Only this function and `rotateEndpointSecret` return a secret. */
export async function addEndpoint(
  stores: WebhookStores,
  actor: Actor,
  { url, types, keyId, ...input }: EndpointInput,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string } | AdminFault> {
  const owner = await findOwner(stores, actor, { keyId, partnerId: input.partnerId ?? actor.partnerId })
  if (isAdminFault(owner)) return owner
  const { partnerId } = owner
  const fault = checkEndpointTerms(stores, { url, types, isPartners: partnerId !== undefined })
  if (fault) return fault
  const { webhooks, clock, secrets, newId } = stores
  const others = await webhooks.endpoints(partnerId === undefined ? { all: true } : { partnerId })
  if (others.filter(other => other.partnerId === partnerId).length >= maxEndpoints)
    return adminFault('too_many_webhooks', [], { max: maxEndpoints })
  const endpoint: WebhookEndpoint = {
    id: newId('webhook'),
    ...owner,
    url,
    types: sortEventTypes(types),
    state: 'active',
    createdMs: clock.nowMs(),
    revision: 1,
  }
  const secret = stores.createSecret()
  const record = recordOf(clock, actor, {
    action: 'webhook.add',
    target: endpoint.id,
    partnerId,
    after: { ...endpoint, secret },
  })
  await webhooks.addEndpoint(endpoint, secrets.seal(secret, endpoint.id), record)
  return { endpoint, secret }
}

/** Returns partner and key of a new endpoint, or the fault that one of them does not exist. */
async function findOwner(
  { keys }: Pick<WebhookStores, 'keys'>,
  actor: Actor,
  { partnerId, keyId }: { readonly partnerId: string | undefined; readonly keyId: string | undefined },
): Promise<Pick<WebhookEndpoint, 'partnerId' | 'keyId'> | AdminFault> {
  if (keyId !== undefined) {
    const key = await findKey(keys, actor, keyId)
    if (isAdminFault(key)) return key
    if (partnerId !== undefined && key.partnerId !== partnerId)
      return adminFault('key_unknown', ['key_id'], { key: keyId })
    return { partnerId: key.partnerId, keyId }
  }
  if (partnerId === undefined) return {}
  const partner = await keys.partner(partnerId, visibilityOf(actor))
  return partner ? { partnerId } : adminFault('partner_unknown', ['partner_id'], { partner: partnerId })
}
