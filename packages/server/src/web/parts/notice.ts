import { attribute, type Html, type HtmlValue, html } from '../html.ts'
import { icon } from '../icon.ts'

export type Tone = 'info' | 'good' | 'warn' | 'bad'

const icons: Readonly<Record<Tone, string>> = {
  info: 'info-circle',
  good: 'check-circle',
  warn: 'exclamation-triangle',
  bad: 'exclamation-circle',
}

/**
 * Returns a message above the content of a page. `role` makes screen readers announce it: the result of a form, an
 * error.
 */
export const notice = (tone: Tone, content: HtmlValue, role?: 'status' | 'alert'): Html =>
  html`<div class="notice ${tone}"${attribute('role', role)}>${icon(icons[tone])}<div>${content}</div></div>
`

/** Returns a word that classifies something: a state, a status, a role. */
export const badge = (tone: Tone | 'plain', text: string | Html): Html =>
  html`<span class="badge ${tone}">${text}</span>`

/** Returns what a page shows when it has nothing to list: why, and the next step. */
export const emptyState = (
  title: string,
  content: HtmlValue,
  iconName = 'inbox',
): Html => html`<div class="empty">${icon(iconName)}
<h2>${title}</h2>
${content}</div>
`
