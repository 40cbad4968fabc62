import { attribute, type Html, html } from '../../../web/html.ts'
import { icon } from '../../../web/icon.ts'
import { linkTo } from '../../../web/site.ts'
import type { VersionReference } from './reference.ts'

/** Returns a menu of the versions, which lead to the same page: that of an operation, or of all. */
export const versionMenu = ({ site, versions, name }: VersionReference, operation?: string): Html => {
  const current = versions.find(one => one.name === name)
  const page = operation === undefined ? '' : `/${operation}`
  const items = versions.map(one => {
    const isCurrent = attribute('aria-current', one.name === name && 'true')
    return html`<li><a href="${linkTo(site, `/docs${one.folder}${page}`)}"${isCurrent}>Version ${one.label}</a></li>\n`
  })
  return html`<details class="menu"><summary class="button">Version ${current?.label ?? name}
${icon('chevron-down')}</summary><ul>
${items}<li><a href="${linkTo(site, '/docs/versions')}">Compare versions</a></li>
</ul></details>`
}
