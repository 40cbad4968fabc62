import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { type EventType, eventTypes, partnerEventTypes } from '../../domain/event.ts'
import { checkTexts } from './check-texts.ts'
import type { WebhookStores } from './webhook-stores.ts'

/** Returns the fault of a URL or of event types that an endpoint cannot have; undefined if they are valid. */
export function checkEndpointTerms(
  { findUrlProblem }: Pick<WebhookStores, 'findUrlProblem'>,
  {
    url,
    types,
    isPartners,
  }: { readonly url?: string; readonly types?: readonly string[]; readonly isPartners: boolean },
): AdminFault | undefined {
  const fault = checkTexts({ url })
  if (fault) return fault
  const problem = url === undefined ? undefined : findUrlProblem(url)
  if (problem !== undefined) return adminFault('webhook_url_invalid', ['url'], { url: url!, problem })
  const known: readonly EventType[] = isPartners ? partnerEventTypes : eventTypes
  const unknown = types?.find(type => !known.some(one => one === type))
  if (types?.length === 0 || unknown !== undefined)
    return adminFault('event_type_unknown', ['types'], { type: unknown, types: known })
  return undefined
}

/** Returns types in the order of `eventTypes`, each once. */
export const sortEventTypes = (types: readonly string[]): EventType[] => eventTypes.filter(type => types.includes(type))
