import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Delivery, DeliveryAttempt, DeliveryState, WebhookEndpoint } from '../../../domain/webhook.ts'
import { deliveryResource } from '../../../resources/webhook.ts'
import { changeEndpoint } from '../../../usecases/admin/change-endpoint.ts'
import { findEndpoint } from '../../../usecases/admin/find-endpoint.ts'
import { listDeliveries } from '../../../usecases/admin/list-deliveries.ts'
import { redeliver } from '../../../usecases/admin/redeliver.ts'
import { removeEndpoint } from '../../../usecases/admin/remove-endpoint.ts'
import { testEndpoint } from '../../../usecases/admin/test-endpoint.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { confirm } from '../../../web/parts/confirm.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { buttonForm, form } from '../../../web/parts/form.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { notice } from '../../../web/parts/notice.ts'
import { pager } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import type { Column } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type PageAnswer, type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { attemptText, deliveryTable, isAccepted } from '../../shared/delivery-table.ts'
import { collectRows, exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { webhookPath } from './add.ts'
import { webhookState } from './list.ts'

const rowsPerPage = 25
const deliveriesPerRead = 200
const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'failed']

/** A webhook with its deliveries, and its actions. */
export const webhookPages = [
  partnerPage({
    method: 'GET',
    path: '/webhooks/:id',
    permission: 'own:read',
    handler: (context, request) => webhookView(context, request),
  }),
  partnerPage({
    method: 'POST',
    path: '/webhooks/:id/test',
    permission: 'own:write',
    isCostly: () => true,
    handler: async (context, request) => {
      const tested = await testEndpoint(context.webhooks, request.actor, { id: request.params.id! })
      return isAdminFault(tested) ? tested : webhookView(context, request, tested.attempt)
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/webhooks/:id/state',
    permission: 'own:write',
    handler: async ({ webhooks }, request) => {
      const { actor, params, form: values } = request
      const state = values.text('state') === 'paused' ? 'paused' : 'active'
      const input = { id: params.id!, expectedRevision: revisionOf(request.form), change: { state } as const }
      const changed = await changeEndpoint(webhooks, actor, input)
      if (isAdminFault(changed)) return changed
      const message = state === 'paused' ? 'The webhook is paused; events wait.' : 'The webhook is active.'
      return { redirect: webhookPath(request, params.id!), message }
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/webhooks/:id/remove',
    permission: 'own:write',
    handler: async ({ webhooks }, request) => {
      const input = { id: request.params.id!, expectedRevision: revisionOf(request.form) }
      const removed = await removeEndpoint(webhooks, request.actor, input)
      return isAdminFault(removed) ? removed : { redirect: webhookPath(request), message: 'The webhook was removed.' }
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/webhooks/:id/redeliver',
    permission: 'own:write',
    isCostly: () => true,
    handler: async ({ webhooks }, request) => {
      const { actor, params, form: values } = request
      const repeated = await redeliver(webhooks, actor, { id: values.text('delivery') })
      if (isAdminFault(repeated)) return repeated
      return { redirect: webhookPath(request, params.id!), message: 'The event is sent again, with the same id.' }
    },
  }),
]

async function webhookView(
  { webhooks }: ManagementContext,
  request: PartnerRequest,
  attempt?: DeliveryAttempt,
): Promise<PageAnswer> {
  const { actor, params, query, site } = request
  const endpoint = await findEndpoint(webhooks, actor, params.id!)
  if (isAdminFault(endpoint)) return endpoint
  const state = deliveryStates.find(one => one === query.state)
  const after = /^\d{1,15}$/.test(query.after ?? '') ? Number(query.after) : undefined
  const format = exportFormat(request)
  if (format) return exportDeliveries(webhooks, request, { endpointId: endpoint.id, state }, format)
  const page = await listDeliveries(webhooks, actor, {
    ...{ endpointId: endpoint.id, limit: rowsPerPage },
    ...(state !== undefined && { state }),
    ...(after !== undefined && { after }),
  })
  if (isAdminFault(page)) return page
  const path = linkTo(site, webhookPath(request, endpoint.id))
  return {
    title: new URL(endpoint.url).host,
    lead: html`${webhookState(endpoint)} <code>${endpoint.url}</code>`,
    trail: [{ path: webhookPath(request), label: 'Webhooks' }],
    actions: actionsOf(endpoint, path, request),
    content: [
      attempt && testNotice(attempt),
      stateNotice(endpoint, request),
      card('Details', detailFacts(endpoint, request)),
      card(
        'Deliveries',
        [
          stateFilter(path, state),
          deliveryTable(page.rows, request, repeatColumn(endpoint, path, request)),
          pager(path, { state, after: query.after }, page.next?.toString()),
        ],
        { actions: exportLinks(path, { state }) },
      ),
      sameElsewhere({
        cli: `periplus webhooks test ${endpoint.id}\nperiplus webhooks deliveries ${endpoint.id}`,
        api: `GET /admin/v1/webhooks/${endpoint.id}\nPOST /admin/v1/webhooks/${endpoint.id}/test`,
      }),
    ],
  }
}

/** Returns the deliveries to a webhook as a file. */
async function exportDeliveries(
  webhooks: ManagementContext['webhooks'],
  { actor }: PartnerRequest,
  { endpointId, state }: { readonly endpointId: string; readonly state: DeliveryState | undefined },
  format: 'csv' | 'json',
): Promise<PageAnswer> {
  const rows = await collectRows<number>(async after => {
    const page = await listDeliveries(webhooks, actor, {
      ...{ endpointId, limit: deliveriesPerRead },
      ...(state !== undefined && { state }),
      ...(after !== undefined && { after }),
    })
    return isAdminFault(page) ? page : { rows: page.rows.map(deliveryResource), next: page.next }
  })
  return isAdminFault(rows) ? rows : exportRows('deliveries', format, rows)
}

function actionsOf(endpoint: WebhookEndpoint, path: string, { may }: PartnerRequest): HtmlValue {
  if (!may('own:write')) return undefined
  const hidden = { revision: String(endpoint.revision) }
  const isActive = endpoint.state === 'active'
  return html`${buttonForm(`${path}/test`, 'Send a test', {}, 'primary')} ${buttonLink(`${path}/edit`, 'Edit')}
${buttonForm(`${path}/state`, isActive ? 'Pause' : 'Resume', {
  ...hidden,
  state: isActive ? 'paused' : 'active',
})} ${buttonForm(`${path}/rotate`, 'Rotate secret', hidden)} ${confirm({
    ...{ label: 'Remove', button: 'Remove this webhook', action: `${path}/remove`, hidden },
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

function stateNotice({ state, disabledReason, failingSinceMs }: WebhookEndpoint, { zone }: PartnerRequest): HtmlValue {
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

const detailFacts = (endpoint: WebhookEndpoint, { zone, nowMs, site, partner }: PartnerRequest): Html =>
  facts([
    ['Events', endpoint.types.map(type => html`<code>${type}</code> `)],
    [
      'Key',
      endpoint.keyId === undefined
        ? 'All keys'
        : link(linkTo(site, `/portal/${partner.id}/keys/${endpoint.keyId}`), endpoint.keyId),
    ],
    ['Added', time(endpoint.createdMs, zone)],
    [
      'Old secret',
      endpoint.previousSecretEndsMs !== undefined &&
        endpoint.previousSecretEndsMs > nowMs &&
        html`Signs as well until ${time(endpoint.previousSecretEndsMs, zone)}`,
    ],
  ])

const stateFilter = (action: string, state: DeliveryState | undefined): Html =>
  form({
    ...{ action, method: 'get', inline: true, button: 'Filter', kind: 'plain' },
    fields: [
      {
        ...{ name: 'state', label: 'State', type: 'select', value: state ?? '', required: false },
        choices: [
          { value: '', label: 'All' },
          { value: 'pending', label: 'Waiting' },
          { value: 'delivered', label: 'Delivered' },
          { value: 'failed', label: 'Failed' },
        ],
      },
    ],
  })

const repeatColumn = (
  { state }: WebhookEndpoint,
  path: string,
  { may }: PartnerRequest,
): readonly Column<Delivery>[] =>
  may('own:write') && state !== 'disabled'
    ? [
        {
          ...{ label: 'Actions', kind: 'actions' },
          cell: ({ id }) => buttonForm(`${path}/redeliver`, 'Send again', { delivery: id }),
        },
      ]
    : []
