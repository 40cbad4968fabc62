import { isAdminFault } from '../../../domain/admin-fault.ts'
import { createPartner } from '../../../usecases/admin/create-partner.ts'
import type { Html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { type Field, type Form, form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'

const fields: readonly Field[] = [
  { name: 'name', label: 'Name', hint: 'The name that the partner uses. It appears on statements.' },
  { name: 'email', label: 'E-mail address of the contact', type: 'email', required: false },
  { name: 'external_ref', label: 'Id in your systems', hint: 'For billing and search.', required: false },
]

/** Returns the form that creates a partner, as a part of a page. */
export const newPartnerForm = (
  { site }: PageRequest,
  { title, ...more }: { readonly title: string } & Partial<Pick<Form, 'fields' | 'error' | 'cancel'>>,
): Html =>
  card(title, form({ fields, ...more, action: linkTo(site, '/console/partners/new'), button: 'Create partner' }))

const page = (request: PageRequest, more: Partial<Pick<Form, 'fields' | 'error'>> = {}): PageView => ({
  title: 'New partner',
  trail: [{ path: '/console/partners', label: 'Partners' }],
  content: [
    newPartnerForm(request, {
      title: 'Partner',
      cancel: { href: linkTo(request.site, '/console/partners'), label: 'Cancel' },
      ...more,
    }),
    sameElsewhere({ cli: "periplus partners create 'NAME' --email ADDRESS", api: 'POST /admin/v1/partners' }),
  ],
})

/** Shows the form of a new partner. */
export const newPartnerPage = async (_context: ManagementContext, request: PageRequest): Promise<PageAnswer> =>
  page(request)

/** Creates a partner. */
export async function addPartner({ admin }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor } = request
  const [name, email, externalRef] = [sent.text('name'), sent.text('email'), sent.text('external_ref')]
  const created = await createPartner(admin, actor, {
    name,
    ...(email !== '' && { email }),
    ...(externalRef !== '' && { externalRef }),
  })
  if (isAdminFault(created)) {
    const { status, ...refused } = refuseForm(fields, sent, created)
    return { ...page(request, refused), status }
  }
  return { redirect: `/console/partners/${created.id}`, message: `${created.name} was created.` }
}
