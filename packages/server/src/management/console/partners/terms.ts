import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { PackageName } from '../../../domain/package.ts'
import type { Partner, PartnerChange } from '../../../domain/partner.ts'
import { changePartner } from '../../../usecases/admin/change-partner.ts'
import { getPartner } from '../../../usecases/admin/get-partner.ts'
import { html } from '../../../web/html.ts'
import { confirm } from '../../../web/parts/confirm.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonForm, type Field, form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type RefusedForm, refuseForm } from '../../pages/form-faults.ts'
import type { FormValues, PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { agreementFields, packageChoices, readAgreement, readScope, scopeFields } from '../../shared/terms-fields.ts'

const fieldsOf = ({ admin }: ManagementContext, partner: Partner): Field[] => [
  revisionField(partner),
  { name: 'name', label: 'Name', value: partner.name },
  { name: 'email', label: 'E-mail address of the contact', type: 'email', value: partner.email ?? '', required: false },
  { name: 'external_ref', label: 'Id in your systems', value: partner.externalRef ?? '', required: false },
  {
    name: 'zone',
    label: 'Time zone',
    value: partner.zone ?? '',
    required: false,
    placeholder: 'Europe/Madrid',
    hint: 'For its days, months and statements. Leave empty for UTC.',
  },
  {
    name: 'package',
    label: 'Package for keys that the partner creates',
    type: 'select',
    value: partner.packageName ?? '',
    required: false,
    choices: [{ value: '', label: 'Not set: the partner requests live keys' }, ...packageChoices(admin.packageTable)],
  },
  {
    name: 'live_keys_max',
    label: 'Live keys',
    type: 'number',
    value: String(partner.liveKeysMax),
    hint: 'Maximum number of live keys at a time.',
  },
  ...agreementFields(partner.agreement),
  ...scopeFields(partner.scope),
]

const orNull = (text: string): string | null => (text === '' ? null : text)

const readChange = (sent: FormValues): PartnerChange => ({
  name: sent.text('name'),
  email: orNull(sent.text('email')),
  externalRef: orNull(sent.text('external_ref')),
  zone: orNull(sent.text('zone')),
  packageName: orNull(sent.text('package')) as PackageName | null,
  liveKeysMax: Number(sent.text('live_keys_max') || Number.NaN),
  agreement: readAgreement(sent),
  scope: readScope(sent),
})

function view(
  { site }: PageRequest,
  { id, name, state, revision }: Partner,
  { fields, error }: Pick<RefusedForm, 'fields'> & { readonly error?: string | undefined },
): PageView {
  const path = linkTo(site, `/console/partners/${id}`)
  const hidden = { revision: String(revision) }
  const question = `All keys of ${name} are revoked, which is final. The partner can be opened again and then gets new keys.`
  return {
    title: `Terms of ${name}`,
    trail: trailOf({ id, name }),
    content: [
      card(
        'Terms',
        form({ action: `${path}/edit`, fields, error, button: 'Save terms', cancel: { href: path, label: 'Cancel' } }),
      ),
      state === 'open'
        ? card('Close the partner', [
            html`<p>A closed partner has no working key. Usage and statements remain.</p>`,
            confirm({ label: 'Close', question, button: `Close ${name}`, action: `${path}/close`, hidden }),
          ])
        : card('Open the partner again', [
            html`<p>The partner is closed. Its earlier keys stay revoked.</p>`,
            buttonForm(`${path}/open`, 'Open again', hidden),
          ]),
      sameElsewhere({
        cli: `periplus partners set ${id} --package NAME --live-keys N\nperiplus partners close ${id}`,
        api: `PATCH /admin/v1/partners/${id}`,
      }),
    ],
  }
}

/** Returns the links to the pages above a page of a partner. */
export const trailOf = ({ id, name }: Pick<Partner, 'id' | 'name'>) => [
  { path: '/console/partners', label: 'Partners' },
  { path: `/console/partners/${id}`, label: name },
]

/** Shows the form of a partner's terms. */
export async function editPartnerPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const partner = await getPartner(context.admin, request.actor, { id: request.params.id! })
  return isAdminFault(partner) ? partner : view(request, partner, { fields: fieldsOf(context, partner) })
}

/** Changes the terms of a partner. */
export async function changeTerms(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const id = params.id!
  const expectedRevision = revisionOf(sent)
  const changed = await changePartner(context.admin, actor, { id, expectedRevision, change: readChange(sent) })
  if (!isAdminFault(changed)) return { redirect: `/console/partners/${id}`, message: 'The terms were saved.' }
  const current = await getPartner(context.admin, actor, { id })
  if (isAdminFault(current)) return current
  const { status, ...refused } = refuseForm(fieldsOf(context, current), sent, changed)
  return { ...view(request, current, refused), status }
}

/** Returns the handler that closes a partner or opens it again. */
export const setPartnerState =
  (state: Partner['state']) =>
  async ({ admin }: ManagementContext, { form: sent, actor, params }: PageRequest): Promise<PageAnswer> => {
    const id = params.id!
    const expectedRevision = revisionOf(sent)
    const changed = await changePartner(admin, actor, { id, expectedRevision, change: { state } })
    if (isAdminFault(changed)) return changed
    const message =
      state === 'open' ? 'The partner is open again.' : 'The partner was closed and its keys were revoked.'
    return { redirect: `/console/partners/${id}`, message }
  }
