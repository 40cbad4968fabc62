import { type Html, type HtmlValue, html } from '../html.ts'

/** Returns a link. `subject` is for screen readers only: it distinguishes links of a table that have the same label. */
export const link = (href: string, label: HtmlValue, subject?: HtmlValue): Html =>
  html`<a href="${href}">${label}${unseen(subject)}</a>`

/** Returns a link that looks like a button. `subject` is for screen readers only. */
export const buttonLink = (
  href: string,
  label: HtmlValue,
  { kind, subject }: { readonly kind?: 'plain' | 'primary' | 'danger'; readonly subject?: HtmlValue } = {},
): Html => html`<a class="button${kind && ` ${kind}`}" href="${href}">${label}${unseen(subject)}</a>`

const unseen = (text: HtmlValue): HtmlValue => text !== undefined && html`<span class="unseen"> ${text}</span>`

/** A page that a reader may continue to, with a sentence about it. */
export interface LinkCard {
  readonly href: string
  readonly label: string
  readonly text: string
}

/** Returns links as cards side by side. */
export const linkCards = (cards: readonly LinkCard[]): Html => html`<ul class="link-cards">
${cards.map(({ href, label, text }) => html`<li><a href="${href}">${label}</a><p>${text}</p></li>\n`)}</ul>
`

/** Returns buttons next to each other. */
export const buttonRow = (buttons: HtmlValue): Html => html`<p class="buttons">${buttons}</p>
`
