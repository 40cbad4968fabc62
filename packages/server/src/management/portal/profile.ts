import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAdminFault } from '../../domain/admin-fault.ts'
import { needsSecondFactor } from '../../identity/second-factor-policy.ts'
import { userActor } from '../../usecases/admin/identity.ts'
import type { SignedIn } from '../../usecases/admin/second-factors.ts'
import { listSessions } from '../../usecases/admin/sessions.ts'
import { html } from '../../web/html.ts'
import type { Field } from '../../web/parts/form.ts'
import { notice } from '../../web/parts/notice.ts'
import { linkTo } from '../../web/site.ts'
import { refuseForm } from '../pages/form-faults.ts'
import { readForm } from '../pages/form-values.ts'
import { withOnce } from '../pages/once-pages.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { browserOf, sessionOf } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { accountFields, emailFields, mailFields, type Profile, passwordFields, profileCards } from './profile-page.ts'
import { profileTasks } from './profile-tasks.ts'
import { sendToSignIn } from './prove.ts'
import { signOutForm } from './sign-in.ts'
import { refusalOf } from './texts.ts'
import { userNav } from './user-nav.ts'

/** Adds `/portal/profile`: account, e-mail address, ways to sign in, mails and sessions of the user. */
export function addProfilePages(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, site, once } = parts
  const path = '/portal/profile'
  const signedIn = async (request: FastifyRequest): Promise<SignedIn | undefined> => {
    const found = await sessionOf(request, identity, parts.access)
    return found && { ...found, browser: browserOf(request, parts.addressOf(request)) }
  }
  scope.get<{ Querystring: { once?: string } }>('/profile', async (request, reply) => {
    const found = await signedIn(request)
    if (!found) return sendToSignIn(reply, site, path)
    const { once: token } = request.query
    const page = token === undefined ? undefined : await once.take(found.session.id, token, identity.clock.nowMs())
    return page ? sendPage(reply, site, page) : sendProfile(reply, found, parts)
  })
  for (const [name, task] of Object.entries(profileTasks))
    scope.post(`/profile/${name}`, async (request, reply) => {
      const found = await signedIn(request)
      if (!found) return sendToSignIn(reply, site, path)
      const values = readForm(request.body)
      const result = await task(found, values, parts)
      if (typeof result === 'string') return sendRedirect(reply, linkTo(site, path), result)
      if (!isAdminFault(result)) {
        if (result.status !== undefined) return sendPage(reply, site, result)
        const token = await once.keep(found.session.id, result, identity.clock.nowMs())
        return sendRedirect(reply, linkTo(site, withOnce(path, token)))
      }
      if (result.fault === 'proof_required') return sendRedirect(reply, linkTo(site, `/portal/prove?to=${path}`))
      const { status, text, headers = {} } = refusalOf(result)
      const current = fieldsOf[name]?.((await identity.people.users.get(found.user.id)) ?? found.user)
      if (!current) return sendProfile(reply.headers(headers), found, parts, { status, message: text })
      const form = refuseForm(current, values, result)
      const wrong = { task: name, ...form, fields: form.fields.map(field => markPassword(field, text)) }
      return sendProfile(reply.headers(headers), found, parts, { status: form.status, refused: wrong })
    })
}

/** The fields of the forms that show errors at their fields. */
const fieldsOf: Readonly<Record<string, (user: SignedIn['user']) => Field[]>> = {
  account: accountFields,
  email: emailFields,
  password: passwordFields,
  mails: mailFields,
}

/** Returns a password field with the error of the sign-in pages. A password is never sent back. */
const markPassword = (field: Field, text: string): Field =>
  field.name === 'password' ? { ...passwordFieldOf(field), ...(field.error !== undefined && { error: text }) } : field

const passwordFieldOf = ({ value, ...field }: Field): Field => field

interface Shown {
  readonly status?: number
  readonly message?: string
  readonly refused?: Profile['refused']
}

async function sendProfile(
  reply: FastifyReply,
  { user, session, browser }: SignedIn,
  parts: PortalParts,
  { refused, ...shown }: Shown = {},
): Promise<FastifyReply> {
  const { identity, site, secondFactor } = parts
  const sessions = await listSessions(identity, userActor(user, browser), { user: user.id })
  const profile: Profile = {
    parts,
    user,
    session,
    zone: user.zone ?? site.zone,
    passkeys: await identity.people.credentials.passkeys(user.id),
    sessions: isAdminFault(sessions) ? [session] : sessions,
    ...(refused && { refused }),
  }
  const isBlocked = needsSecondFactor(user, secondFactor)
  return sendPage(reply, site, {
    ...shown,
    title: 'Profile',
    lead: `Signed in as ${user.name ?? user.email}.`,
    width: 'normal',
    ...(!isBlocked && { nav: await userNav(identity, user) }),
    actions: signOutForm(site),
    content: [
      isBlocked &&
        notice(
          'warn',
          html`<p>Your role requires a second factor. Add a passkey or an authenticator app to continue.</p>`,
        ),
      profileCards(profile),
    ],
    scripts: ['passkeys.js'],
  })
}
