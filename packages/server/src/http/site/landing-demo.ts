import { embedJson, type Html, html } from '../../web/html.ts'
import { assetLink, linkTo, type Site } from '../../web/site.ts'

/** API keys that the landing page of a demo uses. */
export interface DemoSite {
  /** Key for the search while typing, with its own search limits. */
  readonly searchKey: string
  /** Demo key of the package Discover, with the limits of that package. */
  readonly discoverKey: string
}

/** Returns the elements of the head that only a demo's landing page has: its settings, stylesheet and script. */
export const renderDemoHead = (
  site: Site,
  demo: DemoSite,
): Html => html`<script type="application/json" id="site">${embedJson({ root: linkTo(site, '/'), ...demo })}</script>
<link rel="stylesheet" href="${assetLink(site, 'landing.css')}">
<script type="module" src="${linkTo(site, '/assets/landing.js')}"></script>
`

/** Example queries with typing errors, several scripts and incomplete words. */
const examples = [
  'museo del prdo',
  'プラド美術館',
  'restaurants in Honolulu',
  'hoteles madrid',
  'JFK',
  'Αθήνα',
  'hawker centre singapore',
  '東京',
  'louv',
]

/** Points near which results are preferred: latitude, longitude. */
const points: readonly (readonly [name: string, at: string])[] = [
  ['Madrid', '40.4168,-3.7038'],
  ['Paris', '48.8566,2.3522'],
  ['Athens', '37.9838,23.7275'],
  ['New York', '40.7128,-74.0060'],
  ['Singapore', '1.3521,103.8198'],
  ['Tokyo', '35.6812,139.7671'],
  ['no particular place', ''],
]

/** The sections that only a demo's landing page has. */
export const demoSections = html`<section aria-label="Search">
<div class="box">
<label class="unseen" for="query">Search places</label>
<input id="query" type="search" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="results" maxlength="500" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="A place, a category, a street, a code, in any script" autofocus>
<label class="near">near <select id="near">${points.map(([name, at]) => html`<option value="${at}">${name}</option>`)}</select></label>
</div>
<p class="examples" id="examples">${examples.map(text => html`<button type="button" class="chip">${text}</button> `)}</p>
<p id="summary" class="summary quiet" role="status">Type a query, or select an example. The places are real; their ratings and reviews are generated and marked as such.</p>
<div class="columns">
<ul id="results" class="results" role="listbox" aria-label="Places found" hidden></ul>
<article id="details" class="details" aria-label="Selected place" hidden></article>
</div>
</section>
<section id="request" hidden>
<h2>The request and the remaining limits</h2>
<div class="copyable"><pre id="curl" tabindex="0" aria-label="The request as a curl command"></pre><button type="button" id="copy">Copy</button></div>
<dl id="limits" class="limits"></dl>
<p class="quiet">From the headers <code>RateLimit-Policy</code> and <code>RateLimit</code> of the last response. The key of this page allows 50 searches per second.</p>
</section>
<section>
<h2>Exceed a limit</h2>
<p>A key of the package Discover allows one search per second with a burst of five. The button sends twelve searches at the same time, then waits for the time in <code>Retry-After</code> and sends one more.</p>
<p><button type="button" id="burst-button" class="primary">Send twelve searches</button></p>
<ol id="calls" class="calls" aria-label="Responses"></ol>
<p id="verdict" role="status"></p>
<dl id="burst-limits" class="limits"></dl>
</section>`
