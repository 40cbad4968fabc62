import type { Key } from '../../domain/key.ts'
import type { RefusalHour } from '../../domain/refusal-hours.ts'
import type { CallPage, LoggedCall } from '../../domain/request-log.ts'
import { formatDateTime } from '../../resources/schema.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { card } from '../../web/parts/facts.ts'
import { link } from '../../web/parts/link.ts'
import { emptyState } from '../../web/parts/notice.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { pager, toQuery } from '../../web/parts/pager.ts'
import { type SameElsewhere, sameElsewhere } from '../../web/parts/same.ts'
import { type Column, table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { PageRequest } from '../pages/page-route.ts'
import type { PageView } from '../pages/page-view.ts'
import { causeOf, faultName, httpStatusBadge, limitsLeft } from './causes.ts'
import { exportBounds, exportLinks } from './export.ts'
import { type ReadRequestFilter, toCallQuery } from './request-filter.ts'
import { requestFilterForm, requestIdForm } from './request-filter-form.ts'

/** The contents of the list of requests. */
export interface RequestsParts extends ReadRequestFilter {
  readonly page: CallPage
  readonly refusals: readonly RefusalHour[]
  /** The id that was looked for and not found. */
  readonly unknownId: string | undefined
  readonly countedToMs: number | undefined
  /** The setting requests.keepDays. */
  readonly keepDays: unknown
  /** The keys of the partner; undefined if the page is for all partners. */
  readonly keys: readonly Key[] | undefined
  readonly keyNames: ReadonlyMap<string, string>
  /** Undefined on the pages of one partner. */
  readonly partnerNames: ReadonlyMap<string, string> | undefined
  /** Public URL of the partner API. */
  readonly apiUrl: string
  /** Command that makes a first call. */
  readonly firstCall: string
}

/** Returns the list of requests. */
export function requestsView(request: PageRequest, parts: RequestsParts): PageView {
  const { filter, errors, countedToMs, page, unknownId } = parts
  const { query, path, site, zone } = request
  const address = linkTo(site, path)
  const hasError = Object.keys(errors).length > 0 || unknownId !== undefined
  const countedTo =
    countedToMs !== undefined && html`<p class="quiet small">Counted up to ${time(countedToMs, zone, 'second')}.</p>`
  return {
    ...(hasError && { status: unknownId === undefined ? 400 : 404 }),
    title: 'Requests',
    lead: `Each call of the last ${String(parts.keepDays)} days, with the reason where it was refused.`,
    actions: exportLinks(address, { ...filter }),
    scripts: query.after === undefined ? ['live.js', 'samples.js'] : ['samples.js'],
    content: [
      requestIdForm(address, unknownId, parts.keepDays),
      requestFilterForm(address, parts),
      html`<div class="dense" data-live="requests">${[callsTable(request, parts), countedTo]}</div>`,
      pager(address, { ...filter, after: query.after }, page.next),
      exportBounds(page.next),
      refusalsCard(request, parts),
      sameElsewhere(otherWays(request, parts)),
    ],
  }
}

function callsTable(request: PageRequest, parts: RequestsParts): HtmlValue {
  const { page, filter, firstCall, partnerNames } = parts
  const isFiltered = Object.keys(filter).length > 0
  return table<LoggedCall>({
    caption: 'Requests, newest first',
    columns: callColumns(request, parts),
    rows: page.rows,
    empty: isFiltered
      ? emptyState('No requests match', html`<p>Choose other filters, or a longer period.</p>`, 'search')
      : emptyState(
          partnerNames ? 'No calls yet' : 'No requests',
          [
            html`<p>They are kept for ${String(parts.keepDays)} days. A call appears here within a second:</p>`,
            codeBlock(firstCall),
          ],
          'list-ul',
        ),
  })
}

type Names = Pick<RequestsParts, 'keyNames' | 'partnerNames'>

/** Shows the end of an id; screen readers get all of it. */
const shortId = (id: string): Html =>
  html`<code><span class="unseen">${id.slice(0, -6)}</span><span aria-hidden="true">…</span>${id.slice(-6)}</code>`

/** Returns the columns of a list of calls. */
export function callColumns(
  { zone, path, site }: PageRequest,
  { keyNames, partnerNames }: Names,
): readonly Column<LoggedCall>[] {
  const keyText = (keyId: string) => keyNames.get(keyId) ?? html`<code>${keyId.slice(-8)}</code>`
  const list = linkTo(site, path.replace(/(\/requests)\/.*$/, '$1'))
  return [
    { label: 'When', brief: 'first-end', cell: ({ timeMs }) => time(timeMs, zone, 'recent') },
    {
      label: 'Request',
      kind: 'name',
      brief: 'second-end',
      cell: ({ requestId }) => html`<a href="${list}/${requestId}" title="${requestId}">${shortId(requestId)}</a>`,
    },
    { label: 'Operation', brief: 'first', cell: ({ operation }) => operation },
    partnerNames
      ? {
          label: 'Partner and key',
          brief: 'second',
          cell: ({ partnerId, keyId }) => {
            const partner = partnerNames.get(partnerId) ?? partnerId
            return html`${link(linkTo(site, `/console/partners/${partnerId}`), partner)}
<span class="datum quiet">${keyText(keyId)}</span>`
          },
        }
      : { label: 'Key', brief: 'second', cell: ({ keyId }) => keyText(keyId) },
    {
      label: 'Version',
      cell: ({ version, versionExplicit }) =>
        html`<span>${version}${!versionExplicit && html` <span class="quiet small">default</span>`}</span>`,
    },
    { label: 'Status', brief: 'first', cell: ({ status }) => httpStatusBadge(status) },
    { label: 'Cause', brief: 'second', cell: call => causeOf(call) },
    { label: 'Limits', cell: call => limitsLeft(call) },
    { label: 'Units', kind: 'number', cell: ({ units }) => formatNumber(units) },
    { label: 'ms', kind: 'number', cell: ({ durationUs }) => formatNumber(Math.round(durationUs / 100) / 10) },
  ]
}

/** Returns the calls that never reached the request log, such as those with a disabled key. */
function refusalsCard({ zone }: PageRequest, { refusals, keyNames, partnerNames }: RequestsParts): Html | false {
  if (refusals.length === 0) return false
  const rows = table<RefusalHour>({
    caption: 'Refused before metering, by hour',
    columns: [
      { label: 'Hour', cell: ({ hourMs }) => time(hourMs, zone) },
      { label: 'Cause', kind: 'name', cell: ({ code }) => faultName(code) },
      ...(partnerNames
        ? [{ label: 'Partner', cell: ({ partnerId }: RefusalHour) => partnerNames.get(partnerId) ?? partnerId }]
        : []),
      { label: 'Key', cell: ({ keyId }) => keyNames.get(keyId) ?? html`<code>${keyId.slice(-8)}</code>` },
      { label: 'Version', cell: ({ version }) => version },
      { label: 'Calls', kind: 'number', cell: ({ calls }) => formatNumber(calls) },
      { label: 'Last', cell: ({ lastMs }) => time(lastMs, zone, 'recent') },
    ],
    rows: refusals,
  })
  return card(
    'Refused before metering',
    [
      html`<p class="quiet">These calls were refused before anything was counted: the key could not be used, or the
version does not exist. They have no entry in the request log.</p>`,
      rows,
    ],
    { id: 'unmetered' },
  )
}

/** Returns the command and the calls for the same list. */
function otherWays({ visibility, zone }: PageRequest, { filter, apiUrl }: RequestsParts): SameElsewhere {
  const { from: _, to: __, partner: asked, key, ...rest } = filter
  const { fromMs, toMs } = toCallQuery(filter, zone)
  const [from, to] = [fromMs, toMs].map(ms => (ms === undefined ? undefined : formatDateTime(ms)))
  const partner = 'all' in visibility ? asked : visibility.partnerId
  const flags = Object.entries({ partner, key, ...rest, since: from }).filter(([, value]) => value !== undefined)
  return {
    cli: ['periplus requests list', ...flags.map(([name, value]) => `--${name} ${value}`)].join(' '),
    api: `GET /admin/v1/requests${toQuery({ partner_id: partner, key_id: key, ...rest, from, to })}`,
    account: `curl -H "X-API-Key: $PERIPLUS_KEY" "${apiUrl}/account/requests${toQuery({ ...rest, from, to })}"`,
  }
}
