import { isAdminFault } from '../../../domain/admin-fault.ts'
import { changeEndpoint } from '../../../usecases/admin/change-endpoint.ts'
import { redeliver } from '../../../usecases/admin/redeliver.ts'
import { livePart } from '../../../web/parts/live.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { tabs } from '../../../web/parts/tabs.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { unknownValueView } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { exportBounds, exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { eventsPath, type ListName, listLabels, listReaders } from './event-lists.ts'

/** Shows the events, deliveries, webhooks or e-mails of all partners, as the parameter `show` says. */
export async function eventsPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { query, site } = request
  const name = (Object.keys(listLabels) as ListName[]).find(one => one === query.show) ?? 'events'
  const listed = await listReaders[name](context, request)
  if (isAdminFault(listed)) return listed
  const format = exportFormat(request)
  if (format) return exportRows(name, format, listed.rows, listed.next !== undefined)
  const here = linkTo(site, eventsPath)
  const { type, state, webhook } = query
  const filters = { show: name === 'events' ? undefined : name, type, state, webhook }
  return {
    title: 'Events',
    actions: exportLinks(here, filters),
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
      pager(here, { ...filters, after: query.after }, listed.next?.toString()),
      exportBounds(listed.next),
      sameElsewhere({
        cli: 'periplus webhooks list',
        api: name === 'deliveries' ? 'GET /admin/v1/deliveries' : 'GET /admin/v1/events',
      }),
    ],
  }
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
