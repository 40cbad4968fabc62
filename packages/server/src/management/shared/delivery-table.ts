import type { Delivery, DeliveryAttempt, DeliveryError, DeliveryState } from '../../domain/webhook.ts'
import { formatEventBody } from '../../events/body.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { badge, type Tone } from '../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../web/parts/number.ts'
import type { TableOrder } from '../../web/parts/sort-head.ts'
import { type Column, table } from '../../web/parts/table.ts'
import { time, timeDistance } from '../../web/parts/time.ts'
import type { PageRequest } from '../pages/page-route.ts'
import { listForm } from './sort.ts'

const states: Readonly<Record<DeliveryState, readonly [Tone, string]>> = {
  pending: ['info', 'Waiting'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
}

const errorTexts: Readonly<Record<DeliveryError, string>> = {
  timeout: 'No response in time',
  address_refused: 'The address is private, so nothing was sent',
  name_unknown: 'The host name is unknown',
  connection_failed: 'No connection',
  tls_failed: 'The certificate is not valid',
  secret_unreadable: 'The secret cannot be read; rotate it',
}

/** Returns the outcome of an attempt: "204 after 35 ms". */
export const attemptText = ({ status, error, durationMs }: DeliveryAttempt): string => {
  const outcome = status !== undefined ? String(status) : error === undefined ? 'No response' : errorTexts[error]
  return `${outcome} after ${formatNumber(durationMs)} ms`
}

const stateNames = Object.keys(states) as DeliveryState[]

/** Returns the state that a query names; undefined for all states. */
export const toDeliveryState = (text: string | undefined): DeliveryState | undefined =>
  stateNames.find(state => state === text)

/** Returns the form that filters deliveries by state; `hidden` are fields that it sends as they are. */
export const deliveryFilter = (
  order: TableOrder,
  state: DeliveryState | undefined,
  hidden: Readonly<Record<string, string>> = {},
): Html =>
  listForm(order, 'Filter', [
    ...Object.entries(hidden).map(([name, value]) => ({ name, label: name, type: 'hidden' as const, value })),
    {
      name: 'state',
      label: 'State',
      type: 'select',
      value: state ?? '',
      required: false,
      choices: [{ value: '', label: 'All' }, ...stateNames.map(value => ({ value, label: states[value][1] }))],
    },
  ])

/** Returns deliveries with their attempts and bodies; `more` are columns at the end. */
export const deliveryTable = (
  deliveries: readonly Delivery[],
  { zone, nowMs }: Pick<PageRequest, 'zone' | 'nowMs'>,
  order: TableOrder,
  more: readonly Column<Delivery>[] = [],
): HtmlValue =>
  table<Delivery>({
    caption: 'Deliveries',
    order,
    columns: [
      { label: 'Event', kind: 'name', cell: ({ event }) => html`<code>${event.type}</code>` },
      { label: 'When', sort: 'time', cell: ({ event }) => time(event.atMs, zone, 'second') },
      {
        label: 'State',
        cell: ({ state, nextMs }) => [
          badge(...states[state]),
          state === 'pending' &&
            nextMs !== undefined &&
            html` <span class="quiet small">next attempt ${timeDistance(nextMs, nowMs)}</span>`,
        ],
      },
      { label: 'Attempts', cell: delivery => attempts(delivery, zone) },
      ...more,
    ],
    rows: deliveries,
    empty: html`<p class="quiet">Nothing was sent in the last 14 days.</p>`,
  })

const attempts = ({ event, attempts: list }: Delivery, zone: string): Html => {
  const last = list.at(-1)
  const hasResponse = last?.body !== undefined && last.body !== ''
  const result = last ? attemptText(last) : 'Not sent yet'
  return html`<details><summary>${result}${list.length > 1 && `, ${formatCount(list.length, 'attempt')}`}</summary>
<ol class="attempts">${list.map(one => html`<li>${time(one.atMs, zone, 'second')}: ${attemptText(one)}</li>`)}</ol>
<p>Body:</p><pre tabindex="0"><code>${JSON.stringify(JSON.parse(formatEventBody(event)), null, 2)}</code></pre>
${hasResponse && html`<p>Response:</p><pre tabindex="0"><code>${last.body}</code></pre>`}</details>`
}
