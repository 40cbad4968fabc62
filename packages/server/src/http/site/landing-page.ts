import type { PackageName, PackageTable } from '../../domain/package.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { icon } from '../../web/icon.ts'
import type { LayoutPage } from '../../web/layout.ts'
import { codeBlock, samples } from '../../web/parts/code.ts'
import { buttonLink, linkCards } from '../../web/parts/link.ts'
import { type MapMarker, mapScripts, mapStyles, mapView } from '../../web/parts/map.ts'
import { formatNumber, quotaText } from '../../web/parts/number.ts'
import { table } from '../../web/parts/table.ts'
import { callSamples } from '../../web/samples.ts'
import { linkTo, type Site } from '../../web/site.ts'
import { type DemoSite, demoSection } from './landing-demo.ts'
import { categoryLinks } from './places/list-page.ts'

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

/** The data that the landing page shows. */
export interface LandingData {
  /** Number of places that are served. */
  readonly total: number
  /** The best-known places; empty if places are not public. */
  readonly markers: readonly MapMarker[]
  /** Id of a place that exists, for the examples. */
  readonly exampleId: string
  /** Name of the version that the examples ask for. */
  readonly version: string
  readonly offer: PackageTable
}

const defaultIntro =
  'Places and their reviews over one HTTP interface, for products that show people where to go: all reviews, free to store, with limits that are exact to the call.'

/**
 * Returns the landing page: what the service is for, search and map, a first call, packages; in a demo also its keys.
 */
export function toLandingPage(settings: LandingSettings, data: LandingData): LayoutPage {
  const { site, demo } = settings
  const intro = site.intro ?? defaultIntro
  return {
    title: site.name,
    path: '/',
    description: intro,
    showsTitle: false,
    styles: mapStyles,
    scripts: [...(site.has.places ? [...mapScripts, 'landing.js'] : []), 'samples.js', ...(demo ? ['burst.js'] : [])],
    content: [
      hero(settings, data, intro),
      data.total === 0 && noData(),
      data.markers.length > 0 && worldMap(data.markers, site),
      strengths,
      demo && demoSection(demo),
      packages(data.offer),
      more(site),
    ],
  }
}

const hero = (settings: LandingSettings, data: LandingData, intro: string): Html => html`<div class="hero">
${heroText(settings, data, intro)}${firstCall(settings, data)}</div>
`

const heroText = ({ site }: LandingSettings, { total }: LandingData, intro: string): Html => html`<section>
<h1>${site.name === 'Periplus' ? 'Places and reviews, by API' : site.name}</h1>
<p class="lead">${intro}</p>
${
  site.has.places &&
  total > 0 &&
  html`<search><form class="place-search" id="landing-search" method="get" action="${linkTo(site, '/places')}">
<div class="search-field">${icon('search')}<label class="unseen" for="q">Search ${formatNumber(total)} places</label>
<input type="search" id="q" name="q" maxlength="500" autocomplete="off"
placeholder="Search ${formatNumber(total)} places, or “romantic dinner in Madrid”">
<button class="primary">Search</button></div>
<div id="suggestions"><p class="unseen" role="status" id="count"></p></div>
${categoryLinks(site)}
</form></search>`
}</section>
`

/** Returns the link to the person who gives keys. */
function getKey({ contact }: Site): HtmlValue {
  const href = contact?.url ?? (contact?.email !== undefined ? `mailto:${contact.email}` : undefined)
  return href !== undefined && buttonLink(href, 'Get a key', { kind: 'primary' })
}

const noData = (): Html => html`<section class="card"><h2>No places yet</h2>
<p>The operator imports places and reviews from NDJSON, CSV, GeoJSON or Parquet with one command:</p>
${codeBlock('periplus import places.ndjson reviews.ndjson')}</section>
`

const worldMap = (
  markers: readonly MapMarker[],
  site: Site,
): Html => html`<section aria-labelledby="map-title"><h2 class="unseen" id="map-title">The best-known places</h2>
${mapView({ label: 'World map of the best-known places', markers }, site)}
<p class="small quiet map-note">The ${formatNumber(markers.length)} best-known places.
<a href="${linkTo(site, '/places')}">Explore the map with the list</a></p></section>
`

const strength = (iconName: string, title: string, text: string): Html =>
  html`<li>${icon(iconName)}<h3>${title}</h3><p>${text}</p></li>\n`

const strengths = html`<ul class="strengths">
${[
  strength(
    'chat-left-quote',
    'All reviews',
    'Every review in its own language, down to the last page, not only the five best.',
  ),
  strength(
    'database-check',
    'Free to store',
    'Keep what you receive. Feeds bring the whole inventory and its changes.',
  ),
  strength('speedometer2', 'Exact limits', 'Each answer says what is left, and how long to wait when nothing is.'),
  strength(
    'signpost-split',
    'Versions that stay',
    'Name a version, and its answers keep their form until the sunset that was announced.',
  ),
]}</ul>
`

function firstCall({ publicUrl, demo, site }: LandingSettings, { exampleId, version }: LandingData): Html {
  const call = { publicUrl, path: `/locations/${exampleId}`, query: { version } }
  return html`<section aria-labelledby="first-call"><h2 id="first-call">The first call</h2>
<p class="quiet">${
    demo ? 'With the key of this page:' : html`With your key in the environment variable <code>PERIPLUS_KEY</code>:`
  }</p>
${demo && codeBlock(`export PERIPLUS_KEY=${demo.searchKey}`)}${samples(callSamples(call))}
<p class="buttons">${getKey(site)} ${buttonLink(linkTo(site, '/docs/guide'), 'Read the guide')}
${buttonLink(linkTo(site, '/docs'), 'All calls')}</p></section>
`
}

function packages({ packages: list, search }: PackageTable): Html {
  const rows = Object.entries(list) as [PackageName, PackageTable['packages'][PackageName]][]
  const hasPrices = rows.some(([, { price }]) => price !== undefined)
  return html`<section aria-labelledby="packages"><h2 id="packages">Packages</h2>
${table({
  caption: 'Packages with their limits',
  columns: [
    { label: 'Package', kind: 'name', cell: ([name]) => name.charAt(0).toUpperCase() + name.slice(1) },
    { label: 'Includes', cell: ([, { permissions }]) => permissions.join(', ') },
    { label: 'Calls a second', kind: 'number', cell: ([, { rate }]) => formatNumber(rate) },
    { label: 'Units a day', kind: 'number', cell: ([, { quota }]) => quotaText(quota) },
    ...(hasPrices ? [{ label: 'Price', cell: ([, { price }]: (typeof rows)[number]) => price }] : []),
  ],
  rows,
})}<p class="small quiet">Searches of all packages: ${formatNumber(search.rate)} a second, ${formatNumber(search.burst)} at once,
${quotaText(search.quota)} a day. A unit is one call, or one place of a call for several.</p></section>
`
}

const more = (site: Site): Html => {
  const card = (path: string, label: string, text: string) => ({ href: linkTo(site, path), label, text })
  return html`<section aria-labelledby="more"><h2 id="more">More</h2>
${linkCards([
  card('/docs', 'API reference', 'Each call with its parameters, costs and samples in four languages'),
  card('/docs/guide', 'Guide for partners', 'Keys, limits, versions, errors'),
  card('/docs/versions', 'Versions and changelogs', 'Status, dates and differences'),
  card('/docs/licences', 'Data sources and licences', 'Where the places come from'),
  ...(site.has.status ? [card('/status', 'Status', 'Readiness, and the age of the data')] : []),
  ...(site.has.portal ? [card('/portal', 'Portal', 'Keys, usage and requests of partners')] : []),
])}</section>
`
}
