import { isAdminFault } from '../../../domain/admin-fault.ts'
import { timeOrders } from '../../../domain/list-order.ts'
import type { Delivery, DeliveryAttempt, WebhookEndpoint } from '../../../domain/webhook.ts'
import { isAccepted } from '../../../events/retry.ts'
import { changeEndpoint } from '../../../usecases/admin/change-endpoint.ts'
import { listDeliveries } from '../../../usecases/admin/list-deliveries.ts'
import { redeliver } from '../../../usecases/admin/redeliver.ts'
import { removeEndpoint } from '../../../usecases/admin/remove-endpoint.ts'
import { testEndpoint } from '../../../usecases/admin/test-endpoint.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { confirm } from '../../../web/parts/confirm.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { notice } from '../../../web/parts/notice.ts'
import { pager } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter } from '../../../web/parts/sort-head.ts'
import type { Column } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { unknownValueView } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest, PageRoute } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { attemptText, deliveryFilter, deliveryTable, toDeliveryState } from '../delivery-table.ts'
import { exportBounds, exportFormat, exportLinks } from '../export.ts'
import { readSort, sortFlag } from '../sort.ts'
import { exportDeliveries } from './delivery-export.ts'
import { findWebhook, type WebhookArea, webhookLink } from './webhook-area.ts'
import { webhookState } from './webhook-state.ts'

const rowsPerPage = 25

/** A webhook with its deliveries, and its actions. */
export const webhookPages = (area: WebhookArea): readonly PageRoute[] => [
  area.row({
    method: 'GET',
    path: '/:id',
    access: 'read',
    handler: (context, request) => webhookView(area, context, request),
  }),
  area.row({
    method: 'POST',
    path: '/:id/test',
    access: 'write',
    isCostly: () => true,
    handler: async (context, request) => {
      const endpoint = await findWebhook(area, context, request)
      if (isAdminFault(endpoint)) return endpoint
      const tested = await testEndpoint(context.webhooks, request.actor, endpoint)
      if (isAdminFault(tested)) return tested
      const once = await webhookView(area, context, request, tested.attempt)
      const redirect = `${area.folder(request)}/${endpoint.id}`
      return 'content' in once ? { redirect, once } : once
    },
  }),
  area.row({
    method: 'POST',
    path: '/:id/state',
    access: 'write',
    handler: (context, request) => changeState(area, context, request),
  }),
  area.row({
    method: 'POST',
    path: '/:id/remove',
    access: 'write',
    handler: async (context, request) => {
      const endpoint = await findWebhook(area, context, request)
      if (isAdminFault(endpoint)) return endpoint
      const input = { id: endpoint.id, expectedRevision: revisionOf(request.form) }
      const removed = await removeEndpoint(context.webhooks, request.actor, input)
      return isAdminFault(removed) ? removed : { redirect: area.listPath(request), message: 'The webhook was removed.' }
    },
  }),
  area.row({
    method: 'POST',
    path: '/:id/redeliver',
    access: 'write',
    isCostly: () => true,
    handler: async ({ webhooks }, request) => {
      const { actor, params, form: values } = request
      const repeated = await redeliver(webhooks, actor, { id: values.text('delivery') })
      if (isAdminFault(repeated)) return repeated
      const message = 'The event is sent again, with the same id.'
      return { redirect: `${area.folder(request)}/${params.id!}`, message }
    },
  }),
]

/** Pauses a webhook or activates it again. */
async function changeState(area: WebhookArea, context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const endpoint = await findWebhook(area, context, request)
  if (isAdminFault(endpoint)) return endpoint
  const { actor, form: values } = request
  const state = (['active', 'paused'] as const).find(name => name === values.text('state'))
  if (!state) return unknownValueView('state', ['active', 'paused'])
  const input = { id: endpoint.id, expectedRevision: revisionOf(values), change: { state } as const }
  const changed = await changeEndpoint(context.webhooks, actor, input)
  if (isAdminFault(changed)) return changed
  const message = state === 'paused' ? 'The webhook is paused; events wait.' : 'The webhook is active.'
  return { redirect: `${area.folder(request)}/${endpoint.id}`, message }
}

async function webhookView(
  area: WebhookArea,
  context: ManagementContext,
  request: PageRequest,
  attempt?: DeliveryAttempt,
): Promise<PageAnswer> {
  const { webhooks } = context
  const { actor, query } = request
  const endpoint = await findWebhook(area, context, request)
  if (isAdminFault(endpoint)) return endpoint
  const state = toDeliveryState(query.state)
  const after = /^\d{1,15}$/.test(query.after ?? '') ? Number(query.after) : undefined
  const current = readSort(timeOrders, request)
  if ('title' in current) return current
  const format = exportFormat(request)
  const selected = { endpointId: endpoint.id, order: current, ...(state !== undefined && { state }) }
  if (format) return exportDeliveries(webhooks, request, selected, format)
  const page = await listDeliveries(webhooks, actor, {
    ...selected,
    limit: rowsPerPage,
    ...(after !== undefined && { after }),
  })
  if (isAdminFault(page)) return page
  const path = webhookLink(area, request, endpoint.id)
  const order = { orders: timeOrders, current, path, filters: { state } }
  const filters = { state, sort: sortParameter(order) }
  return {
    title: new URL(endpoint.url).host,
    lead: html`${webhookState(endpoint)} <code>${endpoint.url}</code>`,
    trail: [{ path: area.listPath(request), label: 'Webhooks' }],
    actions: actionsOf(endpoint, path, request.may(area.write)),
    content: [
      attempt && testNotice(attempt),
      stateNotice(endpoint, request),
      card('Details', detailFacts(endpoint, request)),
      card(
        'Deliveries',
        [
          deliveryFilter(order, state),
          deliveryTable(page.rows, request, order, repeatColumn(endpoint, path, request.may(area.write))),
          pager(path, { ...filters, after: query.after }, page.next?.toString()),
          exportBounds(page.next),
        ],
        { actions: exportLinks(path, filters) },
      ),
      sameElsewhere({
        cli: `periplus webhooks test ${endpoint.id}\nperiplus webhooks deliveries ${endpoint.id}${sortFlag(order)}`,
        api: `GET /admin/v1/webhooks/${endpoint.id}\nPOST /admin/v1/webhooks/${endpoint.id}/test`,
      }),
    ],
  }
}

function actionsOf(endpoint: WebhookEndpoint, path: string, mayWrite: boolean): HtmlValue {
  if (!mayWrite) return undefined
  const hidden = { revision: String(endpoint.revision) }
  const isActive = endpoint.state === 'active'
  return html`${buttonForm(`${path}/test`, 'Send a test', {}, 'primary')} ${buttonLink(`${path}/edit`, 'Edit')}
${buttonForm(`${path}/state`, isActive ? 'Pause' : 'Resume', {
  ...hidden,
  state: isActive ? 'paused' : 'active',
})} ${buttonForm(`${path}/rotate`, 'Rotate secret', hidden)} ${confirm({
    label: 'Remove',
    button: 'Remove this webhook',
    action: `${path}/remove`,
    hidden,
    question: 'Its deliveries are removed as well, and waiting events are not sent.',
  })}`
}

const testNotice = (attempt: DeliveryAttempt): Html =>
  isAccepted(attempt)
    ? notice('good', html`<p>The receiver accepted the test: ${attemptText(attempt)}.</p>`, 'status')
    : notice(
        'bad',
        [
          html`<p>The receiver did not accept the test: ${attemptText(attempt)}.</p>`,
          attempt.body !== undefined &&
            attempt.body !== '' &&
            html`<pre tabindex="0"><code>${attempt.body}</code></pre>`,
        ],
        'alert',
      )

function stateNotice({ state, disabledReason, failingSinceMs }: WebhookEndpoint, { zone }: PageRequest): HtmlValue {
  if (state === 'disabled')
    return notice(
      'bad',
      html`<p>${disabledReason === 'gone' ? 'The receiver answered 410' : 'All deliveries failed for five days'}, so the
webhook was disabled. Resume it when the receiver works again.</p>`,
    )
  return (
    failingSinceMs !== undefined &&
    notice(
      'warn',
      html`<p>Deliveries have been failing since ${time(failingSinceMs, zone)}. After five days the webhook is
disabled.</p>`,
    )
  )
}

const detailFacts = (endpoint: WebhookEndpoint, { zone, nowMs, site }: PageRequest): Html =>
  facts([
    ['Events', endpoint.types.map(type => html`<code>${type}</code> `)],
    [
      'Key',
      endpoint.keyId === undefined
        ? 'All keys'
        : link(linkTo(site, `/portal/${endpoint.partnerId}/keys/${endpoint.keyId}`), endpoint.keyId),
    ],
    ['Added', time(endpoint.createdMs, zone)],
    [
      'Old secret',
      endpoint.previousSecretEndsMs !== undefined &&
        endpoint.previousSecretEndsMs > nowMs &&
        html`Signs as well until ${time(endpoint.previousSecretEndsMs, zone)}`,
    ],
  ])

const repeatColumn = ({ state }: WebhookEndpoint, path: string, mayWrite: boolean): readonly Column<Delivery>[] =>
  mayWrite && state !== 'disabled'
    ? [
        {
          label: 'Actions',
          kind: 'actions',
          cell: ({ id }) => buttonForm(`${path}/redeliver`, 'Send again', { delivery: id }),
        },
      ]
    : []
