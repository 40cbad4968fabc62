import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { isProved } from '../../identity/sessions.ts'
import { userActor } from '../../usecases/admin/identity.ts'
import { proveAgain } from '../../usecases/admin/prove-again.ts'
import {
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  type SignedIn,
  setPassword,
  startTotp,
} from '../../usecases/admin/second-factors.ts'
import { endSessions } from '../../usecases/admin/sessions.ts'
import { type Html, html } from '../../web/html.ts'
import { buttonForm, form } from '../../web/parts/form.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { browserOf, sessionOf } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { textOf } from './sign-in.ts'
import { refusalOf } from './texts.ts'

/** Does what a form of the profile asks for, and returns a fault, a page that shows something once, or nothing. */
type Task = (signedIn: SignedIn, body: unknown, parts: PortalParts) => Promise<AdminFault | Html | undefined>

const faultOf = (outcome: object): AdminFault | undefined =>
  isAdminFault(outcome) ? (outcome as AdminFault) : undefined

const tasks: Readonly<Record<string, Task>> = {
  prove: async ({ session, user, browser }, body, { identity }) =>
    faultOf(await proveAgain(identity, browser, { session, user, password: textOf(body, 'password') })),
  password: async (signedIn, body, { identity }) =>
    faultOf(await setPassword(identity, signedIn, { password: textOf(body, 'password') })),
  totp: async (signedIn, _body, { identity, basePath }) => {
    const outcome = await startTotp(identity, signedIn)
    if (isAdminFault(outcome)) return outcome
    const { secret, url, ticket } = outcome
    const fields = [
      { name: 'ticket', label: '', type: 'hidden', value: ticket } as const,
      { name: 'code', label: 'First code', autocomplete: 'one-time-code' },
    ]
    return html`<p>Add this secret to your authenticator app: <code>${secret}</code></p>
<p><a href="${url}">Open the app</a></p>
${form({ action: `${basePath}/portal/profile/totp-code`, fields, button: 'Confirm' })}`
  },
  'totp-code': async (signedIn, body, { identity }) => {
    const outcome = await confirmTotp(identity, signedIn, {
      ticket: textOf(body, 'ticket'),
      code: textOf(body, 'code'),
    })
    return isAdminFault(outcome) ? outcome : codesHtml(outcome.recoveryCodes)
  },
  'totp-remove': async (signedIn, _body, { identity }) => faultOf(await removeTotp(identity, signedIn)),
  'recovery-codes': async (signedIn, _body, { identity }) => {
    const outcome = await renewRecoveryCodes(identity, signedIn)
    return isAdminFault(outcome) ? outcome : codesHtml(outcome.recoveryCodes)
  },
  'end-sessions': async ({ user, browser, session }, _body, { identity }) =>
    faultOf(await endSessions(identity, userActor(user, browser), { user: user.id, exceptId: session.id })),
}

const codesHtml = (
  codes: readonly string[],
): Html => html`<p>Keep these recovery codes. Each works once; they are not shown again.</p>
<ul>${codes.map(code => html`<li><code>${code}</code></li>\n`)}</ul>`

/** Adds `/portal/profile`: password, second factor, recovery codes and sessions of the user. */
export function addProfilePages(scope: FastifyInstance, parts: PortalParts): void {
  const signedIn = async (request: FastifyRequest): Promise<SignedIn | undefined> => {
    const found = await sessionOf(request, parts.identity, parts.access)
    return found && { ...found, browser: browserOf(request, parts.addressOf(request)) }
  }
  const toSignIn = (reply: FastifyReply) => sendRedirect(reply, `${parts.basePath}/portal/sign-in`)
  scope.get('/profile', async (request, reply) => {
    const found = await signedIn(request)
    return found ? sendProfile(reply, found, parts) : toSignIn(reply)
  })
  for (const [name, task] of Object.entries(tasks))
    scope.post(`/profile/${name}`, async (request, reply) => {
      const found = await signedIn(request)
      if (!found) return toSignIn(reply)
      const outcome = await task(found, request.body, parts)
      if (outcome === undefined) return sendRedirect(reply, `${parts.basePath}/portal/profile`)
      if (!('fault' in outcome)) return sendPage(reply, parts.site, { title: 'Profile', content: outcome })
      const { status, text, headers = {} } = refusalOf(outcome)
      return sendProfile(reply.headers(headers), found, parts, { status, message: text })
    })
}

function sendProfile(
  reply: FastifyReply,
  { user, session }: SignedIn,
  { basePath, identity, site }: PortalParts,
  shown: { readonly status?: number; readonly message?: string } = {},
): FastifyReply {
  const action = (name: string) => `${basePath}/portal/profile/${name}`
  const { totp, recoveryCodes, passkeys } = user.factors
  const newPassword = {
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
  } as const
  const prove = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' } as const
  const needsProof = !isProved(session, identity.clock.nowMs())
  return sendPage(reply, site, {
    ...shown,
    title: 'Profile',
    lead: `Signed in as ${user.name ?? user.email}.`,
    content: html`<p>Passkeys: ${passkeys}. Recovery codes: ${recoveryCodes}.</p>
${needsProof ? form({ action: action('prove'), fields: [prove], button: 'Confirm that it is you' }) : undefined}
${form({ action: action('password'), fields: [newPassword], button: 'Set password' })}
${totp ? buttonForm(action('totp-remove'), 'Remove the authenticator app') : buttonForm(action('totp'), 'Add an authenticator app')}
${totp ? buttonForm(action('recovery-codes'), 'Make other recovery codes') : undefined}
${buttonForm(action('end-sessions'), 'End all other sessions')}`,
  })
}
