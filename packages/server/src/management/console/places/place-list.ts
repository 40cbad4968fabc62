import { topLevelCategories, topLevelNames } from '../../../domain/category.ts'
import { parseId } from '../../../domain/id.ts'
import { type TimeOrder, timeOrders } from '../../../domain/list-order.ts'
import { type Location, type LocationEntry, statusValues } from '../../../domain/location.ts'
import { isWholeField } from '../../../domain/override.ts'
import { findPlaces, type PlacesPage } from '../../../usecases/admin/find-places.ts'
import { type ListedOverride, listOverrides } from '../../../usecases/admin/list-overrides.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { queryForm } from '../../../web/parts/form.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { emptyState, notice } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { type SameElsewhere, sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter } from '../../../web/parts/sort-head.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { closureBadge } from '../../../web/place-words.ts'
import { linkTo, type Site } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportBounds, exportFormat, exportLinks, maxExportedRows } from '../../shared/export.ts'
import { curlCall } from '../../shared/first-call.ts'
import { fieldLabels, placeName, statusLabels } from '../../shared/places/place-words.ts'
import { readSort, sortFlag } from '../../shared/sort.ts'
import { readActorNames } from '../actor-names.ts'
import { exportPlaces } from './place-export.ts'
import { readPlaceFilters, readText } from './place-query.ts'

const rowsPerPage = 25
const listPath = '/console/places'

/** Lists places: found by a text as partners search and by filters, or those with overridden fields. */
export async function placeListPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { query, site } = request
  const order = readSort(timeOrders, request)
  if ('title' in order) return order
  const format = exportFormat(request)
  const exported = format && (await exportPlaces(context, request, order, format))
  if (exported) return exported
  const id = parseId(query.q ?? '')
  if (id !== undefined && (await context.places.locations.get(id))) return { redirect: `${listPath}/${id}` }
  const { q, category, status, source, overridden, sort } = query
  const list = overridden === 'yes' ? await overrideList(context, request, order) : await searchList(context, request)
  return {
    title: 'Places',
    lead: 'Find a place the way partners do, and correct wrong data from its source.',
    actions: exportLinks(linkTo(site, listPath), { q, category, status, source, overridden, sort }),
    content: [filterForm(request), list, sameElsewhere(otherWays(context, request, order))],
  }
}

/** Returns the command and the calls for the same list. */
function otherWays(context: ManagementContext, { query }: PageRequest, current: TimeOrder): SameElsewhere {
  if (query.overridden === 'yes') {
    const order = { orders: timeOrders, current }
    return {
      cli: `periplus audit list --action location.override${sortFlag(order)}`,
      api: `GET /admin/v1/audit${toQuery({ action: 'location.override', sort: sortParameter(order) })}`,
    }
  }
  const { category, status, source } = readPlaceFilters(query)
  const text = readText(query)
  const path = `/catalog/locations/${text === undefined ? 'nearby' : 'search'}`
  const world = { sw_lat: -90, sw_lon: -180, ne_lat: 90, ne_lon: 180, sort: 'rating,desc' }
  const search = text === undefined ? world : { query: text }
  return {
    cli: 'periplus locations show ID',
    api: 'GET /admin/v1/locations/{id}',
    // Only the scope of a key selects a source.
    ...(source === undefined && {
      partner: curlCall(context, path + toQuery({ ...search, category, status, page: query.page, size: rowsPerPage })),
    }),
  }
}

const any = (label: string) => ({ value: '', label })

function filterForm({ query, site }: PageRequest): Html {
  const optional = { required: false } as const
  const choices = (all: readonly string[], labels: Readonly<Record<string, string>>, none: string) => [
    any(none),
    ...all.map(value => ({ value, label: labels[value]! })),
  ]
  return queryForm(linkTo(site, listPath), 'Search', [
    { name: 'q', label: 'Name, address or id', type: 'search', value: query.q, ...optional },
    {
      name: 'category',
      label: 'Category',
      type: 'select',
      value: query.category ?? '',
      ...optional,
      choices: choices(topLevelCategories, topLevelNames, 'Any'),
    },
    {
      name: 'status',
      label: 'Status',
      type: 'select',
      value: query.status ?? '',
      ...optional,
      choices: choices(statusValues, statusLabels, 'Any'),
    },
    { name: 'source', label: 'Source', value: query.source, ...optional },
    {
      name: 'overridden',
      label: 'Fields',
      type: 'select',
      value: query.overridden ?? '',
      ...optional,
      choices: [any('All places'), { value: 'yes', label: 'Only overridden' }],
    },
  ])
}

/** Lists the places that the search finds. */
async function searchList({ live, places }: ManagementContext, request: PageRequest): Promise<HtmlValue> {
  const { query, actor, site } = request
  const { q, category, status, source } = query
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1)
  const found = await findPlaces({ live, locations: places.locations }, actor, {
    ...readPlaceFilters(query),
    offset: (page - 1) * rowsPerPage,
    limit: rowsPerPage,
    text: readText(query),
  })
  if (!found)
    return notice('warn', html`<p>The search is not available yet: its index is being loaded or built. Try again.</p>`)
  const isFiltered = [q, category, status, source].some(value => value !== undefined)
  if (found.total === 0) return isFiltered ? nothingFound() : nothingStored(site)
  const [before, after] = [page > 1, page * rowsPerPage < found.total]
  const pageLink = (to: number, label: string) => {
    const address = linkTo(site, `${listPath}${toQuery({ q, category, status, source, page: to })}`)
    return html` ${buttonLink(address, label, { kind: 'plain' })}`
  }
  const pages = [before && pageLink(page - 1, 'Previous page'), after && pageLink(page + 1, 'Next page')]
  return html`<p class="quiet">${formatCount(found.total, 'place')}${q === undefined && ', the best rated first'}</p>
${placeTable(found, request)}${(before || after) && html`<nav class="pager" aria-label="Pages">${pages}</nav>`}
${exportBounds(found.total > maxExportedRows || undefined)}`
}

/** A place with its record, which is read once. */
interface PlaceRow {
  readonly entry: LocationEntry
  readonly location: Location
}

const nameColumn = (site: Site): Column<PlaceRow> => ({
  label: 'Place',
  kind: 'name',
  cell: ({ entry, location }) => [
    html`<a href="${linkTo(site, `${listPath}/${entry.id}`)}">${placeName(location)}</a>`,
    ' ',
    closureBadge(location.status),
  ],
})

function ratingCell({ entry, location }: PlaceRow): Html | undefined {
  const { rating, count: ratings = 0 } = entry.ratings(location)?.overall ?? {}
  return rating === undefined
    ? undefined
    : html`${rating.toFixed(1)} <span class="quiet small">(${formatNumber(ratings)})</span>`
}

const placeTable = ({ entries }: PlacesPage, { site }: PageRequest): HtmlValue =>
  table<PlaceRow>({
    caption: 'Places',
    columns: [
      nameColumn(site),
      { label: 'Category', cell: ({ location }) => location.categories[0]!.displayName },
      { label: 'In', cell: ({ entry, location }) => [location.geo, entry.country].filter(Boolean).join(', ') },
      { label: 'Rating', kind: 'number', cell: ratingCell },
      { label: 'Source', cell: ({ entry }) => entry.source },
      { label: 'Id', cell: ({ entry: { id } }) => html`<span class="quiet">${String(id)}</span>` },
    ],
    rows: entries.map(entry => ({ entry, location: entry.location() })),
  })

/** Lists overrides and merges. */
async function overrideList(context: ManagementContext, request: PageRequest, current: TimeOrder): Promise<HtmlValue> {
  const { places } = context
  const nameOf = await readActorNames(context, request)
  const { query, actor, site, zone } = request
  const { after, category, status, source } = query
  const page = await listOverrides(places, actor, {
    ...readPlaceFilters(query),
    order: current,
    limit: rowsPerPage,
    ...(after !== undefined && /^\d{1,15}$/.test(after) && { after: Number(after) }),
  })
  const placeLink = ({ override: { locationId, field }, entry }: ListedOverride) =>
    link(
      linkTo(site, `${listPath}/${locationId}`),
      entry && !isWholeField(field) ? placeName(entry.location()) : `Place ${locationId}`,
    )
  const filters = { overridden: 'yes', category, status, source }
  const order = { orders: timeOrders, current, path: linkTo(site, listPath), filters }
  const rows = table<ListedOverride>({
    caption: 'Overridden fields',
    order,
    columns: [
      { label: 'Place', kind: 'name', cell: placeLink },
      { label: 'Field', cell: ({ override }) => fieldLabels[override.field] },
      { label: 'Reason', cell: ({ override }) => override.reason },
      { label: 'By', cell: ({ override }) => nameOf(override.actor) },
      { label: 'Since', sort: 'time', cell: ({ override }) => time(override.atMs, zone) },
    ],
    rows: page.rows,
    empty: emptyState(
      'No overrides',
      html`<p>Every field has the value of its source. Open a place to change one: your value then wins over imports
until you lift it.</p>`,
      'pencil-square',
    ),
  })
  const kept = { ...order.filters, sort: sortParameter(order), after }
  return html`${rows}${pager(order.path, kept, page.next?.toString())}${exportBounds(page.next)}`
}

const nothingFound = (): Html =>
  emptyState('Nothing found', html`<p>No place matches. Search with fewer words, or remove a filter.</p>`, 'search')

const nothingStored = (site: Site): Html =>
  emptyState(
    'No places yet',
    html`<p>Places come from imports: a file in CSV, NDJSON, GeoJSON or Parquet, from the
<a href="${linkTo(site, '/console/imports')}">Imports</a> page or a terminal.</p>
${codeBlock('periplus import places.csv --source my-source')}`,
    'geo-alt',
  )
