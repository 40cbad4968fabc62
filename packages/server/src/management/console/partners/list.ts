import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import type { ListSpan } from '../../../domain/key-stores.ts'
import { type PackageName, packageNames } from '../../../domain/package.ts'
import { type Partner, partnerStates } from '../../../domain/partner.ts'
import { dayMs, startOfUtcDay } from '../../../kit/time.ts'
import { partnerResource } from '../../../resources/partner.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listPartners } from '../../../usecases/admin/list-partners.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import { type Html, html } from '../../../web/html.ts'
import { queryForm } from '../../../web/parts/form.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { badge, emptyState } from '../../../web/parts/notice.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { pager } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { dayText } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { selectListPage } from '../../page.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportBounds, exportFormat, exportLinks, exportRows, maxExportedRows } from '../../shared/export.ts'
import { newPartnerForm } from './create.ts'

const rowsPerPage = 50
/** Period of the units that are shown, in milliseconds: today and the 29 days before, in UTC. */
const periodMs = 29 * dayMs

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
  const format = exportFormat(request)
  const { data, next } = await readPage(context, request, format ? maxExportedRows : rowsPerPage)
  if (data.length === 0 && (await listPartners(context.admin, actor, { limit: 1 })).length === 0)
    return firstPartner(request)
  const rows = await toRows(context, request, data)
  if (format) return exportRows('partners', format, rows.map(toExport), (next ?? undefined) !== undefined)
  const here = linkTo(site, path)
  return {
    title: 'Partners',
    lead: 'Organisations that hold keys.',
    actions: [
      exportLinks(here, { q, state }),
      request.may('partners:write') &&
        html` ${buttonLink(linkTo(site, '/console/partners/new'), 'New partner', { kind: 'primary' })}`,
    ],
    content: [
      filterForm(here, q, state),
      list(rows, request),
      pager(here, { q, state, after: query.after }, next ?? undefined),
      exportBounds(next),
      sameElsewhere({ cli: 'periplus partners list', api: 'GET /admin/v1/partners' }),
    ],
  }
}

/** Returns the page that the query names; the first page for a cursor that no page has sent. */
async function readPage({ admin }: ManagementContext, { actor, query }: PageRequest, limit: number) {
  const { q: text, state, after } = query
  const filter = { text, state: partnerStates.find(one => one === state) }
  const select = (span: ListSpan) => listPartners(admin, actor, { ...filter, ...span })
  const found = after === undefined ? undefined : await selectListPage(select, { limit, after })
  return found ?? (await selectListPage(select, { limit }))!
}

/** Returns the partners with keys and usage; one report covers them all. */
async function toRows(
  { admin, usage }: ManagementContext,
  { actor, nowMs }: PageRequest,
  partners: readonly Partner[],
): Promise<PartnerRow[]> {
  const partnerIds = partners.map(({ id }) => id)
  const keys = Map.groupBy(await listKeys(admin, actor, { partnerIds }), ({ partnerId }) => partnerId)
  const report = await reportUsage(usage, actor, { fromMs: startOfUtcDay(nowMs - periodMs), by: ['partner'] })
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

const filterForm = (action: string, q: string, state: string): Html =>
  queryForm(action, 'Search', [
    { name: 'q', label: 'Name, e-mail or id', type: 'search', value: q, required: false },
    {
      name: 'state',
      label: 'State',
      type: 'select',
      value: state,
      required: false,
      choices: [
        { value: '', label: 'All' },
        { value: 'open', label: 'Open' },
        { value: 'closed', label: 'Closed' },
      ],
    },
  ])

const list = (rows: readonly PartnerRow[], { site }: PageRequest) =>
  table({
    caption: 'Partners, oldest first',
    columns: [
      {
        label: 'Partner',
        kind: 'name',
        cell: ({ partner }) => link(linkTo(site, `/console/partners/${partner.id}`), partner.name),
      },
      { label: 'Keys', cell: ({ live, test }) => keysText(live, test) },
      { label: 'Packages', cell: ({ packages }) => packages.join(', ') },
      { label: 'Units in 30 days', kind: 'number', cell: ({ units }) => formatNumber(units) },
      { label: 'Last call', cell: ({ lastDay }) => dayText(lastDay) },
      { label: 'State', cell: ({ partner }) => partnerState(partner) },
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
