import type { Key } from '../../../domain/key.ts'
import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import type { Field } from '../../../web/parts/form.ts'
import { eventTexts } from '../event-texts.ts'
import { keyName } from '../key-parts.ts'
import type { WebhookArea } from './webhook-area.ts'

/** Returns the fields of a webhook; `keys` are the choices for a new one. */
export function webhookFields(
  { types, usualTypes }: WebhookArea,
  endpoint: WebhookEndpoint | undefined,
  keys: readonly Key[],
): Field[] {
  return [
    {
      name: 'url',
      label: 'URL',
      type: 'url',
      value: endpoint?.url ?? '',
      placeholder: 'https://partner.example/webhooks',
      hint: 'Reachable from the internet, with https.',
    },
    ...(endpoint === undefined && keys.length > 0 ? [keyField(keys)] : []),
    {
      name: 'types',
      label: 'Events',
      type: 'checkboxes',
      value: endpoint?.types ?? usualTypes,
      choices: types.map(type => ({ value: type, label: type, hint: eventTexts[type] })),
    },
  ]
}

const keyField = (keys: readonly Key[]): Field => ({
  name: 'key_id',
  label: 'Key',
  type: 'select',
  value: '',
  required: false,
  hint: 'With a key, only its events are sent, and changes of places in its scope.',
  choices: [{ value: '', label: 'All keys' }, ...keys.map(key => ({ value: key.id, label: keyName(key) }))],
})
