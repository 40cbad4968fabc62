import type { Key } from '../../domain/key.ts'
import { html } from '../../web/html.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { card } from '../../web/parts/facts.ts'
import { notice } from '../../web/parts/notice.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest, PageView } from '../pages/page-route.ts'

/** A secret that has just been made, and the page to which its reader continues. */
export interface NewSecret {
  readonly key: Key
  readonly secret: string
  readonly title: string
  /** Path below the base path. */
  readonly next: string
  /** Sentence about earlier secrets. */
  readonly note?: string
}

/** Returns the page that shows a secret of a key, once. */
export const newSecretPage = (
  { apiUrl }: Pick<ManagementContext, 'apiUrl'>,
  { site }: PageRequest,
  { key, secret, title, next, note }: NewSecret,
): PageView => ({
  title,
  content: html`${notice('warn', html`<p><strong>Store the secret now.</strong> It is shown only this once. Without it, rotate the key to get another.</p>`, 'status')}
${card(
  key.name ?? key.id,
  html`${codeBlock(secret, 'Secret')}${codeBlock(`PERIPLUS_API_KEY=${secret}`, 'Line for .env')}${codeBlock(`curl -H 'X-API-Key: ${secret}' '${apiUrl}/account'`, 'First call')}${note !== undefined && html`<p>${note}</p>`}
<p class="buttons"><a class="button primary" href="${linkTo(site, next)}">I have stored it</a></p>`,
)}`,
  scripts: ['samples.js'],
})
