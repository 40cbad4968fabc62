import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { WebhookEndpoint } from '../../../domain/webhook.ts'
import { addEndpoint } from '../../../usecases/admin/add-endpoint.ts'
import { changeEndpoint } from '../../../usecases/admin/change-endpoint.ts'
import { findEndpoint } from '../../../usecases/admin/find-endpoint.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { rotateEndpointSecret } from '../../../usecases/admin/rotate-endpoint-secret.ts'
import { html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import { type PageView, type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { storedLink, storeNow } from '../../shared/new-secret.ts'
import { ownForm } from '../own-form.ts'
import { plannedKeys } from '../plan/plan.ts'
import { receiverCard } from './list.ts'
import { webhookFields } from './webhook-form.ts'

/** Returns the path of the webhooks, or of one, below the base path. */
export const webhookPath = ({ partner }: Pick<PartnerRequest, 'partner'>, id?: string): string =>
  `/portal/${partner.id}/webhooks${id === undefined ? '' : `/${id}`}`

/** The forms of a webhook, and the answers that show its secret. */
export const webhookFormPages = [
  partnerPage({
    method: 'GET',
    path: '/webhooks/new',
    permission: 'own:write',
    proof: true,
    handler: (context, request) => addView(context, request),
  }),
  partnerPage({
    method: 'POST',
    path: '/webhooks/new',
    permission: 'own:write',
    proof: true,
    handler: async (context, request) => {
      const { actor, form: values, partner } = request
      const keyId = values.text('key_id') || undefined
      const input = { url: values.text('url'), types: values.all('types'), partnerId: partner.id, keyId }
      const added = await addEndpoint(context.webhooks, actor, input)
      return isAdminFault(added) ? addView(context, request, added) : secretView(request, 'The new webhook', added)
    },
  }),
  partnerPage({
    method: 'GET',
    path: '/webhooks/:id/edit',
    permission: 'own:write',
    handler: async ({ webhooks }, request) => {
      const endpoint = await findEndpoint(webhooks, request.actor, request.params.id!)
      return isAdminFault(endpoint) ? endpoint : editView(request, endpoint)
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/webhooks/:id/edit',
    permission: 'own:write',
    handler: async ({ webhooks }, request) => {
      const { actor, params, form: values } = request
      const endpoint = await findEndpoint(webhooks, actor, params.id!)
      if (isAdminFault(endpoint)) return endpoint
      const change = { url: values.text('url'), types: values.all('types') }
      const input = { id: endpoint.id, expectedRevision: revisionOf(request.form), change }
      const changed = await changeEndpoint(webhooks, actor, input)
      if (isAdminFault(changed)) return editView(request, endpoint, changed)
      return { redirect: webhookPath(request, endpoint.id), message: 'The webhook was changed.' }
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/webhooks/:id/rotate',
    permission: 'own:write',
    proof: true,
    handler: async ({ webhooks }, request) => {
      const input = { id: request.params.id!, expectedRevision: revisionOf(request.form) }
      const rotated = await rotateEndpointSecret(webhooks, request.actor, input)
      if (isAdminFault(rotated)) return rotated
      return secretView(
        request,
        'The new secret',
        rotated,
        'For 24 hours, events are signed with the old secret as well.',
      )
    },
  }),
]

async function addView({ admin }: ManagementContext, request: PartnerRequest, fault?: AdminFault): Promise<PageView> {
  const { actor, form: values, site } = request
  const fields = webhookFields(undefined, plannedKeys(await listKeys(admin, actor)))
  const refused = fault && refuseForm(fields, values, fault)
  const path = linkTo(site, webhookPath(request))
  return {
    ...(refused && { status: refused.status }),
    title: 'Add a webhook',
    trail: [{ path: webhookPath(request), label: 'Webhooks' }],
    content: [
      ownForm(request, 'own:write', {
        ...{ action: `${path}/new`, button: 'Add webhook', error: refused?.error, fields: refused?.fields ?? fields },
        cancel: { href: path, label: 'Cancel' },
      }),
      sameElsewhere({
        cli: `periplus webhooks add URL --type key.created --partner ${request.partner.id}`,
        api: 'POST /admin/v1/webhooks',
      }),
    ],
  }
}

function editView(request: PartnerRequest, endpoint: WebhookEndpoint, fault?: AdminFault): PageView {
  const { form: values, site } = request
  const fields = [...webhookFields(endpoint, []), revisionField(endpoint)]
  const refused = fault && refuseForm(fields, values, fault)
  const path = webhookPath(request, endpoint.id)
  return {
    ...(refused && { status: refused.status }),
    title: 'Edit the webhook',
    trail: [
      { path: webhookPath(request), label: 'Webhooks' },
      { path, label: endpoint.url },
    ],
    content: [
      ownForm(request, 'own:write', {
        ...{ action: linkTo(site, `${path}/edit`), button: 'Save', error: refused?.error },
        fields: refused?.fields ?? fields,
        cancel: { href: linkTo(site, path), label: 'Cancel' },
      }),
      sameElsewhere({
        cli: `periplus webhooks set ${endpoint.id} --type key.created`,
        api: `PATCH /admin/v1/webhooks/${endpoint.id}`,
      }),
    ],
  }
}

/** Returns the page that shows the secret of a webhook, once. */
const secretView = (
  request: PartnerRequest,
  title: string,
  { endpoint, secret }: { readonly endpoint: WebhookEndpoint; readonly secret: string },
  note?: string,
): PageView => ({
  title,
  scripts: ['samples.js'],
  content: [
    storeNow('secret', 'If you lose it, rotate it to get another.'),
    codeBlock(secret, 'Secret'),
    codeBlock(`WEBHOOK_SECRET=${secret}`, 'Line for .env'),
    note !== undefined && html`<p>${note}</p>`,
    storedLink(request.site, webhookPath(request, endpoint.id)),
    receiverCard(),
  ],
})
