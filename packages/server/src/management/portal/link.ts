import type { FastifyInstance, FastifyReply } from 'fastify'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Link } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import { everything } from '../../domain/visibility.ts'
import { acceptLink, findLink, isFirstMail, requiredUser } from '../../usecases/admin/accept-link.ts'
import { html } from '../../web/html.ts'
import { form } from '../../web/parts/form.ts'
import { buttonLink, buttonRow } from '../../web/parts/link.ts'
import { notice } from '../../web/parts/notice.ts'
import { linkTo } from '../../web/site.ts'
import { browserOf, sessionOf } from '../session.ts'
import { linkFields, linkTexts } from './link-texts.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { sendSignedIn, textOf } from './sign-in.ts'
import { refusalOf } from './texts.ts'

/**
 * Adds `/portal/link/{token}`. GET shows a form and leaves the link unspent, because mail scanners open links; POST
 * spends it.
 */
export function addLinkPages(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, access, addressOf } = parts
  scope.get<{ Params: { token: string } }>('/link/:token', async (request, reply) => {
    const { token } = request.params
    const link = await findLink(identity, { token })
    if (isAdminFault(link)) return sendRefusal(reply, parts, link)
    const signedInId = (await sessionOf(request, identity, access))?.user.id
    const required = await requiredUser(identity, link)
    if (required !== undefined && required !== signedInId) return sendOther(reply, parts, link)
    return sendLinkForm(reply, { token, link, parts, isForSignedInUser: required !== undefined })
  })
  scope.post<{ Params: { token: string } }>('/link/:token', async (request, reply) => {
    const { token } = request.params
    const [email, name, password] = ['email', 'name', 'password'].map(field => textOf(request.body, field) || undefined)
    const browser = browserOf(request, addressOf(request))
    const signedIn = (await sessionOf(request, identity, access))?.user
    const signedInId = signedIn?.id
    const outcome = await acceptLink(identity, browser, { token, email, name, password, signedInId })
    if (!isAdminFault(outcome)) {
      if ('user' in outcome) reportAddressChange(parts, request.id, signedIn, outcome.user)
      return sendSignedIn(reply, outcome, parts, nextOf(outcome, password))
    }
    const link = await findLink(identity, { token })
    if (isAdminFault(link)) return sendRefusal(reply, parts, link)
    const required = await requiredUser(identity, link)
    if (required !== undefined && required !== signedInId) return sendOther(reply, parts, link)
    return sendLinkForm(reply, {
      token,
      link,
      parts,
      isForSignedInUser: required !== undefined,
      fault: outcome,
      email,
      name,
    })
  })
}

/** Writes to the earlier address of a user whose address a link has changed, in the background. */
function reportAddressChange(parts: PortalParts, requestId: string, before: User | undefined, after: User): void {
  if (before?.id !== after.id || before.email === after.email) return
  const warn = (err?: unknown) =>
    parts.log.warn({ id: requestId, ...(err !== undefined && { err }) }, 'The mail to an earlier address failed.')
  parts.sendAddressChange({ from: before.email, to: after.email }).then(mail => mail === 'failed' && warn(), warn)
}

/** Returns the page that follows a link: the profile for a user who has no other way to sign in. */
function nextOf(outcome: Exclude<Awaited<ReturnType<typeof acceptLink>>, AdminFault>, password: string | undefined) {
  if ('ticket' in outcome || password !== undefined) return '/portal'
  const { factors, email } = outcome.user
  const canReturn = factors.password || factors.passkeys > 0 || factors.oidc || email.endsWith('@demo.invalid')
  return canReturn ? '/portal' : '/portal/profile'
}

const sendOther = (reply: FastifyReply, { site }: PortalParts, { purpose }: Link): FastifyReply =>
  sendPage(reply, site, {
    status: 403,
    title: 'Sign in first',
    content: [
      html`<p>${
        purpose === 'email'
          ? 'A new e-mail address is confirmed in a browser in which its user is signed in.'
          : 'The address of this invitation has an account, and only its user can accept it.'
      } Sign in, then open the link again.</p>`,
      html`<p>${buttonLink(linkTo(site, '/portal/sign-in?to=/portal/profile'), 'Sign in', { kind: 'primary' })}</p>`,
    ],
  })

function sendRefusal(reply: FastifyReply, { site }: PortalParts, fault: AdminFault): FastifyReply {
  const { status, text } = refusalOf(fault)
  return sendPage(reply, site, {
    status,
    title: 'This link is no longer valid',
    content: [
      notice('bad', html`<p>${text}</p>`, 'alert'),
      buttonRow([
        buttonLink(linkTo(site, '/portal/sign-in'), 'Sign in', { kind: 'primary' }),
        buttonLink(linkTo(site, '/portal/forgotten'), 'Get another link'),
      ]),
      html`<p class="after">The person who sent an invitation can send another one.</p>`,
    ],
  })
}

interface LinkForm {
  readonly token: string
  readonly link: Link
  readonly parts: PortalParts
  /** True if the link is for a user who exists and is signed in. */
  readonly isForSignedInUser: boolean
  readonly fault?: AdminFault
  readonly email?: string | undefined
  readonly name?: string | undefined
}

async function sendLinkForm(reply: FastifyReply, shown: LinkForm): Promise<FastifyReply> {
  const { token, link, parts, isForSignedInUser, fault, email, name } = shown
  const { site, identity, oidc } = parts
  const refusal = fault && refusalOf(fault)
  const wrong = fault?.fields.find(field => ['name', 'email', 'password'].includes(field))
  const partner = link.partnerId === undefined ? undefined : await identity.keys.partner(link.partnerId, everything)
  const { title, lead, button } = linkTexts(link, site.name, partner?.name)
  return sendPage(reply, site, {
    ...(refusal && { status: refusal.status }),
    title,
    lead,
    content: [
      (await isFirstMail(identity, link)) &&
        html`<p>This confirms your address for the first time. Someone else may have opened the account before, so the
password, passkeys, authenticator app and recovery codes that it has are removed, and all its sessions end.</p>`,
      form({
        action: linkTo(site, `/portal/link/${encodeURIComponent(token)}`),
        fields: (isForSignedInUser ? [] : linkFields(link, { email, name })).map(field =>
          field.name === wrong ? { ...field, error: refusal!.text } : field,
        ),
        button,
        error: wrong === undefined ? refusal?.text : undefined,
      }),
      link.purpose === 'invitation' &&
        !isForSignedInUser &&
        oidc &&
        html`<p class="or">or</p>
<p>${buttonLink(linkTo(site, '/portal/sign-in/openid'), 'Continue with your organisation')}</p>`,
    ],
  })
}
