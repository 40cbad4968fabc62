import { isAdminFault } from '../../../domain/admin-fault.ts'
import { tokenPermissions } from '../../../identity/permissions.ts'
import { createToken } from '../../../usecases/admin/create-token.ts'
import { revokeToken } from '../../../usecases/admin/revoke-token.ts'
import { html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { card } from '../../../web/parts/facts.ts'
import { type Field, type Form, form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import type { FormValues, PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { storedLink, storeNow } from '../../shared/new-secret.ts'

const trail = [{ path: '/console/staff', label: 'Staff' }]
const fields: readonly Field[] = [
  { name: 'name', label: 'Purpose', placeholder: 'CRM synchronisation' },
  {
    name: 'permissions',
    label: 'Permissions',
    type: 'checkboxes',
    value: [],
    hint: 'A token never manages people or other tokens.',
    choices: tokenPermissions.map(value => ({ value, label: value })),
  },
  {
    name: 'partner_id',
    label: 'Partner',
    required: false,
    placeholder: 'partner_…',
    hint: 'Id of the only partner that the token sees. Leave empty for all partners.',
  },
  {
    name: 'expires_at',
    label: 'Ends on',
    type: 'date',
    required: false,
    hint: 'The token ends at the start of this day (UTC), at most a year from now. Leave empty for 90 days.',
  },
]

const view = (
  { site }: PageRequest,
  more: Partial<Pick<Form, 'fields' | 'error'>> & { readonly status?: number } = {},
): PageView => {
  const { status, ...formParts } = more
  const path = linkTo(site, '/console/staff')
  const cancel = { href: path, label: 'Cancel' }
  return {
    ...(status !== undefined && { status }),
    title: 'Create a token',
    trail,
    lead: 'A program sends the token to the admin API. Give it the permissions that it needs, and no others.',
    content: [
      form({ fields, ...formParts, action: `${path}/tokens/new`, button: 'Create token', cancel }),
      sameElsewhere({
        cli: 'periplus tokens create --name "CRM synchronisation" --permission keys:read usage:read --expires 90d',
      }),
    ],
  }
}

/** Shows the form of a new token. */
export const newTokenPage = async (_context: ManagementContext, request: PageRequest): Promise<PageAnswer> =>
  view(request)

/** Creates a token and shows its secret, once. */
export async function addToken(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, site, zone } = request
  const created = await createToken({ ...context.admin, newId: context.admin.newId }, actor, readToken(sent))
  if (isAdminFault(created)) return view(request, refuseForm(fields, sent, created))
  const { token, secret } = created
  const content = [
    storeNow('token'),
    card(
      token.name,
      html`<p>The token ends on ${time(token.expiresMs, zone, 'day')}.</p>${codeBlock(secret, 'Token')}${codeBlock(
        `curl -H 'Authorization: Bearer ${secret}' '${context.publicUrl}/admin/v1/tokens'`,
        'First call',
      )}${storedLink(site, '/console/staff')}`,
    ),
  ]
  return { redirect: '/console/staff', once: { title: 'New token', trail, scripts: ['samples.js'], content } }
}

function readToken(sent: FormValues): Parameters<typeof createToken>[2] {
  const [partnerId, end] = [sent.text('partner_id'), sent.text('expires_at')]
  return {
    name: sent.text('name'),
    permissions: sent.all('permissions'),
    ...(partnerId !== '' && { partnerId }),
    ...(end !== '' && { expiresMs: Date.parse(`${end}T00:00:00Z`) }),
  }
}

/** Revokes a token. */
export async function revoke({ admin }: ManagementContext, { form: sent, actor }: PageRequest): Promise<PageAnswer> {
  const outcome = await revokeToken(admin, actor, { id: sent.text('id') })
  return isAdminFault(outcome)
    ? outcome
    : { redirect: '/console/staff', message: `The token ${outcome.name} was revoked.` }
}
