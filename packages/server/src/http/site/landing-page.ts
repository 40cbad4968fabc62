import { html } from '../../web/html.ts'
import type { LayoutPage } from '../../web/layout.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { curlSample } from '../../web/samples.ts'
import { linkTo, type Site } from '../../web/site.ts'
import { routes } from '../partner/routes.ts'
import { type DemoSite, demoSections, renderDemoHead } from './landing-demo.ts'

/** Settings of the landing page. */
export interface LandingSettings {
  /** Absolute, without a trailing slash. Known once the server listens. */
  readonly publicUrl: string
  /** `''` or `/path`, without a trailing slash. */
  readonly basePath: string
  /** Keys for the landing page of a demo; false outside of demos. */
  readonly demo: DemoSite | false
  readonly site: Site
}

/** Returns the landing page: a description, the endpoints and links; in a demo also a search and a test of limits. */
export function toLandingPage({ publicUrl, demo, site }: LandingSettings): LayoutPage {
  const link = (path: string, label: string) => html`<a href="${linkTo(site, path)}">${label}</a>`
  return {
    title: site.name,
    path: '/',
    lead: 'A location data service: places and reviews over HTTP, with exact limits and stable versions.',
    ...(demo && { head: renderDemoHead(site, demo) }),
    content: html`${demo ? demoSections : codeBlock(curlSample({ publicUrl, path: '/locations/1', query: { version: '1' } }))}
<h2>Endpoints</h2>
<div class="table" role="region" aria-label="Endpoints" tabindex="0"><table><thead><tr><th>Path</th><th>Operation</th><th>Permission</th></tr></thead><tbody>
${routes.map(
  ({ operation, path, permission }) =>
    html`<tr><td><code>GET ${path.replace(/:(\w+)/g, '{$1}').replace('*', '…')}</code></td><td>${operation}</td><td>${permission}</td></tr>\n`,
)}</tbody></table></div>
<h2>More</h2>
<ul>
<li>${link('/docs', 'API reference')}, ${link('/docs/guide', 'guide for partners')}</li>
<li>${link('/docs/versions', 'Versions and changelogs')}, ${link('/docs/errors', 'errors')}</li>
</ul>
`,
  }
}
