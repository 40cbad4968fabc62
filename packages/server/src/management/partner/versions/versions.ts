import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import type { ServedVersion } from '../../../domain/lifecycle.ts'
import type { RelyingKey } from '../../../domain/usage-report.ts'
import { dayMs, startOfUtcDay } from '../../../kit/time.ts'
import { versionsResource } from '../../../resources/version.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listRelyingKeys, relyingDays } from '../../../usecases/admin/list-relying-keys.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { link } from '../../../web/parts/link.ts'
import { badge, notice } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { versionBadge, versionTitle } from '../../../web/parts/version-badge.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { keyName } from '../../shared/key-parts.ts'
import { compareCard, compareScript } from './compare.ts'
import { differencesCard, readExamples, readPair } from './differences.ts'

/** The versions with their dates, and the partner's own use of each. */
export const ownVersionsPage = partnerPage({
  method: 'GET',
  path: '/versions',
  permission: 'own:read',
  handler: async (context, request) => {
    const { actor, partner } = request
    const keys = await listKeys(context.admin, actor)
    const [week, month] = await Promise.all([7, 30].map(days => callsOf(context, request, days)))
    const calls = { week: week!, month: month! }
    const versions = context.versions()
    const format = exportFormat(request)
    if (format) return exportRows('versions', format, toExport(versions, calls))
    const pair = readPair(versions, request.query, name => isUsed(calls, name))
    const places = await readExamples(context, request)
    return {
      title: 'Versions',
      actions: exportLinks(linkTo(request.site, request.path), {}),
      lead: 'The available versions, how long each one lasts, which ones your programs call, and what changes from one to the next.',
      scripts: [compareScript],
      content: [
        await namedVersions(context, request, keys),
        card('Versions', versionTable(versions, calls, request)),
        card('Your calls by key', keyTable(calls, keys, request)),
        differencesCard(context, request, { ...pair, places }),
        compareCard(versions, request, { apiUrl: context.apiUrl, pair, places }),
        sameElsewhere({
          cli: `periplus usage --partner ${partner.id} --by version,key`,
          api: `GET /admin/v1/versions\nGET /admin/v1/usage?partner_id=${partner.id}&by=version,key`,
        }),
      ],
    }
  },
})

/** Calls by key and version. */
interface VersionCalls {
  readonly key: string
  readonly version: string
  readonly calls: number
}

interface Calls {
  /** The last 7 days. */
  readonly week: readonly VersionCalls[]
  /** The last 30 days. */
  readonly month: readonly VersionCalls[]
}

/** Returns a row for each version and key that calls it, and one for each version without calls. */
const toExport = (versions: readonly ServedVersion[], { week, month }: Calls): readonly object[] =>
  versionsResource(versions).data.flatMap(version => {
    const rows = month
      .filter(one => one.version === version.name)
      .map(({ key, calls }) => ({
        ...version,
        key_id: key,
        calls_30_days: calls,
        calls_7_days: sum(week, one => one.key === key && one.version === version.name),
      }))
    return rows.length > 0 ? rows : [{ ...version, calls_30_days: 0, calls_7_days: 0 }]
  })

async function callsOf(
  { usage }: ManagementContext,
  { actor, partner, nowMs }: PartnerRequest,
  days: number,
): Promise<VersionCalls[]> {
  const input = { partnerId: partner.id, fromMs: startOfUtcDay(nowMs - days * dayMs), by: ['key', 'version'] as const }
  const report = await reportUsage(usage, actor, input)
  if (isAdminFault(report)) return []
  return report.rows.map(({ key, version, calls }) => ({ key: String(key), version: String(version), calls }))
}

const sum = (rows: readonly VersionCalls[], matches: (row: VersionCalls) => boolean): number =>
  rows.reduce((total, row) => total + (matches(row) ? row.calls : 0), 0)

/** Returns true if the partner has called the version in the last 30 days. */
const isUsed = ({ month }: Calls, name: string): boolean => month.some(({ version }) => version === name)

function versionTable(
  versions: readonly ServedVersion[],
  calls: Calls,
  { zone, nowMs, site }: PartnerRequest,
): HtmlValue {
  const { week, month } = calls
  return table<ServedVersion>({
    caption: 'Versions, the newest first',
    columns: [
      { label: 'Version', kind: 'name', cell: ({ name }) => versionTitle(name) },
      { label: 'Status', cell: stateOf },
      { label: 'Deprecated', cell: ({ deprecatedMs }) => deprecatedMs && time(deprecatedMs, zone, 'day') },
      {
        label: 'Sunset',
        cell: ({ name, sunsetMs }) =>
          sunsetMs !== undefined && [
            time(sunsetMs, zone, 'day'),
            ' ',
            html`<span class="quiet small">${timeDistance(sunsetMs, nowMs)}</span>`,
            sunsetMs > nowMs && isUsed(calls, name) && html` ${badge('warn', 'You call it')}`,
          ],
      },
      {
        label: '7 days',
        kind: 'number',
        cell: ({ name }) => formatNumber(sum(week, ({ version }) => version === name)),
      },
      {
        label: '30 days',
        kind: 'number',
        cell: ({ name }) => formatNumber(sum(month, ({ version }) => version === name)),
      },
      {
        label: 'Differences',
        cell: ({ name }) =>
          link(linkTo(site, `/changelog/${name === beta.name ? name : `v${name}`}`), 'Changes', `of version ${name}`),
      },
    ],
    rows: [...versions, beta].toReversed(),
  })
}

/** Beta, which has no dates. */
const beta: ServedVersion = { name: 'beta', status: 'preview', isDefault: false }

const stateOf = ({ status, isDefault }: ServedVersion): Html =>
  html`${versionBadge(status)}${isDefault && html` ${badge('plain', 'default')}`}`

function keyTable({ week, month }: Calls, keys: readonly Key[], { site, partner }: PartnerRequest): HtmlValue {
  const names = new Map(keys.map(key => [key.id, keyName(key)]))
  const rows = month.toSorted((a, b) => b.calls - a.calls)
  return table<VersionCalls>({
    caption: 'Calls by key and version, most calls first',
    columns: [
      {
        label: 'Key',
        kind: 'name',
        cell: ({ key }) => link(linkTo(site, `/portal/${partner.id}/keys/${key}`), names.get(key) ?? key),
      },
      { label: 'Version', cell: ({ version }) => version },
      {
        label: '7 days',
        kind: 'number',
        cell: row => formatNumber(sum(week, ({ key, version }) => key === row.key && version === row.version)),
      },
      { label: '30 days', kind: 'number', cell: ({ calls }) => formatNumber(calls) },
    ],
    rows,
    empty: html`<p class="quiet">No calls in the last 30 days.</p>`,
  })
}

/** Returns which versions all calls name, or else what will change for those that name none. */
async function namedVersions(
  { usage }: ManagementContext,
  request: PartnerRequest,
  keys: readonly Key[],
): Promise<Html> {
  const { actor, partner, nowMs } = request
  const relying = await listRelyingKeys(usage, actor)
  if (relying.length > 0) return withoutVersion(relying, keys, request)
  const fromMs = startOfUtcDay(nowMs - relyingDays * dayMs)
  const report = await reportUsage(usage, actor, { partnerId: partner.id, fromMs, by: ['day', 'version'] })
  const rows = isAdminFault(report) ? [] : report.rows
  if (rows.length === 0) return notice('info', html`<p>No calls in the last ${relyingDays} days.</p>`)
  // Usage may begin later than the span: the first day says how far the statement reaches.
  const [first] = rows.map(({ day }) => String(day)).sort()
  const names = [...new Set(rows.map(({ version }) => String(version)))].sort()
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
  return notice('good', html`<p>All calls since ${time(Date.parse(first!), 'UTC', 'day')} name version ${list}.</p>`)
}

/** Returns what will change for calls that name no version when another version becomes the default. */
function withoutVersion(relying: readonly RelyingKey[], keys: readonly Key[], { site, partner }: PartnerRequest): Html {
  const names = new Map(keys.map(key => [key.id, keyName(key)]))
  const keyLink = (id: string) => link(linkTo(site, `/portal/${partner.id}/keys/${id}`), names.get(id) ?? id)
  return notice('warn', [
    html`<p>Some calls of the last ${relyingDays} days name no version. They get the default version, and another one
when the operator changes the default. Send the parameter <code>version</code>.</p>`,
    html`<ul>${relying.map(
      ({ keyId, calls, version }) =>
        html`<li>${keyLink(keyId)}: ${formatCount(calls, 'call')}, answered in version ${version}</li>`,
    )}</ul>`,
  ])
}
