import { formatRate } from '../../../domain/limit-words.ts'
import { type PackageTable, packageNames, type Quota } from '../../../domain/package.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { samples } from '../../../web/parts/code.ts'
import { link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { formatNumber, quotaText } from '../../../web/parts/number.ts'
import { table } from '../../../web/parts/table.ts'
import { retrySamples } from '../../../web/retry-samples.ts'
import { linkTo } from '../../../web/site.ts'
import { operationPath } from './docs-nav.ts'
import type { VersionReference } from './reference.ts'

/** The limits that this installation sets. */
export interface DocumentedLimits {
  readonly offer: PackageTable
  /** True if searches also count toward the rate and quota of the package. */
  readonly searchCountsTowardPackage: boolean
  readonly feedLimits: { readonly parallelDownloads: number; readonly snapshotsPerDay: number }
  /** Units per day of a test key. */
  readonly testQuota: number
}

const requests = ['request', 'requests'] as const
const searches = ['search', 'searches'] as const

const dailyUnits = (quota: Quota | undefined): string =>
  typeof quota === 'number' ? `${formatNumber(quota)} units` : quotaText(quota)

/** Returns the page of the limits and packages, with the values of this installation. */
export function limitsPage(reference: VersionReference, settings: DocumentedLimits): LayoutPage {
  const { nav, publicUrl, placeId, site } = reference
  return {
    title: 'Limits and packages',
    path: '/docs/limits',
    description: 'Rates, daily quotas and costs, and what a client does when a limit is reached.',
    nav,
    lead: 'A key has a rate, a daily quota and limits for searches. Every response says what is left.',
    scripts: ['samples.js', 'docs-search.js'],
    content: [
      html`<h2 id="packages">Packages</h2>`,
      packageTable(settings),
      html`<p>The operator can agree on other limits for a key. <code>GET /account</code> shows those of your key, with
the source of each.</p>`,
      otherLimits(settings),
      html`<h2 id="windows">The daily window</h2>`,
      html`<p>The first call opens a window of 24 hours, and the first call after its end opens the next one. Nothing
happens at midnight. Responses that are errors or 304 cost nothing. A call that asks for more units than are left is
refused as a whole.</p>`,
      html`<h2 id="headers">What is left</h2>`,
      html`<p><code>RateLimit-Policy</code> names the limits of the call, each with <code>q</code> units in
<code>w</code> seconds; <code>RateLimit</code> has the remaining units (<code>r</code>) and the seconds until they are
restored (<code>t</code>). <code>X-Billed-Units</code> is the cost of the call.</p>`,
      html`<h2 id="waiting">Over a limit</h2>`,
      html`<p>The response is 429 with <code>Retry-After</code> in seconds. Wait that long, then send one call.
<strong>Calls before that time extend the wait</strong>, up to a minute for each. A client that waits as the header says
is served:</p>`,
      samples(retrySamples({ publicUrl, path: `/locations/${placeId}`, query: { version: reference.name } })),
      html`<h2 id="costs">Costs</h2>`,
      costTable(reference),
      html`<p><a href="${linkTo(site, '/docs/guide')}#save-calls-and-units">Ways to save calls and units</a></p>`,
    ],
  }
}

const packageTable = ({ offer: { packages } }: DocumentedLimits): HtmlValue => {
  const hasPrices = Object.values(packages).some(({ price }) => price !== undefined)
  return table({
    caption: 'Packages',
    rows: packageNames.map(name => ({ name, ...packages[name] })),
    columns: [
      { label: 'Package', kind: 'name', cell: ({ name }) => name },
      { label: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
      { label: 'Rate', cell: ({ rate }) => formatRate(rate, Math.max(1, Math.ceil(rate)), requests) },
      { label: 'Daily quota', cell: ({ quota }) => dailyUnits(quota) },
      ...(hasPrices
        ? [{ label: 'Price', cell: ({ price }: { price?: string }) => price ?? 'on request' } as const]
        : []),
    ],
  })
}

function otherLimits({
  offer: { search },
  searchCountsTowardPackage,
  feedLimits,
  testQuota,
}: DocumentedLimits): HtmlValue {
  const { parallelDownloads, snapshotsPerDay } = feedLimits
  const searchRate = formatRate(search.rate, search.burst, searches)
  const alsoPackage = 'also count toward the rate and quota of the package'
  return html`<h2 id="other">Other limits</h2>
<ul>
<li><strong>Searches</strong>: ${searchRate}${search.quota !== 'unlimited' && `; ${formatNumber(search.quota)} a day`}.
The four search endpoints share them. Searches ${searchCountsTowardPackage ? alsoPackage : 'count toward these alone'}.
Wait 300 to 500 ms after the last key while users type.</li>
<li><strong>Autocomplete</strong>: the rate of the package with a burst of two seconds, apart from other requests. Its
units count toward the daily quota.</li>
<li><strong>Feeds</strong>: ${formatNumber(parallelDownloads)} concurrent downloads, and
${formatNumber(snapshotsPerDay)} snapshots in 24 hours. Ranges and retries of a snapshot do not count again.</li>
<li><strong>Account</strong>: 1 request per second, 10 at once. These requests answer when every other limit is used
up.</li>
<li><strong>Test keys</strong>: ${formatNumber(testQuota)} units a day. They are never billed, and their responses have
<code>X-Key-Mode: test</code>.</li>
<li><strong>Size</strong>: URLs and header fields up to 16 KB each, no bodies.</li>
</ul>`
}

const costTable = ({ groups, folder, site }: VersionReference): HtmlValue =>
  table({
    caption: 'Costs of operations',
    rows: groups.flatMap(({ operations }) => operations),
    columns: [
      {
        label: 'Operation',
        kind: 'name',
        cell: ({ id, summary }) => link(linkTo(site, operationPath(folder, id)), summary),
      },
      { label: 'Cost', cell: ({ terms: { cost } }) => badge(cost === 'free' ? 'good' : 'plain', cost) },
      { label: 'Permission', cell: ({ terms: { permission } }) => permission ?? 'every key' },
    ],
  })
