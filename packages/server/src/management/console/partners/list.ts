import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import { type PartnerOrder, partnerOrders } from '../../../domain/key-stores.ts'
import type { ListOrder } from '../../../domain/list-order.ts'
import { type PackageName, packageNames } from '../../../domain/package.ts'
import { type Partner, partnerStates, unitsFromMs } from '../../../domain/partner.ts'
import { partnerResource } from '../../../resources/partner.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listPartnerPart } from '../../../usecases/admin/list-partners.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import { type Html, html } from '../../../web/html.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { badge, emptyState } from '../../../web/parts/notice.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { dayText, time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { readShownPage } from '../../page.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportBounds, exportFormat, exportLinks, exportRows, maxExportedRows } from '../../shared/export.ts'
import { listForm, readSort, sortFlag } from '../../shared/sort.ts'
import { newPartnerForm } from './create.ts'

const rowsPerPage = 50

/** A partner with what the list shows about it. */
interface PartnerRow {
  readonly partner: Partner
  /** Keys that are not revoked. */
  readonly live: number
  readonly test: number
  /** Packages of the live keys, and the one in which the partner may create them. */
  readonly packages: readonly PackageName[]
  readonly units: number
  /** Day of the latest counted call in UTC. */
  readonly lastDay: string | undefined
}

/** Lists the partners, or their CSV with `?format=csv`; without partners it is the form of the first one. */
export async function partnersPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { query, actor, site, path } = request
  const { q = '', state = '' } = query
  const current = readSort(partnerOrders, request)
  if ('title' in current) return current
  const format = exportFormat(request)
  const { data, next } = await readPage(context, request, current, format ? maxExportedRows : rowsPerPage)
  if (data.length === 0 && (await listPartnerPart(context.admin, actor, { limit: 1 })).rows.length === 0)
    return firstPartner(request)
  const rows = await toRows(context, request, data)
  if (format) return exportRows('partners', format, rows.map(toExport), (next ?? undefined) !== undefined)
  const here = linkTo(site, path)
  const order = { orders: partnerOrders, current, path: here, filters: { q, state } }
  const filters = { q, state, sort: sortParameter(order) }
  return {
    title: 'Partners',
    lead: 'Organisations that hold keys.',
    actions: [
      exportLinks(here, filters),
      request.may('partners:write') &&
        html` ${buttonLink(linkTo(site, '/console/partners/new'), 'New partner', { kind: 'primary' })}`,
    ],
    content: [
      filterForm(order),
      list(rows, request, order),
      pager(here, { ...filters, after: query.after }, next ?? undefined),
      exportBounds(next),
      sameElsewhere({
        cli: `periplus partners list${sortFlag(order)}`,
        api: `GET /admin/v1/partners${toQuery(filters)}`,
      }),
    ],
  }
}

/** Returns the page that the query names; the first page for a cursor that no page has sent. */
async function readPage(
  { admin }: ManagementContext,
  { actor, query, nowMs }: PageRequest,
  order: ListOrder<PartnerOrder>,
  limit: number,
) {
  const { q: text, state, after } = query
  const filter = { text, state: partnerStates.find(one => one === state), unitsFromMs: unitsFromMs(nowMs) }
  return readShownPage(order, span => listPartnerPart(admin, actor, { ...filter, ...span }), { limit, after })
}

/** Returns the partners with keys and usage; one report covers them all. */
async function toRows(
  { admin, usage }: ManagementContext,
  { actor, nowMs }: PageRequest,
  partners: readonly Partner[],
): Promise<PartnerRow[]> {
  const partnerIds = partners.map(({ id }) => id)
  const keys = Map.groupBy(await listKeys(admin, actor, { partnerIds }), ({ partnerId }) => partnerId)
  const report = await reportUsage(usage, actor, { fromMs: unitsFromMs(nowMs), by: ['partner'], countedOnly: true })
  const units = new Map(isAdminFault(report) ? [] : report.rows.map(row => [row.partner, row.units]))
  return partners.map(partner => {
    const own = keys.get(partner.id) ?? []
    const open = own.filter(({ state }) => state !== 'revoked')
    const live = open.filter(({ test }) => !test)
    const held = new Set([partner.packageName, ...live.map(({ packageName }) => packageName)])
    return {
      partner,
      live: live.length,
      test: open.length - live.length,
      packages: packageNames.filter(name => held.has(name)),
      units: units.get(partner.id) ?? 0,
      lastDay: lastDayOf(own),
    }
  })
}

/** Returns the latest day on which one of the keys was used. */
export const lastDayOf = (keys: readonly Key[]): string | undefined =>
  keys
    .flatMap(({ lastUse }) => lastUse?.day ?? [])
    .sort()
    .at(-1)

const filterForm = (order: TableOrder): Html =>
  listForm(order, 'Search', [
    { name: 'q', label: 'Name, e-mail or id', type: 'search', value: order.filters.q, required: false },
    {
      name: 'state',
      label: 'State',
      type: 'select',
      value: order.filters.state,
      required: false,
      choices: [
        { value: '', label: 'All' },
        { value: 'open', label: 'Open' },
        { value: 'closed', label: 'Closed' },
      ],
    },
  ])

const list = (rows: readonly PartnerRow[], { site, zone }: PageRequest, order: TableOrder) =>
  table({
    caption: 'Partners',
    order,
    columns: [
      {
        label: 'Partner',
        kind: 'name',
        sort: 'name',
        cell: ({ partner }) => link(linkTo(site, `/console/partners/${partner.id}`), partner.name),
      },
      { label: 'Keys', cell: ({ live, test }) => keysText(live, test) },
      { label: 'Packages', cell: ({ packages }) => packages.join(', ') },
      { label: 'Units in 30 days', kind: 'number', sort: 'units', cell: ({ units }) => formatNumber(units) },
      { label: 'Last call', sort: 'last_call', cell: ({ lastDay }) => dayText(lastDay) },
      { label: 'State', sort: 'state', cell: ({ partner }) => partnerState(partner) },
      { label: 'Created', sort: 'created', cell: ({ partner }) => time(partner.createdMs, zone, 'day') },
    ] satisfies Column<PartnerRow>[],
    rows,
    empty: emptyState('No partner found', html`<p>Try another word, or all states.</p>`, 'search'),
  })

function keysText(live: number, test: number): string {
  const parts = [...(live > 0 ? [`${live} live`] : []), ...(test > 0 ? [`${test} test`] : [])]
  return parts.length === 0 ? 'No keys' : parts.join(', ')
}

/** Returns the state of a partner. */
export const partnerState = ({ state }: Pick<Partner, 'state'>): Html =>
  state === 'open' ? badge('good', 'Open') : badge('plain', 'Closed')

const toExport = ({ partner, live, test, units, lastDay }: PartnerRow) => ({
  ...partnerResource(partner),
  live_keys: live,
  test_keys: test,
  units_30_days: units,
  last_used_day: lastDay ?? null,
})

const firstPartner = (request: PageRequest): PageAnswer => ({
  title: 'Partners',
  lead: 'A partner is an organisation that holds keys. Create the first one to give it a key.',
  content: request.may('partners:write')
    ? newPartnerForm(request, { title: 'First partner' })
    : emptyState('No partners yet', html`<p>An operator or owner creates the first partner here.</p>`, 'building'),
})
