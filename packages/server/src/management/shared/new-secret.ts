import type { Key } from '../../domain/key.ts'
import { type Html, html } from '../../web/html.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { card } from '../../web/parts/facts.ts'
import { buttonLink } from '../../web/parts/link.ts'
import { notice } from '../../web/parts/notice.ts'
import { linkTo, type Site } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest, Redirect } from '../pages/page-route.ts'

/** A secret that has just been made, and the page to which its reader continues. */
export interface NewSecretFacts {
  readonly key: Key
  readonly secret: string
  readonly title: string
  /** Path below the base path. */
  readonly next: string
  /** Sentence about earlier secrets. */
  readonly note?: string
}

/** Returns the warning above a secret; `remedy` says what to do when it is lost. */
export const storeNow = (thing: 'secret' | 'token', remedy?: string): Html => {
  const text = `It is shown only once.${remedy === undefined ? '' : ` ${remedy}`}`
  return notice('warn', html`<p><strong>Store the ${thing} now.</strong> ${text}</p>`, 'status')
}

/** Returns the link with which a reader leaves the page of a secret. */
export const storedLink = (site: Site, path: string): Html =>
  html`<p class="buttons">${buttonLink(linkTo(site, path), 'I have stored it', { kind: 'primary' })}</p>`

/** Redirects to the page of a key, which shows its new secret once. */
export const showNewSecret = (
  { apiUrl }: Pick<ManagementContext, 'apiUrl'>,
  { site }: PageRequest,
  { key, secret, title, next, note }: NewSecretFacts,
): Redirect => ({
  redirect: next,
  once: {
    title,
    content: [
      storeNow('secret', 'If you lose it, rotate the key to get another.'),
      card(key.name ?? key.id, [
        codeBlock(secret, 'Secret'),
        codeBlock(`PERIPLUS_KEY=${secret}`, 'Line for .env'),
        codeBlock(`curl -H 'X-API-Key: ${secret}' '${apiUrl}/account'`, 'First call'),
        note !== undefined && html`<p>${note}</p>`,
        html`\n`,
        storedLink(site, next),
      ]),
    ],
    scripts: ['samples.js'],
  },
})
