import { html } from '../../../web/html.ts'
import type { NavGroup, SectionNav } from '../../../web/layout.ts'
import type { OperationGroup } from '../../../web/reference/operations.ts'
import { linkTo, type Site } from '../../../web/site.ts'

/** The pages that belong to no operation. */
export const guides: NavGroup = {
  links: [
    { path: '/docs', label: 'API reference', icon: 'book' },
    { path: '/docs/guide', label: 'Guide', icon: 'signpost' },
    { path: '/docs/limits', label: 'Limits and packages', icon: 'speedometer2' },
    { path: '/docs/errors', label: 'Errors', icon: 'exclamation-circle' },
    { path: '/docs/feeds', label: 'Feeds', icon: 'database-down' },
    { path: '/docs/webhooks', label: 'Webhooks', icon: 'broadcast' },
    { path: '/docs/versions', label: 'Versions and changes', icon: 'clock-history' },
    { path: '/docs/licences', label: 'Data and licences', icon: 'card-text' },
  ],
}

/** Returns the path of an operation's page. `folder` is empty for the latest stable version, else as in `/v2`. */
export const operationPath = (folder: string, operation: string): string => `/docs${folder}/${operation}`

/** Returns the navigation of the documentation, with the operations of one version. */
export const docsNav = (groups: readonly OperationGroup[], folder: string, site: Site): SectionNav => ({
  label: 'Documentation',
  head: html`<div class="docs-search" data-index="${linkTo(site, '/docs/search.json')}"></div>`,
  groups: [
    guides,
    ...groups.map(({ label, operations }) => ({
      label,
      links: operations.map(({ id, summary }) => ({ path: operationPath(folder, id), label: summary })),
    })),
  ],
})
