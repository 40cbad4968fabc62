import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import { addEndpoint } from '../../../usecases/admin/add-endpoint.ts'
import { changeEndpoint } from '../../../usecases/admin/change-endpoint.ts'
import { rotateEndpointSecret } from '../../../usecases/admin/rotate-endpoint-secret.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest, PageRoute } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { ownForm } from '../own-form.ts'
import { showSecret } from './shown-secret.ts'
import { findWebhook, type WebhookArea, webhookLink } from './webhook-area.ts'
import { webhookFields } from './webhook-fields.ts'

/** The forms of a webhook, and the answers that show its secret. */
export const webhookFormPages = (area: WebhookArea): readonly PageRoute[] => [
  area.row({
    method: 'GET',
    path: '/new',
    access: 'write',
    proof: true,
    handler: (context, request) => addView(area, context, request),
  }),
  area.row({
    method: 'POST',
    path: '/new',
    access: 'write',
    proof: true,
    handler: (context, request) => add(area, context, request),
  }),
  area.row({
    method: 'GET',
    path: '/:id/edit',
    access: 'write',
    handler: async (context, request) => {
      const endpoint = await findWebhook(area, context, request)
      return isAdminFault(endpoint) ? endpoint : editView(area, request, endpoint)
    },
  }),
  area.row({
    method: 'POST',
    path: '/:id/edit',
    access: 'write',
    handler: async (context, request) => {
      const { actor, form: values } = request
      const endpoint = await findWebhook(area, context, request)
      if (isAdminFault(endpoint)) return endpoint
      const change = { url: values.text('url'), types: values.all('types') }
      const input = { id: endpoint.id, expectedRevision: revisionOf(values), change }
      const changed = await changeEndpoint(context.webhooks, actor, input)
      if (isAdminFault(changed)) return editView(area, request, endpoint, changed)
      return { redirect: `${area.folder(request)}/${endpoint.id}`, message: 'The webhook was changed.' }
    },
  }),
  area.row({
    method: 'POST',
    path: '/:id/rotate',
    access: 'write',
    proof: true,
    handler: async (context, request) => {
      const endpoint = await findWebhook(area, context, request)
      if (isAdminFault(endpoint)) return endpoint
      const input = { id: endpoint.id, expectedRevision: revisionOf(request.form) }
      const rotated = await rotateEndpointSecret(context.webhooks, request.actor, input)
      if (isAdminFault(rotated)) return rotated
      const note = 'For 24 hours, events are signed with the old secret as well.'
      return showSecret(area, request, 'The new secret', rotated, note)
    },
  }),
]

/** Adds a webhook and shows its secret; after a refusal, shows the form again. */
async function add(area: WebhookArea, context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { actor, form: values } = request
  const keyId = values.text('key_id') || undefined
  const input = { url: values.text('url'), types: values.all('types'), partnerId: area.ownerOf(request), keyId }
  const added = await addEndpoint(context.webhooks, actor, input)
  if (isAdminFault(added)) return addView(area, context, request, added)
  return showSecret(area, request, 'The new webhook', added)
}

async function addView(
  area: WebhookArea,
  context: ManagementContext,
  request: PageRequest,
  fault?: AdminFault,
): Promise<PageView> {
  const { form: values, site } = request
  const fields = webhookFields(area, undefined, await area.keysOf(context, request))
  const refused = fault && refuseForm(fields, values, fault)
  const list = area.listPath(request)
  const owner = area.ownerOf(request)
  return {
    ...(refused && { status: refused.status }),
    title: 'Add a webhook',
    trail: [{ path: list, label: 'Webhooks' }],
    content: [
      ownForm(request, area.write, {
        action: linkTo(site, `${area.folder(request)}/new`),
        button: 'Add webhook',
        error: refused?.error,
        fields: refused?.fields ?? fields,
        cancel: { href: linkTo(site, list), label: 'Cancel' },
      }),
      sameElsewhere({
        cli: `periplus webhooks add URL --type ${area.usualTypes[0]!}${owner === undefined ? '' : ` --partner ${owner}`}`,
        api: 'POST /admin/v1/webhooks',
      }),
    ],
  }
}

function editView(area: WebhookArea, request: PageRequest, endpoint: WebhookEndpoint, fault?: AdminFault): PageView {
  const fields = [...webhookFields(area, endpoint, []), revisionField(endpoint)]
  const refused = fault && refuseForm(fields, request.form, fault)
  const link = webhookLink(area, request, endpoint.id)
  return {
    ...(refused && { status: refused.status }),
    title: 'Edit the webhook',
    trail: [
      { path: area.listPath(request), label: 'Webhooks' },
      { path: `${area.folder(request)}/${endpoint.id}`, label: endpoint.url },
    ],
    content: [
      ownForm(request, area.write, {
        action: `${link}/edit`,
        button: 'Save',
        error: refused?.error,
        fields: refused?.fields ?? fields,
        cancel: { href: link, label: 'Cancel' },
      }),
      sameElsewhere({
        cli: `periplus webhooks set ${endpoint.id} --type ${endpoint.types[0] ?? area.usualTypes[0]}`,
        api: `PATCH /admin/v1/webhooks/${endpoint.id}`,
      }),
    ],
  }
}
