import { parseId } from '../../../domain/id.ts'
import { type Suggestion, suggestionKinds, suggestionOrders, suggestionStates } from '../../../domain/suggestion.ts'
import { suggestionResource } from '../../../resources/suggestion.ts'
import { listSuggestions } from '../../../usecases/admin/find-suggestion.ts'
import { html } from '../../../web/html.ts'
import type { Field } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { livePart } from '../../../web/parts/live.ts'
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
import { placeName } from '../../shared/places/place-words.ts'
import { listForm, readSort, sortFlag } from '../../shared/sort.ts'
import { kindLabels, suggestionState } from '../../shared/suggestions/words.ts'
import { placePath } from '../places/place-path.ts'

/** Path of the list of suggestions below the base path. */
export const suggestionsPath = '/console/suggestions'

const rowsPerPage = 50

/** Lists the open suggestions, or the decided ones with `?show=decided`; `kind` and `place` narrow the list. */
export async function suggestionsPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { actor, query, site, path } = request
  const current = readSort(suggestionOrders, request)
  if ('title' in current) return current
  const isDecided = query.show === 'decided'
  const kind = suggestionKinds.find(one => one === query.kind)
  // No place has the id 0, so that a text that is no id finds nothing.
  const locationId = query.place === undefined ? undefined : (parseId(query.place) ?? 0n)
  const states = suggestionStates.filter(state => (state === 'open') !== isDecided)
  const format = exportFormat(request)
  const { data, next } = await readShownPage(
    current,
    span => listSuggestions(context.places, actor, { states, kind, locationId, ...span }),
    format ? { limit: maxExportedRows } : { limit: rowsPerPage, after: query.after },
  )
  if (format) return exportRows('suggestions', format, data.map(suggestionResource), next !== null)
  const here = linkTo(site, path)
  const filters = { show: isDecided ? 'decided' : undefined, kind, place: query.place }
  const order = { orders: suggestionOrders, current, path: here, filters }
  const sort = sortParameter(order)
  return {
    title: 'Suggestions',
    lead: 'Changes of places that users of partners suggest.',
    scripts: ['live.js'],
    actions: exportLinks(here, { ...filters, sort }),
    content: [
      tabs('Suggestions', [
        { label: 'Open', href: `${here}${toQuery({ ...filters, show: undefined })}`, isCurrent: !isDecided },
        { label: 'Decided', href: `${here}${toQuery({ ...filters, show: 'decided' })}`, isCurrent: isDecided },
      ]),
      listForm(order, 'Filter', filterFields(filters)),
      livePart('suggestions', await suggestionTable(context, request, data, order)),
      pager(here, { ...filters, sort, after: query.after }, next ?? undefined),
      exportBounds(next),
      sameElsewhere({
        cli: `periplus suggestions list${isDecided ? ' --state all' : ''}${sortFlag(order)}`,
        api: `GET /admin/v1/suggestions${toQuery({ state: isDecided ? undefined : 'open', kind, location_id: query.place, sort })}`,
      }),
    ],
  }
}

const filterFields = (filters: Readonly<Record<'show' | 'kind' | 'place', string | undefined>>): Field[] => [
  ...(filters.show === undefined
    ? []
    : [{ name: 'show', label: 'Show', type: 'hidden', value: filters.show } as const]),
  {
    name: 'kind',
    label: 'Kind',
    type: 'select',
    value: filters.kind ?? '',
    required: false,
    choices: [{ value: '', label: 'All' }, ...suggestionKinds.map(value => ({ value, label: kindLabels[value] }))],
  },
  { name: 'place', label: 'Id of the place', value: filters.place, required: false },
]

async function suggestionTable(
  context: ManagementContext,
  request: PageRequest,
  rows: readonly Suggestion[],
  order: TableOrder,
) {
  const { site, zone } = request
  const isDecided = order.filters.show !== undefined
  const partnerNames = await readNames(
    context,
    request,
    'partner',
    rows.map(({ partnerId }) => partnerId),
  )
  const placeNames = await readPlaceNames(context, rows)
  const columns: Column<Suggestion>[] = [
    {
      label: 'Suggestion',
      kind: 'name',
      sort: 'kind',
      cell: ({ id, kind }) => link(linkTo(site, `${suggestionsPath}/${id}`), kindLabels[kind]),
    },
    {
      label: 'Place',
      cell: ({ locationId }) => link(placePath(request, locationId), placeNames.get(locationId) ?? String(locationId)),
    },
    { label: 'Partner', sort: 'partner', cell: ({ partnerId }) => partnerNames.get(partnerId) ?? partnerId },
    { label: 'Comment', cell: ({ comment = '' }) => shorten(comment) },
    { label: 'Suggested', sort: 'created', cell: ({ createdMs }) => time(createdMs, zone) },
    ...(isDecided
      ? ([
          { label: 'State', sort: 'state', cell: ({ state }) => suggestionState(state) },
          {
            label: 'Decided',
            sort: 'decided',
            cell: ({ decidedMs }) => decidedMs !== undefined && time(decidedMs, zone),
          },
        ] satisfies Column<Suggestion>[])
      : []),
  ]
  const empty = isDecided
    ? emptyState('No decided suggestions', html`<p>Accepted and rejected suggestions are listed here.</p>`)
    : emptyState(
        'No open suggestions',
        html`<p>Users of partners suggest changes on the pages of places.</p>`,
        'check2-circle',
      )
  return table({ caption: 'Suggestions', columns, rows, empty, order })
}

/** Reads the names of the places of suggestions that still exist; a merged one has that of its survivor. */
async function readPlaceNames({ places }: ManagementContext, rows: readonly Suggestion[]) {
  const names = new Map<Suggestion['locationId'], string>()
  for (const id of new Set(rows.map(({ locationId }) => locationId))) {
    const entry = await places.locations.get(id)
    if (entry) names.set(id, placeName(entry.location()))
  }
  return names
}

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
