import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { eventTypes } from '../../../domain/event.ts'
import type { EventPage } from '../../../domain/event-store.ts'
import { type ListOrders, pageOrders, timeOrders } from '../../../domain/list-order.ts'
import type { QueuedMail } from '../../../domain/queued-mail.ts'
import type { Delivery, DeliveryState, OutboxEvent } from '../../../domain/webhook.ts'
import { deliveryResource, eventResource } from '../../../resources/webhook.ts'
import { listDeliveries } from '../../../usecases/admin/list-deliveries.ts'
import { listEndpoints } from '../../../usecases/admin/list-endpoints.ts'
import { listEvents } from '../../../usecases/admin/list-events.ts'
import { listMails } from '../../../usecases/admin/list-mails.ts'
import { listUsers } from '../../../usecases/admin/list-users.ts'
import { type Html, html } from '../../../web/html.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { badge, emptyState, type Tone } from '../../../web/parts/notice.ts'
import type { TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { deliveryFilter, deliveryTable, toDeliveryState } from '../../shared/delivery-table.ts'
import { eventTexts } from '../../shared/event-texts.ts'
import { exportFormat, maxExportedRows } from '../../shared/export.ts'
import { readNames } from '../../shared/names.ts'
import { listForm } from '../../shared/sort.ts'
import { actorName } from '../../shared/timeline.ts'
import { type Listed, readWebhooks, webhookOrders } from './event-webhooks.ts'
import { eventsPath } from './events-path.ts'

const rowsPerPage = 50

/** Labels of the lists of the page. */
export const listLabels = {
  events: 'Events',
  deliveries: 'Deliveries',
  webhooks: 'Webhooks',
  mails: 'E-mails',
} as const

export type ListName = keyof typeof listLabels

/** Returns the orders of a list of the page. */
export const ordersOf = (name: ListName): ListOrders =>
  name === 'webhooks' ? pageOrders({ by: 'owner', isDescending: false }, webhookOrders) : timeOrders

const cursorOf = (request: PageRequest, { current }: TableOrder) => {
  const { after } = request.query
  return {
    order: { by: 'time' as const, isDescending: current.isDescending },
    limit: exportFormat(request) ? maxExportedRows : rowsPerPage,
    ...(after !== undefined && /^[1-9]\d{0,14}$/.test(after) && { after: Number(after) }),
  }
}

/** Reads each list of the page. */
export const listReaders: Readonly<
  Record<
    ListName,
    (context: ManagementContext, request: PageRequest, order: TableOrder) => Promise<Listed | AdminFault>
  >
> = { events: readEvents, deliveries: readDeliveries, webhooks: readWebhooks, mails: readMails }

async function readEvents(
  context: ManagementContext,
  request: PageRequest,
  order: TableOrder,
): Promise<Listed | AdminFault> {
  const { query, actor, zone } = request
  const type = eventTypes.find(one => one === query.type)
  const page = await listEvents(context.webhooks, actor, {
    ...cursorOf(request, order),
    ...(type && { types: [type] }),
  })
  if (isAdminFault(page)) return page
  const names = await readNames(context, request, 'partner', partnersOf(page))
  const filter = listForm(order, 'Filter', [
    {
      name: 'type',
      label: 'Type',
      type: 'select',
      value: type ?? '',
      required: false,
      choices: [{ value: '', label: 'All' }, ...eventTypes.map(value => ({ value, label: value }))],
    },
  ])
  const rows = () =>
    table<OutboxEvent>({
      caption: 'Events',
      order,
      columns: [
        { label: 'When', sort: 'time', cell: ({ atMs }) => time(atMs, zone, 'second') },
        {
          label: 'Event',
          kind: 'name',
          cell: one =>
            html`<code class="whole">${one.type}</code><br><span class="quiet small">${eventTexts[one.type]}</span>`,
        },
        { label: 'Partner', cell: ({ partnerId }) => partnerId && (names.get(partnerId) ?? partnerId) },
        { label: 'Data', cell: dataText },
      ],
      rows: page.rows,
      empty: emptyState('No events', typeList, 'broadcast'),
    })
  return { rows: page.rows.map(eventResource), content: () => html`${filter}${rows()}`, next: page.next }
}

const dataText = ({ data }: OutboxEvent): Html =>
  html`${Object.entries(data).map(
    ([name, value]) => html`<span class="datum">${name}:
${typeof value === 'string' ? value : JSON.stringify(value)}</span> `,
  )}`

const partnersOf = ({ rows }: EventPage<OutboxEvent>): string[] => rows.flatMap(({ partnerId }) => partnerId ?? [])

const typeList = html`<p>Events of the last 30 days are listed here. These types exist:</p>
<ul>${eventTypes.map(type => html`<li><code>${type}</code> ${eventTexts[type]}</li>\n`)}</ul>
`

async function readDeliveries(
  context: ManagementContext,
  request: PageRequest,
  order: TableOrder,
): Promise<Listed | AdminFault> {
  const { query, actor, site, may } = request
  const state = toDeliveryState(query.state)
  const page = await listDeliveries(context.webhooks, actor, {
    ...cursorOf(request, order),
    ...(state && { state }),
    ...(query.webhook !== undefined && { endpointId: query.webhook }),
  })
  if (isAdminFault(page)) return page
  const endpoints = await listEndpoints(context.webhooks, actor)
  if (isAdminFault(endpoints)) return endpoints
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
  const again = ({ id, state: now }: Delivery) =>
    may('webhooks:write') &&
    now !== 'pending' &&
    buttonForm(linkTo(site, `${eventsPath}/redeliver`), 'Redeliver', { delivery: id })
  const filter = deliveryFilter(order, state, { show: 'deliveries' })
  const rows = () =>
    deliveryTable(page.rows, request, order, [
      { label: 'To', cell: ({ endpointId }) => urls.get(endpointId) },
      { label: 'Action', kind: 'actions', cell: again },
    ])
  return { rows: page.rows.map(deliveryResource), content: () => html`${filter}${rows()}`, next: page.next }
}

async function readMails(context: ManagementContext, request: PageRequest, order: TableOrder): Promise<Listed> {
  const { actor, zone, nowMs } = request
  const page = await listMails(context.webhooks, actor, cursorOf(request, order))
  const users = await listUsers(context.identity, actor, {})
  const why = context.hasMail
    ? 'No e-mail about an event has been sent yet.'
    : 'No mail server is configured (mail.host).'
  const content = () =>
    table<QueuedMail>({
      caption: 'E-mails about events',
      order,
      columns: [
        { label: 'When', sort: 'time', cell: ({ event }) => time(event.atMs, zone) },
        { label: 'Event', kind: 'name', cell: ({ event }) => html`<code>${event.type}</code>` },
        { label: 'To', cell: ({ userId }) => actorName(userId, users) },
        { label: 'State', cell: ({ state }) => badge(...mailStates[state]) },
        { label: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
        { label: 'Next attempt', cell: ({ nextMs }) => nextMs !== undefined && timeDistance(nextMs, nowMs) },
      ],
      rows: page.rows,
      empty: emptyState('No e-mails', html`<p>${why}</p>`, 'envelope'),
    })
  const rows = page.rows.map(({ userId, event, state, attempts }) => ({
    user_id: userId,
    event_id: event.id,
    type: event.type,
    state,
    attempts,
  }))
  return { rows, content, next: page.next }
}

const mailStates: Readonly<Record<DeliveryState, readonly [Tone, string]>> = {
  pending: ['info', 'Waiting'],
  delivered: ['good', 'Sent'],
  failed: ['bad', 'Failed'],
}
