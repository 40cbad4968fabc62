import { type Html, html } from '../../../web/html.ts'
import { icon } from '../../../web/icon.ts'
import { linkTo } from '../../../web/site.ts'
import type { VersionReference } from './reference.ts'

/** Returns a menu of the versions, which lead to the same page: that of an operation, or of all. */
export const versionMenu = ({ site, versions, name }: VersionReference, operation?: string): Html => {
  const current = versions.find(one => one.name === name)
  return html`<details class="menu"><summary class="button">Version ${current?.label ?? name} ${icon('chevron-down')}</summary><ul>
${versions.map(one => html`<li><a href="${linkTo(site, `/docs${one.folder}${operation === undefined ? '' : `/${operation}`}`)}"${one.name === name && html` aria-current="true"`}>Version ${one.label}</a></li>\n`)}<li><a href="${linkTo(site, '/docs/versions')}">Compare versions</a></li>
</ul></details>`
}
