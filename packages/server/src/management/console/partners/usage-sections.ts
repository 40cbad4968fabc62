import { sortRows } from '../../../domain/list-order.ts'
import type { LoggedCall } from '../../../domain/request-log.ts'
import type { PricedStatement, UsageReportLine } from '../../../domain/usage-report.ts'
import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { calendarDate, time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { causeOf, httpStatusBadge } from '../../shared/causes.ts'
import { keyName } from '../../shared/key-parts.ts'
import { type PartnerView, pathOf, type SortedPartnerView, usageOrders } from './partner-view.ts'

/** Returns the usage of the last 30 days by operation. */
export function usageCard(view: SortedPartnerView, { site }: PageRequest): Html {
  const { report, partner, order } = view
  const byUnits = report.rows.toSorted((a, b) => b.units - a.units || b.calls - a.calls)
  const columns: Column<UsageReportLine>[] = [
    { label: 'Operation', kind: 'name', sort: 'operation', cell: ({ operation }) => operation },
    { label: 'Calls', kind: 'number', sort: 'calls', cell: ({ calls }) => formatNumber(calls) },
    { label: 'Units', kind: 'number', sort: 'units', cell: ({ units }) => formatNumber(units) },
    {
      label: 'Billable units',
      kind: 'number',
      sort: 'billable',
      cell: ({ billableUnits }) => formatNumber(billableUnits),
    },
  ]
  const { calls, units, billableUnits } = report
  const foot = ['All', formatNumber(calls), formatNumber(units), formatNumber(billableUnits)]
  return card(
    'Usage in 30 days',
    table({
      caption: 'Usage by operation',
      columns,
      order: { ...order, part: 'usage' },
      rows: sortRows(byUnits, order.current, usageOrders),
      foot,
      empty: html`<p class="quiet">No calls in the last 30 days.</p>`,
    }),
    {
      id: 'usage',
      actions: buttonLink(linkTo(site, `/console/usage${toQuery({ partner: partner.id })}`), 'All usage'),
    },
  )
}

/** Returns the newest calls. */
export function requestsCard(view: PartnerView, { site, zone }: PageRequest): Html {
  const { calls, partner, keys } = view
  const columns: Column<LoggedCall>[] = [
    {
      label: 'When',
      cell: ({ timeMs, requestId }) =>
        link(linkTo(site, `/console/requests/${requestId}`), time(timeMs, zone, 'second')),
    },
    { label: 'Operation', cell: ({ operation }) => operation },
    { label: 'Key', cell: ({ keyId }) => keyName(keys.find(({ id }) => id === keyId) ?? { id: keyId }) },
    { label: 'Status', cell: ({ status }) => httpStatusBadge(status) },
    { label: 'Cause', cell: causeOf },
    { label: 'Units', kind: 'number', cell: ({ units }) => formatNumber(units) },
  ]
  return card(
    'Latest requests',
    table({
      caption: 'Latest requests',
      columns,
      rows: calls.rows,
      empty: html`<p class="quiet">No requests in the log.</p>`,
    }),
    {
      actions: buttonLink(linkTo(site, `/console/requests${toQuery({ partner: partner.id })}`), 'All requests'),
    },
  )
}

/** Returns the statements of the last months. */
export function statementsCard(view: PartnerView, { site }: PageRequest): Html {
  const path = (month: string) => linkTo(site, pathOf(view, `/statements/${month}`))
  const columns: Column<PricedStatement>[] = [
    { label: 'Month', kind: 'name', cell: ({ month }) => calendarDate(month, 'month') },
    { label: 'Calls', kind: 'number', cell: ({ calls }) => formatNumber(calls) },
    { label: 'Billable units', kind: 'number', cell: ({ units }) => formatNumber(units) },
    { label: 'State', cell: ({ closed }) => (closed ? badge('good', 'Closed') : badge('plain', 'In progress')) },
    {
      label: 'Export',
      kind: 'actions',
      cell: ({ month }) =>
        html`${link(path(month), 'CSV', `of ${month}`)} · ${link(`${path(month)}?format=json`, 'JSON', `of ${month}`)}`,
    },
  ]
  return card('Statements', table({ caption: 'Statements', columns, rows: view.statements }))
}
