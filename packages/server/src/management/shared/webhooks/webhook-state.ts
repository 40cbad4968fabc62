import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import type { Html } from '../../../web/html.ts'
import { html } from '../../../web/html.ts'
import { samples } from '../../../web/parts/code.ts'
import { card } from '../../../web/parts/facts.ts'
import { badge } from '../../../web/parts/notice.ts'
import { receiverSamples } from './receiver.ts'

/** Returns the state of a webhook. */
export function webhookState({ state, failingSinceMs }: WebhookEndpoint): Html {
  if (state === 'disabled') return badge('bad', 'Disabled')
  if (state === 'paused') return badge('warn', 'Paused')
  return failingSinceMs === undefined ? badge('good', 'Active') : badge('bad', 'Failing')
}

/** Returns a receiver in several languages. */
export const receiverCard = (): Html =>
  card('A receiver', [
    html`<p>Verify the signature, answer with 2xx within 15 seconds, and do the work afterwards. An event can come
twice, with the same id.</p>`,
    samples(receiverSamples),
  ])
