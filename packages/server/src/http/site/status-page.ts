import { feedNames, type Manifest } from '../../domain/feed.ts'
import type { FeedLibrary } from '../../domain/feed-stores.ts'
import type { LifecycleTimes } from '../../domain/lifecycle.ts'
import type { Clock } from '../../kit/clock.ts'
import { isRetired, type Lifecycle } from '../../versions/lifecycle.ts'
import { feedLabels } from '../../web/feed-labels.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import type { LayoutPage } from '../../web/layout.ts'
import { card, facts, tiles } from '../../web/parts/facts.ts'
import { notice } from '../../web/parts/notice.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { table } from '../../web/parts/table.ts'
import { time, timeDistance } from '../../web/parts/time.ts'
import { linkTo, type Site } from '../../web/site.ts'
import type { Readiness } from '../admin/health.ts'
import { type SitePage, toPageDocument } from './page.ts'

/** The sources of the status page. */
export interface StatusParts {
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly feeds: FeedLibrary
  readonly readiness: Readiness
  /** Returns the time of the newest change of places or reviews in milliseconds; undefined before the first import. */
  lastChangeMs(): Promise<number | undefined>
  /** Returns true if searches are answered. */
  isSearchReady(): boolean
  readonly settings: { readonly site: Site; readonly publicUrl: string }
}

/** Creates the status page: readiness, age of the data and the feeds, and announced sunsets. */
export const createStatusPage = (parts: StatusParts): SitePage => ({
  path: '/status',
  get: async () => {
    const reads = [parts.readiness.reasons(), parts.lastChangeMs(), listNewestManifests(parts)] as const
    const [reasons, lastChangeMs, manifests] = await Promise.all(reads)
    return toPageDocument(toStatusPage(parts, reasons, lastChangeMs, manifests), parts.settings)
  },
})

async function listNewestManifests({ lifecycle, feeds, clock }: StatusParts): Promise<Manifest[]> {
  const versions = lifecycle.versions.filter(entry => !isRetired(entry, clock.nowMs()))
  const editions = versions.flatMap(({ name }) => feedNames.map(feed => ({ feed, version: name })))
  const lists = await Promise.all(editions.map(edition => feeds.list(edition)))
  return lists.flatMap(list => list.at(-1)?.manifest ?? [])
}

function toStatusPage(
  { lifecycle, clock, isSearchReady, settings: { site } }: StatusParts,
  reasons: readonly string[],
  lastChangeMs: number | undefined,
  manifests: readonly Manifest[],
): LayoutPage {
  const nowMs = clock.nowMs()
  const isReady = reasons.length === 0
  const when = (ms: number): Html =>
    html`${time(ms, site.zone)} <span class="quiet">(${timeDistance(ms, nowMs)})</span>`
  return {
    title: 'Status',
    path: '/status',
    description: `State of ${site.name}: readiness, age of the data, and announced sunsets.`,
    lead: html`Measured by the service itself at ${time(nowMs, site.zone, 'second')} (${site.zone}).`,
    content: [
      headline(isReady, isSearchReady()),
      tiles([
        {
          label: 'Requests by id',
          value: isReady ? 'Available' : 'Unavailable',
          note: reasons.join('; ') || undefined,
        },
        { label: 'Search', value: isReady && isSearchReady() ? 'Available' : 'Unavailable' },
        {
          label: 'Newest change of the data',
          value: lastChangeMs === undefined ? 'No data yet' : timeDistance(lastChangeMs, nowMs),
          note: lastChangeMs === undefined ? undefined : time(lastChangeMs, site.zone),
        },
      ]),
      card('Feeds', feedTable(manifests, when)),
      card('Announced sunsets', endings(lifecycle, nowMs, when, site)),
      html`<p class="small quiet">For monitors: <a href="${linkTo(site, '/healthz')}">/healthz</a> says that the process
runs, <a href="${linkTo(site, '/readyz')}">/readyz</a> that it accepts requests.</p>`,
    ],
  }
}

function headline(isReady: boolean, isSearchReady: boolean): Html {
  if (!isReady) return notice('bad', html`<p><strong>The service does not accept requests.</strong></p>`)
  return isSearchReady
    ? notice('good', html`<p><strong>The service works normally.</strong></p>`)
    : notice('warn', html`<p><strong>Searches are not available yet.</strong> Requests by id are not affected.</p>`)
}

const feedTable = (manifests: readonly Manifest[], when: (ms: number) => Html): HtmlValue =>
  table({
    caption: 'Newest snapshot of each feed',
    columns: [
      { label: 'Feed', kind: 'name', cell: ({ feed }) => feedLabels[feed] },
      { label: 'Version', cell: ({ version }) => version },
      { label: 'Records', kind: 'number', cell: manifest => formatNumber(manifest.records_of_result) },
      { label: 'Newest snapshot', cell: manifest => when(Date.parse(manifest.created_at)) },
    ],
    rows: manifests,
    empty: html`<p>No feed has been published yet.</p>`,
  })

function endings(lifecycle: Lifecycle, nowMs: number, when: (ms: number) => Html, site: Site): Html {
  const all: (LifecycleTimes & { readonly name: string })[] = [
    ...lifecycle.versions
      .filter(entry => !isRetired(entry, nowMs))
      .map(({ name, ...entry }) => ({ ...entry, name: `Version ${name}` })),
    ...Object.entries(lifecycle.endpoints).map(([operation, entry]) => ({ ...entry, name: operation })),
  ]
  const announced = all.flatMap(({ name, deprecatedMs, sunsetMs }) =>
    sunsetMs === undefined || sunsetMs < nowMs ? [] : [{ name, deprecatedMs, sunsetMs }],
  )
  return html`${
    announced.length === 0
      ? html`<p>No version or endpoint has an announced sunset.</p>`
      : facts(announced.map(({ name, sunsetMs }) => [name, when(sunsetMs)]))
  }<p><a href="${linkTo(site, '/docs/versions')}">All versions and their dates</a></p>`
}
