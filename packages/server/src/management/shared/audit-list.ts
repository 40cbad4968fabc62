import { isAdminFault } from '../../domain/admin-fault.ts'
import { timeOrders } from '../../domain/list-order.ts'
import { addDays } from '../../kit/dates.ts'
import { isCalendarDate, startOfDay } from '../../kit/time.ts'
import { auditCells, auditColumns, auditLineResource } from '../../resources/audit.ts'
import { formatDateTime } from '../../resources/schema.ts'
import { listAudit } from '../../usecases/admin/list-audit.ts'
import { type Html, html } from '../../web/html.ts'
import { emptyState } from '../../web/parts/notice.ts'
import { pager, toQuery } from '../../web/parts/pager.ts'
import { sameElsewhere } from '../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../web/parts/sort-head.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PageAnswer, PageRequest } from '../pages/page-route.ts'
import { auditTable } from './audit-table.ts'
import { isOfPartner } from './audit-targets.ts'
import { csvFile, exportBounds, exportFormat, exportLinks, jsonRows, maxExportedRows } from './export.ts'
import { listForm, readSort, sortFlag } from './sort.ts'

const rowsPerPage = 50

/** Returns the page that lists the changes the user may see, or with `?format=csv` or `json` the same as a file. */
export async function auditPage(
  context: ManagementContext,
  request: PageRequest,
  texts: { readonly title: string; readonly lead: string },
): Promise<PageAnswer> {
  const { query, actor, path, site, zone } = request
  const { after, ...filters } = pick(query)
  const { from, to, partner } = filters
  const errors = { from: dateError(from), to: dateError(to) }
  const current = readSort(timeOrders, request)
  if ('title' in current) return current
  const format = exportFormat(request)
  const { audit, identity } = context
  const page = await listAudit({ audit, people: identity.people }, actor, {
    actorId: filters.actor,
    action: filters.action,
    target: filters.target,
    partnerId: partner,
    order: current,
    ...(from !== undefined && errors.from === undefined && { fromMs: startOfDay(from, zone) }),
    ...(to !== undefined && errors.to === undefined && { toMs: startOfDay(addDays(to, 1), zone) }),
    limit: format ? maxExportedRows : rowsPerPage,
    ...(after !== undefined && /^\d{1,15}$/.test(after) && { after: Number(after) }),
  })
  if (isAdminFault(page)) return page
  const shown = page.lines
  const isCut = page.next !== undefined
  if (format === 'json') return jsonRows('activity', shown.map(auditLineResource), isCut)
  if (format === 'csv') return csvFile('activity', [auditColumns, ...shown.map(auditCells)], isCut)
  const link = linkTo(site, path)
  const order = { orders: timeOrders, current, path: link, filters }
  const sort = sortParameter(order)
  return {
    ...texts,
    ...((errors.from ?? errors.to) !== undefined && { status: 400 }),
    actions: exportLinks(link, { ...filters, sort }),
    content: [
      filterForm(order, { ...errors, hasPartner: !isOfPartner(request) }),
      shown.length > 0
        ? await auditTable(context, request, shown, order)
        : noLines(Object.values(filters).every(value => value === undefined)),
      pager(link, { ...filters, sort, after }, page.next?.toString()),
      exportBounds(page.next),
      sameElsewhere(otherWays(request, filters, order)),
    ],
  }
}

const pick = ({ actor, action, target, partner, from, to, after }: PageRequest['query']) => ({
  actor,
  action,
  target,
  partner,
  from,
  to,
  after,
})
type Filters = Omit<ReturnType<typeof pick>, 'after'>

const dateError = (text: string | undefined): string | undefined =>
  text === undefined || isCalendarDate(text) ? undefined : 'This is not a date. Enter one such as 2026-01-31.'

/** Errors of the dates, and whether changes of all partners are listed. */
interface FilterParts {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly hasPartner: boolean
}

const filterForm = (order: TableOrder & { readonly filters: Filters }, { from, to, hasPartner }: FilterParts): Html =>
  listForm(order, 'Filter', [
    { name: 'action', label: 'Action', value: order.filters.action, placeholder: 'key.create', required: false },
    {
      name: 'actor',
      label: 'Changed by',
      value: order.filters.actor,
      placeholder: 'Id of a user or token',
      required: false,
    },
    { name: 'target', label: 'Target', value: order.filters.target, required: false },
    ...(hasPartner ? [{ name: 'partner', label: 'Partner', value: order.filters.partner, required: false }] : []),
    { name: 'from', label: 'From', type: 'date', value: order.filters.from, required: false, error: from },
    { name: 'to', label: 'To', type: 'date', value: order.filters.to, required: false, error: to },
  ])

const noLines = (isAll: boolean): Html =>
  isAll
    ? emptyState(
        'No changes yet',
        html`<p>Every change is listed here, with who made it and what it was before.</p>`,
        'journal-text',
      )
    : emptyState('No changes match', html`<p>Choose other filters, or a longer span.</p>`, 'search')

/** Returns the command and the call for the same list. */
function otherWays(
  { visibility, zone }: PageRequest,
  { partner: asked, actor, action, target, from, to }: Filters,
  order: TableOrder,
) {
  const partner = 'all' in visibility ? asked : visibility.partnerId
  const at = (date: string | undefined, days: number) =>
    date !== undefined && isCalendarDate(date) ? formatDateTime(startOfDay(addDays(date, days), zone)) : undefined
  const flags = Object.entries({ partner, actor, action, target, since: at(from, 0) }).filter(
    ([, value]) => value !== undefined,
  )
  const query = toQuery({
    partner_id: partner,
    actor,
    action,
    target,
    from: at(from, 0),
    to: at(to, 1),
    sort: sortParameter(order),
  })
  return {
    cli: ['periplus audit list', ...flags.map(([name, value]) => `--${name} ${value}`)].join(' ') + sortFlag(order),
    api: ['GET /admin/v1/audit', query].join(''),
  }
}
