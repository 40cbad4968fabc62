import type { Site } from '../../web/site.ts'
import { routes } from '../partner/routes.ts'
import { escapeHtml, renderHtmlPage } from './html.ts'
import { type DemoSite, demoSections, renderDemoHead } from './landing-demo.ts'

/** Settings of the landing page. */
export interface LandingSettings {
  /** Absolute, without a trailing slash (R-34). Known once the server listens. */
  readonly publicUrl: string
  /** `''` or `/path`, without a trailing slash. */
  readonly basePath: string
  /** Keys for the landing page of a demo; false outside of demos. */
  readonly demo: DemoSite | false
  readonly site: Site
}

/** Returns the landing page: a description, the endpoints and links; in a demo also a search and a test of limits. */
export function renderLandingPage({ publicUrl, basePath, demo }: LandingSettings): string {
  const rows = routes.map(({ operation, path, permission }) => {
    const shown = path.replace(/:(\w+)/g, '{$1}').replace('*', '…')
    return `<tr><td><code>GET ${shown}</code></td><td>${operation}</td><td>${permission}</td></tr>`
  })
  // The page may be requested without a trailing slash, so relative links need the base path.
  const root = basePath === '' ? './' : `${escapeHtml(basePath)}/`
  return renderHtmlPage({
    title: demo ? 'Periplus demo' : 'Periplus',
    root,
    ...(demo && { head: renderDemoHead(root, demo) }),
    body: `<header>
<img src="${root}assets/mark.svg" alt="" width="44" height="44">
<div><h1>Periplus</h1>
<p>A location data service: places and reviews over HTTP, with exact limits and stable versions.</p></div>
</header>
<main>
${demo ? demoSections : `<pre>curl -H "X-API-Key: $KEY" "${escapeHtml(publicUrl)}/locations/1?version=1"</pre>`}
<section>
<h2>Endpoints</h2>
<div class="wide"><table><thead><tr><th>Path</th><th>Operation</th><th>Permission</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>
</section>
<section>
<h2>More</h2>
<ul>
<li><a href="${root}docs">API reference</a>, <a href="${root}docs/guide">guide for partners</a></li>
<li><a href="${root}docs/versions">Versions and changelogs</a>, <a href="${root}docs/errors">errors</a></li>
<li><a href="${root}healthz">Health</a>, <a href="${root}readyz">readiness</a></li>
</ul>
</section>
</main>`,
  })
}
