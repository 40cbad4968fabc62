import type { FastifyInstance, FastifyReply } from 'fastify'
import { isAdminFault } from '../../domain/admin-fault.ts'
import { completeSignIn } from '../../usecases/admin/complete-sign-in.ts'
import { userActor } from '../../usecases/admin/identity.ts'
import type { SecondFactorStep } from '../../usecases/admin/second-factor-step.ts'
import { endSessions } from '../../usecases/admin/sessions.ts'
import { signIn } from '../../usecases/admin/sign-in.ts'
import type { StartedSession } from '../../usecases/admin/start-session.ts'
import { html } from '../../web/html.ts'
import { form } from '../../web/parts/form.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { browserOf, clearSessionCookie, sessionOf, setSessionCookie } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { refusalOf } from './texts.ts'

/** Reads a text of a form; a missing one is empty. */
export const textOf = (body: unknown, name: string): string => {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

/** Adds `/portal/sign-in` and `/portal/sign-out`. */
export function addSignInPages(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, access, basePath, addressOf } = parts
  scope.get('/sign-in', async (_request, reply) => sendSignIn(reply, parts))
  scope.post('/sign-in', async (request, reply) => {
    const email = textOf(request.body, 'email')
    const browser = browserOf(request, addressOf(request))
    const outcome = await signIn(identity, browser, { email, password: textOf(request.body, 'password') })
    if (!isAdminFault(outcome)) return sendSignedIn(reply, outcome, parts)
    const { status, text, headers = {} } = refusalOf(outcome)
    return sendSignIn(reply.headers(headers), parts, { status, message: text, email })
  })
  scope.post('/sign-in/code', async (request, reply) => {
    const [ticket, code] = [textOf(request.body, 'ticket'), textOf(request.body, 'code')]
    const outcome = await completeSignIn(identity, browserOf(request, addressOf(request)), { ticket, code })
    if (!isAdminFault(outcome)) return sendSignedIn(reply, outcome, parts)
    const { status, text, headers = {} } = refusalOf(outcome)
    if (outcome.fault === 'sign_in_ended') return sendSignIn(reply, parts, { status, message: text })
    return sendCodeForm(reply.headers(headers), parts, { ticket, status, message: text })
  })
  scope.post('/sign-out', async (request, reply) => {
    const found = await sessionOf(request, identity, access)
    if (found) {
      const actor = userActor(found.user, browserOf(request, addressOf(request)))
      await endSessions(identity, actor, { id: found.session.id })
    }
    return sendRedirect(clearSessionCookie(reply, access), `${basePath}/portal/sign-in`)
  })
}

const sendSignIn = (
  reply: FastifyReply,
  { basePath, oidc, site }: PortalParts,
  { status, message, email }: { readonly status?: number; readonly message?: string; readonly email?: string } = {},
): FastifyReply =>
  sendPage(reply, site, {
    ...(status !== undefined && { status }),
    title: 'Sign in',
    message,
    content: html`${form({
      action: `${basePath}/portal/sign-in`,
      fields: [
        { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email },
        { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
      ],
      button: 'Sign in',
    })}${oidc && html`<p><a href="${basePath}/portal/sign-in/openid">Sign in with your organisation</a></p>`}`,
  })

/** Sends the cookie of a new session, or the form of the second factor. */
export const sendSignedIn = (
  reply: FastifyReply,
  outcome: StartedSession | SecondFactorStep,
  parts: PortalParts,
): FastifyReply =>
  'ticket' in outcome
    ? sendCodeForm(reply, parts, { ticket: outcome.ticket })
    : sendRedirect(setSessionCookie(reply, parts.access, outcome.token), `${parts.basePath}/portal`)

/** Sends the form of the second factor. */
export const sendCodeForm = (
  reply: FastifyReply,
  { basePath, site }: PortalParts,
  { ticket, status, message }: { readonly ticket: string; readonly status?: number; readonly message?: string },
): FastifyReply =>
  sendPage(reply, site, {
    ...(status !== undefined && { status }),
    title: 'Second factor',
    message,
    content: form({
      action: `${basePath}/portal/sign-in/code`,
      fields: [
        { name: 'ticket', label: '', type: 'hidden', value: ticket },
        { name: 'code', label: 'Code of your app, or a recovery code', autocomplete: 'one-time-code' },
      ],
      button: 'Continue',
    }),
  })
