import type { LifecycleTimes } from '../../../domain/lifecycle.ts'
import { getBetaVersion, getDefaultVersion, isRetired, type Lifecycle } from '../../../versions/lifecycle.ts'
import type { RegisteredVersion } from '../../../versions/registry.ts'
import { versionTimeline } from '../../../web/charts/version-timeline.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { versionBadge, versionTitle } from '../../../web/parts/version-badge.ts'
import { linkTo, type Site } from '../../../web/site.ts'
import { listVersionDocuments } from '../../openapi/served-documents.ts'
import { routes } from '../../partner/routes.ts'
import type { ChangelogParts } from './changelog-page.ts'
import { differencesTable } from './differences-table.ts'
import type { VersionReference } from './reference.ts'
import { previousVersion } from './version-differences.ts'

/**
 * Returns the page that the Link headers of R-18 point to: all versions and all deprecated endpoints with their dates,
 * and what differs between each version and the one before it.
 */
export function versionsPage(parts: ChangelogParts, nowMs: number, { nav, site }: VersionReference): LayoutPage {
  const { lifecycle } = parts
  const beta = getBetaVersion(lifecycle, nowMs)
  const versions = [...lifecycle.versions, ...(beta ? [beta] : [])]
  const endpoints = Object.entries(lifecycle.endpoints)
  return {
    title: 'Versions and changes',
    path: '/docs/versions',
    description: 'The versions of the API, their dates, and what differs between them.',
    nav,
    actions: [
      buttonLink(linkTo(site, '/changelog.atom'), 'Atom feed', { kind: 'plain' }),
      ' ',
      buttonLink(linkTo(site, '/docs/sunsets.ics'), 'Sunset calendar', { kind: 'plain' }),
    ],
    lead: html`Send <code>version</code> with every request. The response headers <code>Deprecation</code> and
<code>Sunset</code> announce that a version or endpoint will be retired: it answers 410 from its sunset on.`,
    scripts: ['docs-search.js'],
    content: [
      versionTimeline(
        versions.map(one => ({ ...one, isRetired: isRetired(one, nowMs) })),
        { nowMs, zone: site.zone },
      ),
      versionTable(versions, { lifecycle, nowMs, site }),
      endpoints.length > 0 &&
        html`<h2 id="endpoints">Deprecated and retired endpoints</h2>
${table({
  caption: 'Deprecated and retired endpoints',
  rows: endpoints,
  columns: [
    {
      label: 'Endpoint',
      kind: 'name',
      cell: ([operation]) => html`<span id="${operation}"><code>${pathOf(operation)}</code></span>`,
    },
    ...dateColumns(site, nowMs, ([, times]: (typeof endpoints)[number]) => times),
  ],
})}`,
      html`<h2 id="differences">Differences by field</h2>`,
      versions.toReversed().map(({ name }) => differencesOf(name, parts, nowMs)),
    ],
  }
}

/** Returns the differences between a version and the one before it; undefined for the first one. */
function differencesOf(name: string, { lifecycle, compare }: ChangelogParts, nowMs: number): HtmlValue {
  const previous = previousVersion(lifecycle, name, nowMs)
  const compared = previous === undefined ? undefined : compare(previous, name, nowMs)
  if (!compared) return undefined
  return html`<h3 id="differences-${name}">${versionTitle(name)}, compared with version ${compared.before}</h3>
${differencesTable(compared)}`
}

const pathOf = (operation: string): string =>
  routes.find(one => one.operation === operation)?.path.replaceAll(/:(\w+)/g, '{$1}') ?? operation

interface TableParts {
  readonly lifecycle: Lifecycle
  readonly nowMs: number
  readonly site: Site
}

function versionTable(versions: readonly RegisteredVersion[], { lifecycle, nowMs, site }: TableParts): HtmlValue {
  const latest = getDefaultVersion(lifecycle, nowMs)
  const documents = new Map(listVersionDocuments(lifecycle, nowMs).map(({ name, entry }) => [entry.name, name]))
  const links = ({ name }: RegisteredVersion) => {
    const file = documents.get(name)
    return (
      file !== undefined && [
        link(linkTo(site, `/changelog/${file}`), 'Changes'),
        ' · ',
        link(linkTo(site, `/openapi/${file}.json`), 'OpenAPI'),
      ]
    )
  }
  return table({
    caption: 'Versions',
    rows: versions,
    columns: [
      { label: 'Version', kind: 'name', cell: ({ name }) => html`<span id="${name}">${versionTitle(name)}</span>` },
      { label: 'Status', cell: entry => stateBadge(entry, { latest, nowMs }) },
      ...dateColumns(site, nowMs, (entry: RegisteredVersion) => entry),
      { label: 'Documents', cell: links },
    ],
  })
}

function stateBadge(
  entry: RegisteredVersion,
  { latest, nowMs }: { latest: RegisteredVersion; nowMs: number },
): HtmlValue {
  const status = isRetired(entry, nowMs) ? 'retired' : entry.status
  return html`${versionBadge(status)}${entry === latest && html` ${badge('plain', 'default')}`}`
}

const dateColumns = <T>(site: Site, nowMs: number, times: (row: T) => LifecycleTimes) =>
  [
    { label: 'Deprecated', cell: (row: T) => dateCell(times(row).deprecatedMs, site, nowMs) },
    { label: 'Sunset', cell: (row: T) => dateCell(times(row).sunsetMs, site, nowMs) },
  ] as const

const dateCell = (ms: number | undefined, { zone }: Site, nowMs: number): HtmlValue =>
  ms === undefined ? '' : html`${time(ms, zone, 'day')} <span class="quiet small">${timeDistance(ms, nowMs)}</span>`
