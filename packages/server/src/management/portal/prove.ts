import type { FastifyInstance, FastifyReply } from 'fastify'
import { isAdminFault } from '../../domain/admin-fault.ts'
import type { User } from '../../domain/user.ts'
import { proveAgain } from '../../usecases/admin/prove-again.ts'
import { html } from '../../web/html.ts'
import { form } from '../../web/parts/form.ts'
import { buttonLink, link } from '../../web/parts/link.ts'
import { linkTo, type Site } from '../../web/site.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { browserOf, sessionOf } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { passkeyButton } from './passkey-button.ts'
import { textOf } from './sign-in.ts'
import { safeTarget } from './target.ts'
import { refusalOf } from './texts.ts'

/** Message of the page to which a proof leads back. */
export const provedMessage = 'Confirmed: you can continue for the next ten minutes.'

/** Adds `/portal/prove?to=`: the user of a session signs in again before changes of secrets and roles, and erasures. */
export function addProvePages(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, access, site, addressOf } = parts
  scope.get<{ Querystring: { to?: string } }>('/prove', async (request, reply) => {
    const found = await sessionOf(request, identity, access)
    const to = safeTarget(request.query.to)
    return found ? sendProve(reply, parts, { user: found.user, to }) : sendToSignIn(reply, site, to)
  })
  scope.post('/prove', async (request, reply) => {
    const found = await sessionOf(request, identity, access)
    const to = safeTarget(textOf(request.body, 'to'))
    if (!found) return sendToSignIn(reply, site, to)
    const proof = { ...found, password: textOf(request.body, 'password') }
    const outcome = await proveAgain(identity, browserOf(request, addressOf(request)), proof)
    if (!isAdminFault(outcome)) return sendRedirect(reply, linkTo(site, to), provedMessage)
    const { status, text, headers = {} } = refusalOf(outcome)
    return sendProve(reply.headers(headers), parts, { user: found.user, to, status, error: text })
  })
}

/** Sends the reader to the sign-in, which leads back to a page. */
export const sendToSignIn = (reply: FastifyReply, site: Site, to: string): FastifyReply =>
  sendRedirect(reply, linkTo(site, `/portal/sign-in${to === '/portal' ? '' : `?to=${encodeURIComponent(to)}`}`))

interface ProvePage {
  readonly user: User
  readonly to: string
  readonly status?: number
  readonly error?: string
}

function sendProve(reply: FastifyReply, parts: PortalParts, { user, to, status, error }: ProvePage): FastifyReply {
  const { oidc, site } = parts
  const provider = linkTo(site, `/portal/sign-in/openid?prove=1&to=${encodeURIComponent(to)}`)
  const { password, passkeys, oidc: isLinked } = user.factors
  const hasProvider = oidc !== undefined && isLinked
  return sendPage(reply, site, {
    ...(status !== undefined && { status }),
    title: 'Confirm that it is you',
    lead: 'Secrets, roles and erasures need a recent sign-in. It is valid for ten minutes.',
    content: [
      password &&
        form({
          action: linkTo(site, '/portal/prove'),
          fields: [
            { name: 'to', label: '', type: 'hidden', value: to },
            { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', error },
          ],
          button: 'Confirm',
        }),
      passkeys > 0 && passkeyButton(parts, { kind: 'prove', to, label: 'Confirm with a passkey' }),
      hasProvider && html`<p>${buttonLink(provider, 'Confirm with your organisation')}</p>`,
      !password &&
        passkeys === 0 &&
        !hasProvider &&
        html`<p>Your account has no password and no passkey yet. Open the link with which you signed in again if it
still works, or ${link(linkTo(site, '/portal/forgotten'), 'ask for another link')}: signing in by a link counts as
well.</p>`,
    ],
    scripts: passkeys > 0 ? ['passkeys.js'] : [],
  })
}
