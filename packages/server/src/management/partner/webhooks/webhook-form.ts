import { type EventType, partnerEventTypes } from '../../../domain/event.ts'
import type { Key } from '../../../domain/key.ts'
import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import type { Field } from '../../../web/parts/form.ts'
import { eventTexts } from '../../shared/event-texts.ts'
import { keyName } from '../../shared/key-parts.ts'

/** Types that a new webhook has unless others are chosen. */
const usualTypes: readonly EventType[] = [
  'quota.threshold_reached',
  'limit.penalty_started',
  'key.expiring',
  'version.deprecated',
  'version.sunset_near',
  'review.erased',
]

/** Returns the fields of a webhook; `keys` are the choices for a new one. */
export function webhookFields(endpoint: WebhookEndpoint | undefined, keys: readonly Key[]): Field[] {
  return [
    {
      ...{ name: 'url', label: 'URL', type: 'url', value: endpoint?.url ?? '' },
      ...{ placeholder: 'https://partner.example/webhooks', hint: 'Reachable from the internet, with https.' },
    },
    ...(endpoint === undefined && keys.length > 0 ? [keyField(keys)] : []),
    {
      ...{ name: 'types', label: 'Events', type: 'checkboxes', value: endpoint?.types ?? usualTypes },
      choices: partnerEventTypes.map(type => ({ value: type, label: type, hint: eventTexts[type] })),
    },
  ]
}

const keyField = (keys: readonly Key[]): Field => ({
  ...{ name: 'key_id', label: 'Key', type: 'select', value: '', required: false },
  hint: 'With a key, only its events are sent, and changes of places in its scope.',
  choices: [{ value: '', label: 'All keys' }, ...keys.map(key => ({ value: key.id, label: keyName(key) }))],
})
