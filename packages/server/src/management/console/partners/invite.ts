import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Partner } from '../../../domain/partner.ts'
import { getPartner } from '../../../usecases/admin/get-partner.ts'
import { inviteUser } from '../../../usecases/admin/invite-user.ts'
import { html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { card } from '../../../web/parts/facts.ts'
import { type Field, type Form, form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext, SentLink } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest, PageView } from '../../pages/page-route.ts'
import { trailOf } from './terms.ts'

const fields: readonly Field[] = [
  { name: 'email', label: 'E-mail address', type: 'email' },
  {
    ...{ name: 'role', label: 'Role', type: 'radio', value: 'admin' },
    choices: [
      { value: 'admin', label: 'Admin', hint: 'Makes keys, moves feed pins, requests upgrades, and invites others.' },
      { value: 'member', label: 'Member', hint: 'Reads all pages and makes test keys.' },
    ],
  },
]

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
    content: html`${form({ fields, ...more, action: `${path}/invite`, button: 'Invite', cancel: { href: path, label: 'Cancel' } })}${sameElsewhere({ cli: `periplus users invite ADDRESS --role admin --partner ${partner.id}` })}`,
  }
}

/** Shows the form of an invitation. */
export async function invitePage({ admin }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const partner = await getPartner(admin, request.actor, { id: request.params.id! })
  return isAdminFault(partner) ? partner : view(request, partner)
}

/** Invites a user: sends the link by mail, and shows it where that is not possible. */
export async function invite(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params, zone } = request
  const partner = await getPartner(context.admin, actor, { id: params.id! })
  if (isAdminFault(partner)) return partner
  const invitation = { email: sent.text('email'), role: sent.text('role'), partnerId: partner.id }
  const created = await inviteUser(context.identity, actor, invitation)
  if (isAdminFault(created)) {
    const { status, ...refused } = refuseForm(fields, sent, created)
    return { ...view(request, partner, refused), status }
  }
  const email = created.link.email!
  const { url, mail } = await context.sendLink(created, email)
  const next = `/console/partners/${partner.id}`
  if (mail === 'sent') return { redirect: next, message: `The invitation was sent to ${email}.` }
  return {
    title: 'Invitation',
    trail: trailOf(partner),
    content: card(
      email,
      html`<p>${mailText[mail]} Give this link to the person. It works once, until ${time(created.link.expiresMs, zone)}, and is not shown again.</p>${codeBlock(url)}<p class="buttons"><a class="button primary" href="${linkTo(request.site, next)}">Done</a></p>`,
    ),
    scripts: ['samples.js'],
  }
}

const mailText: Readonly<Record<Exclude<SentLink['mail'], 'sent'>, string>> = {
  unset: 'No mail server is configured.',
  failed: 'The mail could not be sent.',
}
