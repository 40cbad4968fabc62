import { attribute, type Html, html } from '../../../web/html.ts'
import { icon } from '../../../web/icon.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { notice } from '../../../web/parts/notice.ts'

/** An option of a select, by value and label. */
export type Option = readonly [value: string, label: string]

/** Returns a select with its label. */
export function select(label: string, name: string, options: readonly Option[], chosen: string): Html {
  const list = options.map(
    ([value, text]) => html`<option value="${value}"${attribute('selected', value === chosen)}>${text}</option>`,
  )
  return html`<label>${label} <select name="${name}">${list}</select></label>`
}

/** Returns a warning with the names of the parameters that were not understood; nothing if all were. */
export const ignoredNotice = (ignored: readonly string[]): Html | false =>
  ignored.length > 0 &&
  notice('warn', html`<p>These parameters were not understood and are ignored: ${ignored.join(', ')}.</p>`)

/** Returns the links to the pages before and after `page`; nothing if there is only one page. */
export function pageLinks(page: number, hasNext: boolean, linkOf: (page: number) => string): Html | undefined {
  if (page === 1 && !hasNext) return undefined
  const link = (other: number, label: Html) => buttonLink(linkOf(other), label)
  const previous = page > 1 && link(page - 1, html`${icon('chevron-left')} Previous`)
  const next = hasNext && link(page + 1, html`Next ${icon('chevron-right')}`)
  return html`<nav class="pager" aria-label="Pages">${previous} ${next}</nav>
`
}
