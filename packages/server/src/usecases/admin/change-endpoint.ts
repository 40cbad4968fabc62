import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { EndpointChange, WebhookEndpoint } from '../../domain/webhook.ts'
import { checkEndpointTerms, sortEventTypes } from './endpoint-terms.ts'
import { createEndpointConflict, findEndpoint } from './find-endpoint.ts'
import { recordOf } from './record.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** A change of an endpoint, based on the revision that the caller read. */
export interface EndpointUpdate {
  readonly id: string
  readonly expectedRevision: number
  readonly change: Omit<EndpointChange, 'types'> & { readonly types?: readonly string[] }
}

/** Changes URL, types or state of an endpoint. Waiting events of a paused endpoint are sent when it is active again. */
export async function changeEndpoint(
  stores: WebhookStores,
  actor: Actor,
  { id, expectedRevision, change: { types, ...rest } }: EndpointUpdate,
): Promise<WebhookEndpoint | AdminFault> {
  const before = await findEndpoint(stores, actor, id)
  if (isAdminFault(before)) return before
  const terms = { ...(rest.url !== undefined && { url: rest.url }), ...(types && { types }) }
  const fault = checkEndpointTerms(stores, { ...terms, isPartners: before.partnerId !== undefined })
  if (fault) return fault
  const change: EndpointChange = { ...rest, ...(types && { types: sortEventTypes(types) }) }
  const after = { ...before, ...change }
  if (before.revision === expectedRevision && isDeepStrictEqual(before, after)) return before
  const { partnerId } = before
  const record = recordOf(stores.clock, actor, { action: 'webhook.change', target: id, partnerId, before, after })
  const changed = await stores.webhooks.updateEndpoint(id, expectedRevision, change, record)
  return changed ?? createEndpointConflict(stores, actor, { id, expectedRevision })
}
