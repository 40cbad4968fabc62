import type { FastifyInstance } from 'fastify'
import { isAdminFault } from '../../domain/admin-fault.ts'
import type { OidcProvider } from '../../domain/oidc.ts'
import { tokenLength } from '../../identity/opaque-token.ts'
import { finishOidc, startOidc } from '../../usecases/admin/oidc-sign-in.ts'
import { html } from '../../web/html.ts'
import { linkTo } from '../../web/site.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { browserOf, sessionOf, setSessionCookie } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { provedMessage } from './prove.ts'
import { safeTarget } from './target.ts'
import { refusalOf } from './texts.ts'

/**
 * Cookie that binds a sign-in at the provider to the browser that started it: the ticket, then the page to return to.
 */
const ticketCookie = 'periplus-openid'
const maxAgeSeconds = 600

/** Adds the sign-in by OpenID Connect. It starts by GET: form-action would refuse a redirect to the provider. */
export function addOidcPages(scope: FastifyInstance, parts: PortalParts, oidc: OidcProvider): void {
  const { access, site, addressOf } = parts
  const stores = { ...parts.identity, oidc }
  const path = '/portal/sign-in/openid/callback'
  scope.get<{ Querystring: { prove?: string; to?: string } }>('/sign-in/openid', async (request, reply) => {
    const { prove, to: wanted = prove === undefined ? undefined : '/portal/profile' } = request.query
    const to = safeTarget(wanted)
    const found = prove === undefined ? undefined : await sessionOf(request, stores, access)
    const outcome = await startOidc(stores, { redirectUri: access.publicUrl + path, proves: found?.session })
    if (isAdminFault(outcome)) {
      const { status, text } = refusalOf(outcome)
      return sendPage(reply, site, { status, title: 'Sign in', content: html`<p>${text}</p>` })
    }
    const options = {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: access.publicUrl.startsWith('https:'),
    } as const
    reply.setCookie(ticketCookie, outcome.ticket + to, { ...options, maxAge: maxAgeSeconds })
    return sendRedirect(reply, outcome.url)
  })
  scope.get('/sign-in/openid/callback', async (request, reply) => {
    const cookie = request.cookies[ticketCookie] ?? ''
    const [ticket, to] = [cookie.slice(0, tokenLength), safeTarget(cookie.slice(tokenLength))]
    const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
    const browser = browserOf(request, addressOf(request))
    const outcome = await finishOidc(stores, browser, { ticket, callbackUrl: access.publicUrl + path + query })
    reply.clearCookie(ticketCookie, { path: '/' })
    if (isAdminFault(outcome)) {
      const { status, text } = refusalOf(outcome)
      return sendPage(reply, site, { status, title: 'Sign in', content: html`<p>${text}</p>` })
    }
    if ('proved' in outcome) return sendRedirect(reply, linkTo(site, to), provedMessage)
    return sendRedirect(setSessionCookie(reply, access, outcome.token), linkTo(site, to))
  })
}
