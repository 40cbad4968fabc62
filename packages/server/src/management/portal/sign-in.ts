import type { FastifyInstance, FastifyReply } from 'fastify'
import { isAdminFault } from '../../domain/admin-fault.ts'
import { completeSignIn } from '../../usecases/admin/complete-sign-in.ts'
import { userActor } from '../../usecases/admin/identity.ts'
import type { SecondFactorStep } from '../../usecases/admin/second-factor-step.ts'
import { endSessions } from '../../usecases/admin/sessions.ts'
import { signIn } from '../../usecases/admin/sign-in.ts'
import type { StartedSession } from '../../usecases/admin/start-session.ts'
import { type Html, html } from '../../web/html.ts'
import { buttonForm, form } from '../../web/parts/form.ts'
import { buttonLink } from '../../web/parts/link.ts'
import { linkTo, type Site } from '../../web/site.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { browserOf, clearSessionCookie, sessionOf, setSessionCookie } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { passkeyButton } from './passkey-button.ts'
import { safeTarget } from './target.ts'
import { refusalOf } from './texts.ts'

/** Reads a text of a form; a missing one is empty. */
export const textOf = (body: unknown, name: string): string => {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

/** Adds `/portal/sign-in` and `/portal/sign-out`. */
export function addSignInPages(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, access, site, addressOf } = parts
  scope.get<{ Querystring: { to?: string } }>('/sign-in', async (request, reply) => {
    const to = safeTarget(request.query.to)
    const found = await sessionOf(request, identity, access)
    return found ? sendRedirect(reply, linkTo(site, to)) : sendSignIn(reply, parts, { to })
  })
  scope.post('/sign-in', async (request, reply) => {
    const [email, to] = [textOf(request.body, 'email'), safeTarget(textOf(request.body, 'to'))]
    const browser = browserOf(request, addressOf(request))
    const outcome = await signIn(identity, browser, { email, password: textOf(request.body, 'password') })
    if (!isAdminFault(outcome)) return sendSignedIn(reply, outcome, parts, to)
    const { status, text, headers = {} } = refusalOf(outcome)
    return sendSignIn(reply.headers(headers), parts, { to, status, message: text, email })
  })
  scope.post('/sign-in/code', async (request, reply) => {
    const [ticket, code] = [textOf(request.body, 'ticket'), textOf(request.body, 'code')]
    const to = safeTarget(textOf(request.body, 'to'))
    const outcome = await completeSignIn(identity, browserOf(request, addressOf(request)), { ticket, code })
    if (!isAdminFault(outcome)) return sendSignedIn(reply, outcome, parts, to)
    const { status, text, headers = {} } = refusalOf(outcome)
    if (outcome.fault === 'sign_in_ended') return sendSignIn(reply, parts, { to, status, message: text })
    return sendCodeForm(reply.headers(headers), parts, { ticket, to, status, error: text })
  })
  scope.post('/sign-out', async (request, reply) => {
    const found = await sessionOf(request, identity, access)
    if (found) {
      const actor = userActor(found.user, browserOf(request, addressOf(request)))
      await endSessions(identity, actor, { id: found.session.id })
    }
    return sendRedirect(clearSessionCookie(reply, access), linkTo(site, '/portal/sign-in'))
  })
}

interface SignInPage {
  /** Path of the page to which the sign-in leads. */
  readonly to: string
  readonly status?: number
  readonly message?: string
  readonly email?: string
}

function sendSignIn(reply: FastifyReply, parts: PortalParts, { to, status, message, email }: SignInPage): FastifyReply {
  const { oidc, site } = parts
  const provider = linkTo(site, `/portal/sign-in/openid?to=${encodeURIComponent(to)}`)
  return sendPage(reply, site, {
    ...(status !== undefined && { status }),
    title: 'Sign in',
    message,
    content: [
      form({
        action: linkTo(site, '/portal/sign-in'),
        fields: [
          { name: 'to', label: '', type: 'hidden', value: to },
          { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email },
          { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
        ],
        button: 'Sign in',
      }),
      site.signInHint !== undefined && html`<p class="after">${site.signInHint}</p>`,
      html`<p class="after"><a href="${linkTo(site, '/portal/forgotten')}">Forgotten password?</a></p>`,
      passkeyButton(parts, { kind: 'sign-in', to, label: 'Sign in with a passkey' }),
      oidc && [html`<p class="or">or</p>`, html`<p>${buttonLink(provider, 'Sign in with your organisation')}</p>`],
    ],
    scripts: ['passkeys.js'],
  })
}

/** Sends the cookie of a new session, or the form of the second factor. */
export const sendSignedIn = (
  reply: FastifyReply,
  outcome: StartedSession | SecondFactorStep,
  parts: PortalParts,
  to = '/portal',
): FastifyReply =>
  'ticket' in outcome
    ? sendCodeForm(reply, parts, { ticket: outcome.ticket, to })
    : sendRedirect(setSessionCookie(reply, parts.access, outcome.token), linkTo(parts.site, to))

/** Returns the button that ends the session. */
export const signOutForm = (site: Site): Html => buttonForm(linkTo(site, '/portal/sign-out'), 'Sign out')

interface CodePage {
  readonly ticket: string
  readonly to: string
  readonly status?: number
  readonly error?: string
}

const sendCodeForm = (
  reply: FastifyReply,
  { site }: PortalParts,
  { ticket, to, status, error }: CodePage,
): FastifyReply =>
  sendPage(reply, site, {
    ...(status !== undefined && { status }),
    title: 'Second factor',
    content: form({
      action: linkTo(site, '/portal/sign-in/code'),
      fields: [
        { name: 'ticket', label: '', type: 'hidden', value: ticket },
        { name: 'to', label: '', type: 'hidden', value: to },
        {
          name: 'code',
          label: 'Code',
          error,
          autocomplete: 'one-time-code',
          hint: 'Six digits from your authenticator app, or one of your recovery codes.',
        },
      ],
      button: 'Continue',
    }),
  })
