import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { ServedVersion } from '../../../domain/lifecycle.ts'
import type { RelyingKey } from '../../../domain/usage-report.ts'
import { versionsResource } from '../../../resources/version.ts'
import { listRelyingKeys, relyingDays } from '../../../usecases/admin/list-relying-keys.ts'
import { hasNotice } from '../../../usecases/admin/send-version-notice.ts'
import { listVersionUsers, type VersionUser, versionUseDays } from '../../../usecases/admin/version-users.ts'
import { versionTimeline } from '../../../web/charts/version-timeline.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { badge, notice } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { distance, time } from '../../../web/parts/time.ts'
import { versionBadge } from '../../../web/parts/version-badge.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { keyName } from '../../shared/key-parts.ts'
import { readNames } from '../../shared/names.ts'
import { datesCard } from './version-dates.ts'

/** Path of the page below the base path. */
export const versionsPath = '/console/versions'

type Users = ReadonlyMap<string, readonly VersionUser[]>
type Names = ReadonlyMap<string, string>

/** Shows the versions of the API: their dates, who uses them, and who breaks when one is retired. */
export async function operatorVersionsPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { admin, usage } = context
  const { actor } = request
  const versions = context.versions()
  const users = await listVersionUsers({ ...admin, usage: usage.usage }, actor, {
    versions: versions.map(({ name }) => name),
  })
  if (isAdminFault(users)) return users
  const format = exportFormat(request)
  if (format) return exportRows('versions', format, toExport(versions, users))
  const relying = await listRelyingKeys(usage, actor)
  const partners = await readNames(context, request, 'partner', [
    ...[...users.values()].flatMap(list => list.map(({ key }) => key.partnerId)),
    ...relying.map(({ partnerId }) => partnerId),
  ])
  const keys = await readNames(
    context,
    request,
    'key',
    relying.map(({ keyId }) => keyId),
  )
  const ending = versions.filter(one => hasNotice(one, request.nowMs))
  return {
    title: 'Versions',
    lead: 'Which versions are served until when, and who still uses them.',
    actions: exportLinks(linkTo(request.site, versionsPath), {}),
    content: [
      timeline(versions, users, partners, request),
      versionTable(versions, users, request),
      ending.map(version => endingCard(version, { users: users.get(version.name)!, partners, request })),
      relyingCard(relying, { partners, keys }, request),
      datesCard(versions, users, request),
      sameElsewhere({
        cli: 'periplus usage --by version,key\nperiplus config check',
        api: 'GET /admin/v1/versions\nGET /admin/v1/usage?by=version,key',
      }),
    ],
  }
}

/** Returns a row for each key that uses a version, and one for each version without use. */
const toExport = (versions: readonly ServedVersion[], users: Users): readonly object[] =>
  versionsResource(versions).data.flatMap(version => {
    const rows = users.get(version.name)!.map(({ key, calls, lastDay, pins }) => ({
      ...version,
      partner_id: key.partnerId,
      key_id: key.id,
      calls_30_days: calls,
      last_used_day: lastDay ?? null,
      pins,
    }))
    return rows.length > 0 ? rows : [{ ...version, calls_30_days: 0 }]
  })

const maxNames = 3

/**
 * Draws the dates of the versions, and names who still uses those that will be retired. The table below has the same
 * dates.
 */
function timeline(versions: readonly ServedVersion[], users: Users, partners: Names, request: PageRequest): HtmlValue {
  const { nowMs, zone } = request
  const noteOf = (version: ServedVersion): string | undefined => {
    if (!hasNotice(version, nowMs)) return undefined
    const using = users.get(version.name)!
    const names = [...new Set(using.map(({ key }) => key.partnerId))].map(id => partners.get(id) ?? id)
    if (names.length === 0) return 'Nobody uses it.'
    const others = names.length > maxNames ? [`${names.length - maxNames} more`] : []
    const calls = using.reduce((sum, one) => sum + one.calls, 0)
    const list = new Intl.ListFormat('en').format([...names.slice(0, maxNames), ...others])
    return `Used by ${list}: ${formatCount(calls, 'call')} in ${versionUseDays} days`
  }
  return versionTimeline(
    versions.map(one => ({ ...one, isRetired: one.status === 'retired', note: noteOf(one) })),
    { nowMs, zone },
  )
}

function versionTable(versions: readonly ServedVersion[], users: Users, { zone, nowMs }: PageRequest): HtmlValue {
  const date = (ms: number | undefined) =>
    ms !== undefined && html`${time(ms, zone, 'day')} <span class="quiet">${distance(ms, nowMs)}</span>`
  const usersOf = ({ name }: ServedVersion) => users.get(name)!
  return table<ServedVersion>({
    caption: 'Versions of the partner API',
    columns: [
      {
        label: 'Version',
        kind: 'name',
        cell: ({ name, isDefault }) => html`${name} ${isDefault && badge('info', 'Default')}`,
      },
      { label: 'Status', cell: ({ status }) => versionBadge(status) },
      { label: 'Released', cell: ({ releasedMs }) => releasedMs !== undefined && time(releasedMs, zone, 'day') },
      { label: 'Deprecated', cell: ({ deprecatedMs }) => date(deprecatedMs) },
      { label: 'Sunset', cell: ({ sunsetMs }) => date(sunsetMs) },
      {
        label: `Calls in ${versionUseDays} days`,
        kind: 'number',
        cell: version => formatNumber(usersOf(version).reduce((sum, { calls }) => sum + calls, 0)),
      },
      {
        label: 'Partners',
        kind: 'number',
        cell: version => formatNumber(new Set(usersOf(version).map(({ key }) => key.partnerId)).size),
      },
      {
        label: 'Pinned keys',
        kind: 'number',
        cell: version => formatNumber(usersOf(version).filter(({ pins }) => pins.length > 0).length),
      },
    ],
    rows: versions,
  })
}

interface Ending {
  readonly users: readonly VersionUser[]
  readonly partners: Names
  readonly request: PageRequest
}

/** Lists who breaks when a version is retired. */
function endingCard(version: ServedVersion, { users, partners, request }: Ending): Html {
  const { zone, nowMs, may, site } = request
  const { name, sunsetMs } = version
  const affected = new Set(users.map(({ key }) => key.partnerId)).size
  const when =
    sunsetMs === undefined ? 'Deprecated' : html`Sunset ${time(sunsetMs, zone, 'day')}, ${distance(sunsetMs, nowMs)}`
  const send =
    may('requests:decide') &&
    affected > 0 &&
    buttonForm(linkTo(site, `${versionsPath}/${name}/notice`), `Send notice to ${formatCount(affected, 'partner')}`)
  return card(
    html`Version ${name}: who breaks`,
    html`${
      affected === 0
        ? notice(
            'good',
            html`<p>${when}. No key has called it in ${versionUseDays} days, and no feed is pinned to it.</p>`,
          )
        : notice(
            'warn',
            html`<p>${when}. ${formatCount(affected, 'partner')} still ${affected === 1 ? 'uses' : 'use'} it.</p>`,
          )
    }${users.length > 0 && userTable(users, partners, request)}`,
    { id: `version-${name}`, actions: send },
  )
}

const partnerLink = (id: string, partners: Names, { site }: PageRequest): Html =>
  link(linkTo(site, `/console/partners/${id}`), partners.get(id) ?? id)

const userTable = (users: readonly VersionUser[], partners: Names, request: PageRequest): HtmlValue =>
  table<VersionUser>({
    caption: 'Keys that use the version',
    columns: [
      { label: 'Partner', kind: 'name', cell: ({ key }) => partnerLink(key.partnerId, partners, request) },
      { label: 'Key', cell: ({ key }) => keyName(key) },
      { label: `Calls in ${versionUseDays} days`, kind: 'number', cell: ({ calls }) => formatNumber(calls) },
      { label: 'Last call', cell: ({ lastDay }) => lastDay !== undefined && time(Date.parse(lastDay), 'UTC', 'day') },
      { label: 'Pinned feeds', cell: ({ pins }) => pins.map(feed => feedLabels[feed]).join(', ') },
    ],
    rows: users,
  })

/** Lists the keys that name no version, which get another one when the default changes. */
function relyingCard(
  relying: readonly RelyingKey[],
  { partners, keys }: { readonly partners: Names; readonly keys: Names },
  request: PageRequest,
): HtmlValue {
  if (relying.length === 0) return undefined
  return card('Calls without a version', [
    html`<p class="quiet">These keys get the default version. They see another one when the default changes (calls of
${relyingDays} days).</p>`,
    table<RelyingKey>({
      caption: 'Keys that name no version',
      columns: [
        { label: 'Partner', kind: 'name', cell: ({ partnerId }) => partnerLink(partnerId, partners, request) },
        { label: 'Key', cell: ({ keyId }) => keys.get(keyId) ?? keyId },
        { label: 'Gets version', cell: ({ version }) => version },
        { label: 'Calls', kind: 'number', cell: ({ calls }) => formatNumber(calls) },
      ],
      rows: relying,
    }),
  ])
}
