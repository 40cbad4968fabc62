import type { UpgradeRequest } from '../../../domain/upgrade.ts'
import { upgradeResource } from '../../../resources/upgrade.ts'
import { listPartners } from '../../../usecases/admin/list-partners.ts'
import { listUpgrades } from '../../../usecases/admin/list-upgrades.ts'
import { html } from '../../../web/html.ts'
import { link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { tabs } from '../../../web/parts/tabs.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { toPage } from '../../page.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { askText, upgradeState } from '../../shared/upgrade-parts.ts'

const rowsPerPage = 50

/** Lists the open upgrade requests, or the decided ones with `?show=decided`. */
export async function upgradesPage({ admin }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { actor, query, site, path } = request
  const isDecided = query.show === 'decided'
  const all = await listUpgrades(admin, actor, {})
  const wanted = all.filter(({ state }) => (state === 'open') !== isDecided)
  const format = exportFormat(request)
  if (format) return exportRows('upgrades', format, wanted.map(upgradeResource))
  const newestFirst = ({ createdMs, id }: UpgradeRequest) => `${9e15 - createdMs} ${id}`
  const { data, next } = toPage(wanted, newestFirst, {
    limit: rowsPerPage,
    ...(query.after !== undefined && { after: query.after }),
  })
  const names = new Map((await listPartners(admin, actor)).map(({ id, name }) => [id, name]))
  const here = linkTo(site, path)
  return {
    title: 'Upgrades',
    lead: 'Requests of partners for a package, an add-on, more units or another live key.',
    actions: exportLinks(here, { show: query.show }),
    content: [
      tabs('Requests', [
        { label: 'Open', href: here, isCurrent: !isDecided },
        { label: 'Decided', href: `${here}?show=decided`, isCurrent: isDecided },
      ]),
      list(data, names, request, isDecided),
      pager(here, { show: query.show, after: query.after }, next ?? undefined),
      sameElsewhere({
        cli: 'periplus upgrades list',
        api: `GET /admin/v1/upgrade-requests${isDecided ? '' : toQuery({ state: 'open' })}`,
      }),
    ],
  }
}

function list(
  rows: readonly UpgradeRequest[],
  names: ReadonlyMap<string, string>,
  { site, zone }: PageRequest,
  isDecided: boolean,
) {
  const columns: Column<UpgradeRequest>[] = [
    {
      label: 'Request',
      kind: 'name',
      cell: ({ id, ask }) => link(linkTo(site, `/console/upgrades/${id}`), askText(ask)),
    },
    { label: 'Partner', cell: ({ partnerId }) => names.get(partnerId) ?? partnerId },
    { label: 'Reason', cell: ({ reason }) => shorten(reason) },
    { label: 'Requested', cell: ({ createdMs }) => time(createdMs, zone) },
    ...(isDecided
      ? ([
          { label: 'State', cell: ({ state }) => upgradeState(state) },
          { label: 'Ended', cell: ({ decidedMs }) => decidedMs !== undefined && time(decidedMs, zone) },
        ] satisfies Column<UpgradeRequest>[])
      : []),
  ]
  const empty = isDecided
    ? emptyState('No decided requests', html`<p>Approved, declined and withdrawn requests are listed here.</p>`)
    : emptyState('No open requests', html`<p>Partners open requests on their page Plan.</p>`, 'check2-circle')
  return table({ caption: 'Upgrade requests, newest first', columns, rows, empty })
}

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
