import { embedJson, type Html, html } from '../../web/html.ts'
import { card } from '../../web/parts/facts.ts'

/** API keys that the landing page of a demo uses. */
export interface DemoSite {
  /** Key for the first call, with higher limits for searches. */
  readonly searchKey: string
  /** Demo key of the package Discover, with the limits of that package. */
  readonly discoverKey: string
}

/** Returns the section that only a demo has: a test of a limit, and where to find keys and the portal. */
export const demoSection = ({ discoverKey }: DemoSite): Html =>
  card('Limits at work', [
    html`<p>A key of the package Discover allows one search a second, five at once. The button sends twelve searches at
the same time, waits as <code>Retry-After</code> says, and sends one more.</p>`,
    html`<script type="application/json" id="burst-key">${embedJson(discoverKey)}</script>`,
    html`<p><button type="button" class="primary" id="burst-button" hidden>Send twelve searches</button></p>`,
    html`<ol class="calls" id="calls" aria-label="Responses"></ol>`,
    html`<p role="status" id="verdict"></p>`,
    html`<p class="quiet small">This is a demo: the places are real, their ratings and reviews are generated and marked
as such. The terminal where it was started shows a key for each package, and two links that sign in to the portal: as an
operator, and as a user of the partner <code>demo</code>.</p>`,
  ])
