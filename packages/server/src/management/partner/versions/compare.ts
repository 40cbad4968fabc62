import type { ServedVersion } from '../../../domain/lifecycle.ts'
import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { form } from '../../../web/parts/form.ts'
import { linkTo } from '../../../web/site.ts'
import type { PartnerRequest } from '../../pages/page-route.ts'

/** The name of the script that compares. */
export const compareScript = 'compare-versions.js'

/**
 * Returns the form that compares a place in two versions: the script calls the API with the explorer key, or with a key
 * of the reader.
 */
export function compareCard(versions: readonly ServedVersion[], request: PartnerRequest, apiUrl: string): Html {
  const { site, partner, nowMs, may, path } = request
  const served = versions.filter(({ sunsetMs = Number.POSITIVE_INFINITY }) => sunsetMs > nowMs)
  const choices = served.map(({ name, status }) => ({ value: name, label: `${name} (${status})` }))
  const current = served.find(({ isDefault }) => isDefault)?.name
  const other = served.findLast(({ name }) => name !== current)?.name
  const mayExplore = may('own:explore')
  return card(
    'Compare a place in two versions',
    html`<div data-compare data-url="${site.apiOrigin === undefined ? linkTo(site, '/') : apiUrl}"
data-key-url="${linkTo(site, `/portal/${partner.id}/explorer/key`)}">
<p>Two calls show which fields of a place differ, with their
values.${mayExplore && ' They use the explorer key, which is never billed.'}</p>
${form({
  action: linkTo(site, path),
  method: 'get',
  inline: true,
  button: 'Compare',
  kind: 'plain',
  fields: [
    { name: 'id', label: 'Place id', placeholder: '1', attributes: html` inputmode="numeric"` },
    { name: 'before', label: 'Version', type: 'select', value: current, choices },
    { name: 'after', label: 'With version', type: 'select', value: other, choices },
    ...(mayExplore ? [] : [{ name: 'api_key', label: 'API key', type: 'password' } as const]),
  ],
})}
<noscript><p>The comparison needs JavaScript.</p></noscript>
<div class="compared" aria-live="polite"></div>
</div>`,
    { id: 'compare' },
  )
}
