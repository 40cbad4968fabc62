import { isAdminFault } from '../../../domain/admin-fault.ts'
import { changeEndpoint } from '../../../usecases/admin/change-endpoint.ts'
import { redeliver } from '../../../usecases/admin/redeliver.ts'
import { livePart } from '../../../web/parts/live.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { type SameElsewhere, sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { tabs } from '../../../web/parts/tabs.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { unknownValueView } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { exportBounds, exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { readSort, sortFlag } from '../../shared/sort.ts'
import { type ListName, listLabels, listReaders, ordersOf } from './event-lists.ts'
import { eventsPath } from './events-path.ts'

/** Shows the events, deliveries, webhooks or e-mails of all partners, as the parameter `show` says. */
export async function eventsPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { query, site } = request
  const name = (Object.keys(listLabels) as ListName[]).find(one => one === query.show) ?? 'events'
  const orders = ordersOf(name)
  const current = readSort(orders, request)
  if ('title' in current) return current
  const here = linkTo(site, eventsPath)
  const { type, state, webhook } = query
  const filters = { show: name === 'events' ? undefined : name, type, state, webhook }
  const order = { orders, current, path: here, filters }
  const listed = await listReaders[name](context, request, order)
  if (isAdminFault(listed)) return listed
  const format = exportFormat(request)
  if (format) return exportRows(name, format, listed.rows, listed.next !== undefined)
  const sort = sortParameter(order)
  return {
    title: 'Events',
    actions: exportLinks(here, { ...filters, sort }),
    lead: 'What happened, who was notified by webhook or e-mail, and with what result.',
    scripts: ['live.js'],
    content: [
      tabs(
        'Lists',
        Object.entries(listLabels).map(([id, label]) => ({
          label,
          isCurrent: id === name,
          href: `${here}${toQuery({ show: id === 'events' ? undefined : id })}`,
        })),
      ),
      livePart('events', listed.content()),
      pager(here, { ...filters, sort, after: query.after }, listed.next?.toString()),
      exportBounds(listed.next),
      sameElsewhere(otherWays(name, order)),
    ],
  }
}

/** Returns the command and the call for the same list; mails have none. */
function otherWays(name: ListName, order: TableOrder): SameElsewhere {
  const [flag, sort] = [sortFlag(order), sortParameter(order)]
  const { type, state, webhook } = order.filters
  if (name === 'webhooks') return { cli: 'periplus webhooks list', api: 'GET /admin/v1/webhooks' }
  if (name === 'deliveries') {
    const words = ['periplus webhooks deliveries', webhook, state && `--state ${state}`].filter(Boolean).join(' ')
    return { cli: words + flag, api: `GET /admin/v1/deliveries${toQuery({ webhook_id: webhook, state, sort })}` }
  }
  const words = ['periplus webhooks events', type && `--type ${type}`].filter(Boolean).join(' ')
  return { cli: words + flag, api: `GET /admin/v1/events${toQuery({ type, sort })}` }
}

/** Sends the event of a delivery again. */
export async function redeliverEvent(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const delivery = await redeliver(context.webhooks, request.actor, { id: request.form.text('delivery') })
  if (isAdminFault(delivery)) return delivery
  return { redirect: `${eventsPath}?show=deliveries`, message: 'The event will be sent again.' }
}

/** Pauses a webhook or activates it. */
export async function setWebhookState(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor } = request
  const state = (['active', 'paused'] as const).find(name => name === sent.text('state'))
  if (!state) return unknownValueView('state', ['active', 'paused'])
  const update = {
    id: sent.text('webhook'),
    expectedRevision: revisionOf(sent),
    change: { state } as const,
  }
  const changed = await changeEndpoint(context.webhooks, actor, update)
  if (isAdminFault(changed)) return changed
  const message = state === 'active' ? 'The webhook is active.' : 'The webhook is paused; its events wait.'
  return { redirect: `${eventsPath}?show=webhooks`, message }
}
