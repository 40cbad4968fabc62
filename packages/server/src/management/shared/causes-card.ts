import { type FaultCode, faults } from '../../domain/fault.ts'
import type { CauseCount, CauseCounts } from '../../usecases/admin/count-causes.ts'
import { type Html, html } from '../../web/html.ts'
import { card } from '../../web/parts/facts.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { toQuery } from '../../web/parts/pager.ts'
import { table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import { causeOf, faultName, httpStatusBadge } from './causes.ts'

/** The list of requests to which each cause leads, and the words around the table. */
export interface CausesParts {
  readonly title: string
  readonly caption: string
  /** Address of the list of requests. */
  readonly requests: string
  /** Filters of that list, for the period of the causes. */
  readonly period?: Readonly<Record<string, string>>
  readonly zone: string
  readonly empty: string
}

/** Returns the refused and failed calls by status and cause, each with a link to its calls. */
export function causesCard(
  { causes, sinceMs }: CauseCounts,
  { title, caption, requests, period = {}, zone, empty }: CausesParts,
): Html {
  const statusOf = ({ fault, status }: CauseCount) => status ?? faults[fault as FaultCode]?.status ?? 0
  const label = (cause: CauseCount) =>
    causeOf({ status: statusOf(cause), fields: [], ...cause }) ?? faultName(cause.fault ?? '')
  const target = ({ fault, status, isUnmetered }: CauseCount) =>
    isUnmetered
      ? `${requests}#unmetered`
      : requests + toQuery({ ...(fault === undefined ? { status: String(status) } : { fault }), ...period })
  const rows = table<CauseCount>({
    caption,
    columns: [
      { label: 'Cause', kind: 'name', cell: cause => html`<a href="${target(cause)}">${label(cause)}</a>` },
      { label: 'Status', cell: cause => httpStatusBadge(statusOf(cause)) },
      { label: 'Calls', kind: 'number', cell: ({ calls }) => formatNumber(calls) },
      { label: 'Last', cell: ({ lastMs }) => time(lastMs, zone) },
    ],
    rows: causes,
    empty: html`<p class="quiet">${empty}</p>`,
  })
  const since =
    sinceMs !== undefined &&
    html`<p class="quiet small">Counted since ${time(sinceMs, zone)}: the newest 500 calls.</p>`
  return card(title, [rows, since], {
    actions: html`<a href="${requests}${toQuery({ status: '4xx', ...period })}">All refused requests</a>`,
  })
}
