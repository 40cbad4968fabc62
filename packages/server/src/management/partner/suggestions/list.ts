import { type Suggestion, suggestionOrders } from '../../../domain/suggestion.ts'
import { suggestionResource } from '../../../resources/suggestion.ts'
import { listSuggestions } from '../../../usecases/admin/find-suggestion.ts'
import { html } from '../../../web/html.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { livePart } from '../../../web/parts/live.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { pager } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { readShownPage } from '../../page.ts'
import type { PageAnswer, PartnerRequest } from '../../pages/page-route.ts'
import { exportBounds, exportFormat, exportLinks, exportRows, maxExportedRows } from '../../shared/export.ts'
import { readSort } from '../../shared/sort.ts'
import { kindLabels, suggestionState } from '../../shared/suggestions/words.ts'

const rowsPerPage = 50

/** Lists the suggestions of the users of a partner, with the decisions of the operator. */
export async function ownSuggestionsPage(context: ManagementContext, request: PartnerRequest): Promise<PageAnswer> {
  const { actor, query, site, path, partner, may } = request
  const current = readSort(suggestionOrders, request)
  if ('title' in current) return current
  const format = exportFormat(request)
  const { data, next } = await readShownPage(
    current,
    // Staff who look at the pages of a partner see what belongs to it, too.
    span => listSuggestions(context.places, actor, { partnerId: partner.id, ...span }),
    format ? { limit: maxExportedRows } : { limit: rowsPerPage, after: query.after },
  )
  if (format) return exportRows('suggestions', format, data.map(suggestionResource), next !== null)
  const here = linkTo(site, path)
  const order = { orders: suggestionOrders, current, path: here, filters: {} }
  const sort = sortParameter(order)
  return {
    title: 'Suggestions',
    lead: 'Changes of places that you and your colleagues have suggested.',
    scripts: ['live.js'],
    actions: [
      exportLinks(here, { sort }),
      may('own:suggest') && buttonLink(`${here}/new`, 'Suggest an edit', { kind: 'primary' }),
    ],
    content: [
      livePart('suggestions', suggestionTable(data, request, order)),
      pager(here, { sort, after: query.after }, next ?? undefined),
      exportBounds(next),
      sameElsewhere({
        cli: `periplus suggestions list --state all --partner ${partner.id}`,
        api: `GET /admin/v1/suggestions?partner_id=${partner.id}`,
      }),
    ],
  }
}

const suggestionTable = (rows: readonly Suggestion[], { site, zone }: PartnerRequest, order: TableOrder) =>
  table({
    caption: 'Suggestions',
    columns: [
      { label: 'Suggestion', kind: 'name', sort: 'kind', cell: ({ kind }) => kindLabels[kind] },
      {
        label: 'Place',
        cell: ({ locationId }) =>
          site.has.places ? link(linkTo(site, `/places/${locationId}`), String(locationId)) : String(locationId),
      },
      { label: 'State', sort: 'state', cell: ({ state }) => suggestionState(state) },
      { label: 'Suggested', sort: 'created', cell: ({ createdMs }) => time(createdMs, zone) },
      { label: 'Comment', cell: ({ comment }) => comment },
      {
        label: 'Answer',
        sort: 'decided',
        cell: ({ reason, decidedMs }) =>
          decidedMs !== undefined && html`<p>${reason}</p><span class="quiet small">${time(decidedMs, zone)}</span>`,
      },
    ],
    rows,
    empty: emptyState(
      'No suggestions yet',
      html`<p>Is something wrong on the page of a place? Suggest an edit there, and its state appears here.</p>`,
      'pencil-square',
    ),
    order,
  })
