import type { Key } from '../domain/key.ts'
import { fullScope } from '../domain/scope.ts'
import type { Engine } from '../domain/stores.ts'
import { everything } from '../domain/visibility.ts'
import type { WebhookEndpoint } from '../domain/webhook.ts'
import { type LocationSubscriber, locationTypes } from '../events/locations.ts'

/**
 * Returns the endpoints that receive location events. An endpoint sees what its key sees; without a key, what any
 * active key of its partner sees; an endpoint of the operator sees everything.
 */
export async function findLocationSubscribers({
  webhooks,
  keys: store,
}: Pick<Engine, 'webhooks' | 'keys'>): Promise<LocationSubscriber[]> {
  const endpoints = (await webhooks.endpoints(everything)).filter(
    ({ state, types }) => state !== 'disabled' && locationTypes.some(type => types.includes(type)),
  )
  if (endpoints.length === 0) return []
  const keys = (await store.keys(everything)).filter(key => key.state === 'active')
  return endpoints.map(endpoint => ({ endpoint, scopes: scopesOf(endpoint, keys) }))
}

function scopesOf({ partnerId, keyId }: WebhookEndpoint, keys: readonly Key[]) {
  if (partnerId === undefined && keyId === undefined) return [fullScope]
  return keys
    .filter(key => (keyId === undefined ? key.partnerId === partnerId : key.id === keyId))
    .map(key => key.scope)
}
