import type { Key } from '../../../domain/key.ts'
import { type MemoryOrders, pageOrders, sortRows } from '../../../domain/list-order.ts'
import { type PackageName, type PackageTable, packageNames } from '../../../domain/package.ts'
import type { Partner } from '../../../domain/partner.ts'
import { loadYaml } from '../../../kit/yaml.ts'
import { packagesResource } from '../../../resources/package.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listPartners } from '../../../usecases/admin/list-partners.ts'
import { type Html, html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { formatCount, formatNumber, quotaText } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { permissionLabels } from '../../shared/key-parts.ts'
import { readSort } from '../../shared/sort.ts'
import { metersCard } from './charges-card.ts'

/** A package and who has it. */
interface OfferRow {
  readonly name: PackageName
  readonly partners: readonly Partner[]
  /** Live keys that are not revoked. */
  readonly keys: readonly Key[]
}

/** The orders of the packages; the default is the one of the offer. */
const createOrders = ({ packages }: PackageTable): MemoryOrders<OfferRow> => ({
  package: { first: 'asc', value: ({ name }) => packageNames.indexOf(name) },
  rate: { first: 'desc', value: ({ name }) => packages[name].rate },
  quota: { first: 'desc', value: ({ name }) => packages[name].quota ?? Number.POSITIVE_INFINITY },
  keys: { first: 'desc', value: ({ keys }) => keys.length },
  partners: { first: 'desc', value: ({ partners }) => partners.length },
})

/** Maximum number of partners that a row names. */
const shownPartners = 5

/** Shows what partners can have, who has it, and the YAML that describes it. */
export async function offerPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { admin } = context
  const rowOrders = createOrders(admin.packageTable)
  const orders = pageOrders({ by: 'package', isDescending: false }, rowOrders)
  const current = readSort(orders, request)
  if ('title' in current) return current
  const [partners, keys] = await Promise.all([
    listPartners(admin, request.actor),
    listKeys(admin, request.actor).then(all => all.filter(({ state, test }) => state !== 'revoked' && !test)),
  ])
  const offered = packageNames.map((name): OfferRow => {
    const own = keys.filter(({ packageName }) => packageName === name)
    const holders = new Set(own.map(({ partnerId }) => partnerId))
    return {
      name,
      keys: own,
      partners: partners.filter(({ id, packageName }) => holders.has(id) || packageName === name),
    }
  })
  const rows = sortRows(offered, current, rowOrders)
  const path = linkTo(request.site, request.path)
  const order = { orders, current, path, filters: {} }
  const format = exportFormat(request)
  if (format) return exportRows('offer', format, toExport(context, rows))
  return {
    title: 'Offer',
    actions: exportLinks(path, { sort: sortParameter(order) }),
    lead: 'Packages, limits and prices. They are settings of periplus.yaml and take effect with the next start.',
    content: [
      packagesCard(context, request, rows, order),
      searchCard(context),
      metersCard(context),
      yamlCard(context),
      sameElsewhere({ cli: 'periplus config check', api: 'GET /admin/v1/packages' }),
    ],
    scripts: ['samples.js'],
  }
}

/** Returns the packages with the ids of those who have them. */
const toExport = ({ admin }: ManagementContext, rows: readonly OfferRow[]): readonly object[] =>
  rows.map(({ name, keys, partners }) => ({
    ...packagesResource(admin.packageTable, [name]).data[0],
    live_keys: keys.length,
    partners: partners.map(({ id }) => id),
  }))

function packagesCard(
  { admin }: ManagementContext,
  { site }: PageRequest,
  rows: readonly OfferRow[],
  order: TableOrder,
): Html {
  const { packages } = admin.packageTable
  const hasPrices = packageNames.some(name => packages[name].price !== undefined)
  const holders = ({ partners }: OfferRow) => [
    partners
      .slice(0, shownPartners)
      .map(({ id, name }, i) => [
        i > 0 && ', ',
        html`<a href="${linkTo(site, `/console/partners/${id}`)}">${name}</a>`,
      ]),
    partners.length > shownPartners && ` and ${partners.length - shownPartners} more`,
  ]
  return card(
    'Packages',
    table<OfferRow>({
      caption: 'Packages',
      order,
      columns: [
        { label: 'Package', kind: 'name', sort: 'package', cell: ({ name }) => name },
        ...(hasPrices ? [{ label: 'Price', cell: ({ name }: OfferRow) => packages[name].price }] : []),
        {
          label: 'Requests a second',
          kind: 'number',
          sort: 'rate',
          cell: ({ name }) => formatNumber(packages[name].rate),
        },
        { label: 'Units a day', kind: 'number', sort: 'quota', cell: ({ name }) => quotaText(packages[name].quota) },
        {
          label: 'Permissions',
          cell: ({ name }) => packages[name].permissions.map(one => permissionLabels[one]).join(', '),
        },
        { label: 'Live keys', kind: 'number', sort: 'keys', cell: ({ keys }) => formatNumber(keys.length) },
        { label: 'Partners', sort: 'partners', cell: holders },
      ],
      rows,
    }),
  )
}

function searchCard({ admin }: ManagementContext): Html {
  const { rate, burst, quota } = admin.packageTable.search
  return card(
    'Search',
    html`<p>All searches of a key share these limits, in every package.</p>${facts([
      ['Rate', `${formatCount(rate, 'search', 'searches')} a second`],
      ['Burst', `${formatCount(burst, 'search', 'searches')} at once`],
      ['Daily searches', quotaText(quota)],
    ])}`,
  )
}

function yamlCard({ admin }: ManagementContext): Html {
  const { data, search } = packagesResource(admin.packageTable, packageNames)
  const packages = Object.fromEntries(data.map(({ name, ...terms }) => [name, terms]))
  return card('As YAML', [
    html`<p>Paste this into periplus.yaml, change it, and check it with <code>periplus config check</code> before the
next start.</p>`,
    codeBlock(loadYaml().stringify({ packages, search })),
  ])
}
