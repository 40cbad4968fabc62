import { embeddedJson, escapeHtml } from './html.ts'

/** Secrets that a demo's landing page calls with. */
export interface DemoSite {
  /** For the search as one types: search limits of its own. */
  readonly searchKey: string
  /** The demo key of the package Discover, with exactly its limits. */
  readonly discoverKey: string
}

/** What only a demo's landing page has; `assets/landing.js` brings it to life. */
export const demoHead = (
  root: string,
  site: DemoSite,
): string => `<script type="application/json" id="site">${embeddedJson({ root, ...site })}</script>
<script type="module" src="${root}assets/landing.js"></script>
`

/** Queries that show what the search forgives. */
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

/** Points that results are preferred around: latitude, longitude. */
const points: readonly (readonly [name: string, at: string])[] = [
  ['Madrid', '40.4168,-3.7038'],
  ['Paris', '48.8566,2.3522'],
  ['Athens', '37.9838,23.7275'],
  ['New York', '40.7128,-74.0060'],
  ['Singapore', '1.3521,103.8198'],
  ['Tokyo', '35.6812,139.7671'],
  ['nowhere in particular', ''],
]

export const demoSections = `<section aria-label="Search">
<div class="box">
<label class="unseen" for="query">Search places</label>
<input id="query" type="search" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="results" maxlength="500" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="A place, a category, a street, a code, in any script" autofocus>
<label class="near">near <select id="near">${points
  .map(([name, at]) => `<option value="${at}">${escapeHtml(name)}</option>`)
  .join('')}</select></label>
</div>
<p class="examples" id="examples">${examples
  .map(text => `<button type="button" class="chip">${escapeHtml(text)}</button>`)
  .join(' ')}</p>
<p id="summary" class="summary quiet" role="status">Type, or take one of these. Real places; their ratings and reviews were generated and say so.</p>
<div class="columns">
<ul id="results" class="results" role="listbox" aria-label="Places found" hidden></ul>
<article id="details" class="details" aria-label="The chosen place" hidden></article>
</div>
</section>
<section id="request" hidden>
<h2>The request, and what is left</h2>
<div class="copyable"><pre id="curl" tabindex="0" aria-label="The request as a curl line"></pre><button type="button" id="copy">Copy</button></div>
<dl id="limits" class="limits"></dl>
<p class="quiet">From <code>RateLimit-Policy</code> and <code>RateLimit</code> of the last answer. This page searches with a key of its own, 50 searches a second.</p>
</section>
<section>
<h2>Run into a limit</h2>
<p>A key of the package Discover has one search a second, five from idle. This sends twelve at once, then waits exactly as long as <code>Retry-After</code> says.</p>
<p><button type="button" id="hammer" class="primary">Send twelve searches</button></p>
<ol id="calls" class="calls" aria-label="Answers"></ol>
<p id="verdict" role="status"></p>
<dl id="hammered" class="limits"></dl>
</section>`
