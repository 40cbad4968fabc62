import { htmlPage } from './html.ts'
import { routes } from './routes.ts'
import type { HttpSettings } from './service.ts'

/** The page at `/`: what this is, and where the rest lies. */
export function landingPage({ publicUrl, demo }: HttpSettings): string {
  const rows = routes.map(({ operation, path, permission }) => {
    const shown = path.replace(/:(\w+)/g, '{$1}').replace('*', '…')
    return `<tr><td><code>GET ${shown}</code></td><td>${operation}</td><td>${permission}</td></tr>`
  })
  return htmlPage(
    'Periplus',
    `<h1>Periplus</h1>
<p>A location data service: places and reviews over HTTP, with exact limits and honest versions.</p>
${demo ? '<p><strong>Demo.</strong> The places are real; their ratings and reviews were generated and say so.</p>' : ''}
<pre>curl -H "X-API-Key: $KEY" "${publicUrl}/locations/1?version=1"</pre>
<h2>Endpoints</h2>
<table><thead><tr><th>Path</th><th>Operation</th><th>Permission</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
<h2>More</h2>
<ul>
<li><a href="./docs/errors">Errors</a></li>
<li><a href="./healthz">Health</a>, <a href="./readyz">readiness</a></li>
</ul>`,
  )
}
