import type { ServedVersion } from '../../../domain/lifecycle.ts'
import type { ExamplePlace } from '../../../usecases/admin/find-example-places.ts'
import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { form } from '../../../web/parts/form.ts'
import { linkTo } from '../../../web/site.ts'
import type { PartnerRequest } from '../../pages/page-route.ts'
import type { ComparedPair } from './differences.ts'

/** The name of the script that compares. */
export const compareScript = 'compare-versions.js'

/** The parts of the form. */
interface CompareParts {
  readonly apiUrl: string
  readonly pair: ComparedPair
  /** The first one is the example. */
  readonly places: readonly ExamplePlace[]
}

/**
 * Returns the form that compares a place in two versions: the script calls the API with the explorer key, or with a key
 * of the reader.
 */
export function compareCard(
  versions: readonly ServedVersion[],
  request: PartnerRequest,
  { apiUrl, pair, places }: CompareParts,
): Html {
  const { site, partner, may, path } = request
  const isServed = (name: string) => versions.find(one => one.name === name)?.status !== 'retired'
  const choices = pair.choices.filter(({ value }) => isServed(value))
  const current = versions.find(({ isDefault }) => isDefault)?.name
  const before = isServed(pair.before) ? pair.before : current
  const after = isServed(pair.after) && pair.after !== before ? pair.after : 'beta'
  const mayExplore = may('own:explore')
  return card(
    'Compare a place in two versions',
    html`<div data-compare data-url="${site.apiOrigin === undefined ? linkTo(site, '/') : apiUrl}"
data-key-url="${linkTo(site, `/portal/${partner.id}/explorer/key`)}">
<p>Two calls show which fields of a place differ, with their
values.${mayExplore && ' They use the explorer key, which is never billed.'}</p>
${form({
  action: linkTo(site, path),
  method: 'dialog',
  inline: true,
  button: 'Compare',
  kind: 'plain',
  fields: [
    {
      name: 'id',
      label: 'Place id',
      value: places[0] && String(places[0].entry.id),
      attributes: html` inputmode="numeric"`,
    },
    { name: 'before', label: 'Version', type: 'select', value: before, choices },
    { name: 'after', label: 'With version', type: 'select', value: after, choices },
    ...(mayExplore ? [] : [{ name: 'api_key', label: 'API key', type: 'password' } as const]),
  ],
})}
<noscript><p>The comparison needs JavaScript.</p></noscript>
<div class="compared" aria-live="polite"></div>
</div>`,
    { id: 'compare' },
  )
}
