import { attribute, type Html, html } from '../html.ts'

/** A link to one of several views of a page. */
export interface Tab {
  readonly label: string
  readonly href: string
  readonly isCurrent: boolean
}

/** Returns links to the views of a page. */
export const tabs = (label: string, list: readonly Tab[]): Html => html`<nav class="tabs" aria-label="${label}"><ul>
${list.map(({ label: text, href, isCurrent }) => {
  const current = attribute('aria-current', isCurrent && 'page')
  return html`<li><a href="${href}"${current}>${text}</a></li>\n`
})}</ul></nav>
`
