import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { ServedVersion } from '../../../domain/lifecycle.ts'
import { versionsResource } from '../../../resources/version.ts'
import { listRelyingKeys } from '../../../usecases/admin/list-relying-keys.ts'
import { hasNotice } from '../../../usecases/admin/send-version-notice.ts'
import { listVersionUsers, type VersionUser, versionUseDays } from '../../../usecases/admin/version-users.ts'
import { versionTimeline } from '../../../web/charts/version-timeline.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { badge } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { versionBadge, versionTitle } from '../../../web/parts/version-badge.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { readNames } from '../../shared/names.ts'
import { readSort } from '../../shared/sort.ts'
import { datesCard } from './version-dates.ts'
import { endingCard, type Names, relyingCard, sortVersionUsers, versionUserOrders } from './version-users.ts'
import { versionsPath } from './versions-path.ts'

type Users = ReadonlyMap<string, readonly VersionUser[]>

/** Shows the versions of the API: their dates, who uses them, and who breaks when one is retired. */
export async function operatorVersionsPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { admin, usage } = context
  const { actor, site } = request
  const current = readSort(versionUserOrders, request)
  if ('title' in current) return current
  const versions = context.versions()
  const users = await listVersionUsers({ ...admin, usage: usage.usage }, actor, {
    versions: versions.map(({ name }) => name),
  })
  if (isAdminFault(users)) return users
  const relying = await listRelyingKeys(usage, actor)
  const partners = await readNames(context, request, 'partner', [
    ...[...users.values()].flatMap(list => list.map(({ key }) => key.partnerId)),
    ...relying.map(({ partnerId }) => partnerId),
  ])
  const format = exportFormat(request)
  if (format) {
    const sorted = new Map([...users].map(([name, list]) => [name, sortVersionUsers(list, current, partners)]))
    return exportRows('versions', format, toExport(versions, sorted))
  }
  const keys = await readNames(
    context,
    request,
    'key',
    relying.map(({ keyId }) => keyId),
  )
  const path = linkTo(site, versionsPath)
  const order = { orders: versionUserOrders, current, path, filters: {} }
  const ending = versions.filter(one => hasNotice(one, request.nowMs))
  return {
    title: 'Versions',
    lead: 'Which versions are served until when, and who still uses them.',
    actions: exportLinks(path, { sort: sortParameter(order) }),
    content: [
      timeline(versions, users, partners, request),
      versionTable(versions, users, request),
      ending.map(version => endingCard(version, { users: users.get(version.name)!, partners, request, order })),
      relyingCard(relying, { partners, keys }, request, order),
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
    ms !== undefined && html`${time(ms, zone, 'day')} <span class="quiet">${timeDistance(ms, nowMs)}</span>`
  const usersOf = ({ name }: ServedVersion) => users.get(name)!
  return table<ServedVersion>({
    caption: 'Versions of the partner API',
    columns: [
      {
        label: 'Version',
        kind: 'name',
        cell: ({ name, isDefault }) => html`${versionTitle(name)} ${isDefault && badge('info', 'Default')}`,
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
