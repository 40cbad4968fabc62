import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { PackageTable } from '../../../domain/package.ts'
import type { Partner } from '../../../domain/partner.ts'
import { createKey } from '../../../usecases/admin/create-key.ts'
import { getPartner } from '../../../usecases/admin/get-partner.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type RefusedForm, refuseForm, refuseUnknownChoices } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { keyTermFields, readKeyTerms } from '../../shared/key-fields.ts'
import { showNewSecret } from '../../shared/new-secret.ts'
import { trailOf } from './terms.ts'

/** A new key begins with the terms of its partner. */
const fieldsOf = (partner: Partner, packageTable: PackageTable): Field[] => {
  const { agreement, scope, packageName } = partner
  const terms = { addOns: [], agreement, scope, ...(packageName && { packageName }) }
  return [
    {
      name: 'kind',
      label: 'Kind',
      type: 'radio',
      value: 'live',
      choices: [
        { value: 'live', label: 'Live', hint: 'Billed, with the limits of its package or agreement.' },
        { value: 'test', label: 'Test', hint: 'Never billed, 1,000 units a day, no feeds.' },
      ],
    },
    ...keyTermFields(terms, packageTable),
  ]
}

const view = (
  { site }: PageRequest,
  partner: Partner,
  { fields, error }: Pick<RefusedForm, 'fields'> & { readonly error?: string | undefined },
): PageView => {
  const path = linkTo(site, `/console/partners/${partner.id}`)
  return {
    title: 'New key',
    trail: trailOf(partner),
    lead: `For ${partner.name}. The secret is shown once, by the next page.`,
    content: [
      form({
        action: `${path}/keys/new`,
        fields,
        error,
        button: 'Create key',
        cancel: { href: path, label: 'Cancel' },
      }),
      sameElsewhere({
        cli: `periplus keys create --partner ${partner.id} --package NAME --name TEXT`,
        api: 'POST /admin/v1/keys',
      }),
    ],
  }
}

/** Shows the form of a new key. */
export async function newKeyPage({ admin }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const partner = await getPartner(admin, request.actor, { id: request.params.id! })
  return isAdminFault(partner) ? partner : view(request, partner, { fields: fieldsOf(partner, admin.packageTable) })
}

/** Creates a key and shows its secret, once. */
export async function addKey(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { admin } = context
  const { form: sent, actor, params } = request
  const partner = await getPartner(admin, actor, { id: params.id! })
  if (isAdminFault(partner)) return partner
  const fields = fieldsOf(partner, admin.packageTable)
  const unknown = refuseUnknownChoices(fields, sent)
  if (unknown) return { ...view(request, partner, unknown), status: unknown.status }
  const terms = { ...readKeyTerms(sent), partnerId: partner.id, test: sent.text('kind') === 'test' }
  const created = await createKey(admin, actor, terms)
  if (isAdminFault(created)) {
    const { status, ...refused } = refuseForm(fields, sent, created)
    return { ...view(request, partner, refused), status }
  }
  const next = `/console/partners/${partner.id}/keys/${created.key.id}`
  return showNewSecret(context, request, { ...created, title: 'The key was created', next })
}
