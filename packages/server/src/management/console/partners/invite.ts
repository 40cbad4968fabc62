import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Partner } from '../../../domain/partner.ts'
import { getPartner } from '../../../usecases/admin/get-partner.ts'
import { inviteUser } from '../../../usecases/admin/invite-user.ts'
import { type Form, form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { answerWithLink, inviteFields, partnerRoleChoices } from '../../shared/people-parts.ts'
import { trailOf } from './terms.ts'

const fields = inviteFields(partnerRoleChoices, 'admin')

const view = (
  { site }: PageRequest,
  partner: Partner,
  more: Partial<Pick<Form, 'fields' | 'error'>> = {},
): PageView => {
  const path = linkTo(site, `/console/partners/${partner.id}`)
  return {
    title: 'Invite a user',
    trail: trailOf(partner),
    lead: `The person gets a link that works once, for 24 hours, and becomes a user of ${partner.name}.`,
    content: [
      form({ fields, ...more, action: `${path}/invite`, button: 'Invite', cancel: { href: path, label: 'Cancel' } }),
      sameElsewhere({ cli: `periplus users invite ADDRESS --role admin --partner ${partner.id}` }),
    ],
  }
}

/** Shows the form of an invitation. */
export async function invitePage({ admin }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const partner = await getPartner(admin, request.actor, { id: request.params.id! })
  return isAdminFault(partner) ? partner : view(request, partner)
}

/** Invites a user: sends the link by mail, and shows it where that is not possible. */
export async function invite(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const partner = await getPartner(context.admin, actor, { id: params.id! })
  if (isAdminFault(partner)) return partner
  const invitation = { email: sent.text('email'), role: sent.text('role'), partnerId: partner.id }
  const created = await inviteUser(context.identity, actor, invitation)
  if (isAdminFault(created)) {
    const { status, ...refused } = refuseForm(fields, sent, created)
    return { ...view(request, partner, refused), status }
  }
  return answerWithLink(context, request, {
    created,
    to: created.link.email!,
    title: 'Invitation',
    next: `/console/partners/${partner.id}`,
    trail: trailOf(partner),
  })
}
