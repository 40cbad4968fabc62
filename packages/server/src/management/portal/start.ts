import type { FastifyInstance } from 'fastify'
import type { User } from '../../domain/user.ts'
import { everything } from '../../domain/visibility.ts'
import { needsSecondFactor } from '../../identity/second-factor-policy.ts'
import { html } from '../../web/html.ts'
import { buttonLink, link } from '../../web/parts/link.ts'
import { badge, emptyState } from '../../web/parts/notice.ts'
import { linkTo } from '../../web/site.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { sessionOf } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { signOutForm } from './sign-in.ts'

/** Adds `/portal`: leads staff to the console and a user to the only partner, or lists the partners of the user. */
export function addStart(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, access, secondFactor, site } = parts
  scope.get('/', async (request, reply) => {
    const found = await sessionOf(request, identity, access)
    if (!found) {
      if (await identity.people.users.hasOwner()) return sendRedirect(reply, linkTo(site, '/portal/sign-in'))
      return sendPage(reply, site, {
        title: 'Become the owner',
        lead: 'Nobody administers this service yet.',
        content: [
          html`<p>Open the link that <code>periplus serve</code> prints when it starts. It works once, for 24
hours.</p>`,
          html`<p>To print another one, run <code>periplus users link --owner</code> on the machine.</p>`,
        ],
      })
    }
    const { user } = found
    if (needsSecondFactor(user, secondFactor)) return sendRedirect(reply, linkTo(site, '/portal/profile'))
    if (user.staffRole !== undefined) return sendRedirect(reply, linkTo(site, '/console'))
    const [only, ...others] = user.memberships
    if (only && others.length === 0) return sendRedirect(reply, linkTo(site, `/portal/${only.partnerId}`))
    return sendPage(reply, site, {
      title: 'Portal',
      lead: html`Signed in as ${user.name ?? user.email}.`,
      actions: html`${buttonLink(linkTo(site, '/portal/profile'), 'Profile')}${signOutForm(site)}`,
      content: only ? await partnerList(user, parts) : noPartner,
    })
  })
}

async function partnerList({ memberships }: User, { identity, site }: PortalParts) {
  const partners = await Promise.all(
    memberships.map(async ({ partnerId, role }) => ({
      id: partnerId,
      role,
      name: (await identity.keys.partner(partnerId, everything))?.name ?? partnerId,
    })),
  )
  return html`<ul class="choices" aria-label="Your organisations">
${partners.map(
  ({ id, name, role }) =>
    html`<li>${link(linkTo(site, `/portal/${id}`), html`<span>${name}</span>${badge('plain', role)}`)}</li>\n`,
)}</ul>
`
}

const noPartner = emptyState(
  'You are not a member of any organisation',
  html`<p>An administrator of an organisation can invite you again. Your account stays as it is.</p>`,
  'people',
)
