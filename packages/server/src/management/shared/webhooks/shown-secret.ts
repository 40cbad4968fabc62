import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import { html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import type { PageRequest, Redirect } from '../../pages/page-route.ts'
import { storedLink, storeNow } from '../new-secret.ts'
import type { WebhookArea } from './webhook-area.ts'
import { receiverCard } from './webhook-state.ts'

/** Redirects to the page of a webhook, which shows its new secret once. */
export const showSecret = (
  area: WebhookArea,
  request: PageRequest,
  title: string,
  { endpoint, secret }: { readonly endpoint: WebhookEndpoint; readonly secret: string },
  note?: string,
): Redirect => {
  const redirect = `${area.folder(request)}/${endpoint.id}`
  const content = [
    storeNow('secret', 'If you lose it, rotate it to get another.'),
    codeBlock(secret, 'Secret'),
    codeBlock(`WEBHOOK_SECRET=${secret}`, 'Line for .env'),
    note !== undefined && html`<p>${note}</p>`,
    storedLink(request.site, redirect),
    receiverCard(),
  ]
  return { redirect, once: { title, scripts: ['samples.js'], content } }
}
