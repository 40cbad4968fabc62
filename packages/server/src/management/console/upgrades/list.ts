import { type UpgradeRequest, upgradeOrders, upgradeStates } from '../../../domain/upgrade.ts'
import { upgradeResource } from '../../../resources/upgrade.ts'
import { listUpgradePart } from '../../../usecases/admin/list-upgrades.ts'
import { html } from '../../../web/html.ts'
import { link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { tabs } from '../../../web/parts/tabs.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { readShownPage } from '../../page.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportBounds, exportFormat, exportLinks, exportRows, maxExportedRows } from '../../shared/export.ts'
import { readNames } from '../../shared/names.ts'
import { readSort, sortFlag } from '../../shared/sort.ts'
import { askText, upgradeState } from '../../shared/upgrade-parts.ts'

const rowsPerPage = 50

/** Lists the open upgrade requests, or the decided ones with `?show=decided`. */
export async function upgradesPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { actor, query, site, path } = request
  const isDecided = query.show === 'decided'
  const current = readSort(upgradeOrders, request)
  if ('title' in current) return current
  const states = upgradeStates.filter(state => (state === 'open') !== isDecided)
  const format = exportFormat(request)
  const { data, next } = await readShownPage(
    current,
    span => listUpgradePart(context.admin, actor, { states, ...span }),
    format ? { limit: maxExportedRows } : { limit: rowsPerPage, after: query.after },
  )
  if (format) return exportRows('upgrades', format, data.map(upgradeResource), next !== null)
  const partnerIds = data.map(({ partnerId }) => partnerId)
  const names = await readNames(context, request, 'partner', partnerIds)
  const here = linkTo(site, path)
  const show = isDecided ? 'decided' : undefined
  const order = { orders: upgradeOrders, current, path: here, filters: { show } }
  const sort = sortParameter(order)
  return {
    title: 'Upgrades',
    lead: 'Requests of partners for a package, an add-on, more units or another live key.',
    actions: exportLinks(here, { show, sort }),
    content: [
      tabs('Requests', [
        { label: 'Open', href: here, isCurrent: !isDecided },
        { label: 'Decided', href: `${here}?show=decided`, isCurrent: isDecided },
      ]),
      list(data, names, request, order),
      pager(here, { show, sort, after: query.after }, next ?? undefined),
      exportBounds(next),
      sameElsewhere({
        cli: `periplus upgrades list${isDecided ? ' --state all' : ''}${sortFlag(order)}`,
        api: `GET /admin/v1/upgrade-requests${toQuery({ state: isDecided ? undefined : 'open', sort })}`,
      }),
    ],
  }
}

function list(
  rows: readonly UpgradeRequest[],
  names: ReadonlyMap<string, string>,
  { site, zone }: PageRequest,
  order: TableOrder,
) {
  const isDecided = order.filters.show !== undefined
  const columns: Column<UpgradeRequest>[] = [
    {
      label: 'Request',
      kind: 'name',
      sort: 'kind',
      cell: ({ id, ask }) => link(linkTo(site, `/console/upgrades/${id}`), askText(ask)),
    },
    { label: 'Partner', sort: 'partner', cell: ({ partnerId }) => names.get(partnerId) ?? partnerId },
    { label: 'Reason', cell: ({ reason }) => shorten(reason) },
    { label: 'Requested', sort: 'created', cell: ({ createdMs }) => time(createdMs, zone) },
    ...(isDecided
      ? ([
          { label: 'State', sort: 'state', cell: ({ state }) => upgradeState(state) },
          {
            label: 'Ended',
            sort: 'decided',
            cell: ({ decidedMs }) => decidedMs !== undefined && time(decidedMs, zone),
          },
        ] satisfies Column<UpgradeRequest>[])
      : []),
  ]
  const empty = isDecided
    ? emptyState('No decided requests', html`<p>Approved, declined and withdrawn requests are listed here.</p>`)
    : emptyState('No open requests', html`<p>Partners open requests on their page Plan.</p>`, 'check2-circle')
  return table({ caption: 'Upgrade requests', columns, rows, empty, order })
}

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
