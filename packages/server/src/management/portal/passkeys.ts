import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import {
  addPasskey,
  proveByPasskey,
  signInByPasskey,
  startPasskey,
  startPasskeySignIn,
} from '../../usecases/admin/passkeys.ts'
import { linkTo } from '../../web/site.ts'
import { browserOf, sessionOf, setSessionCookie } from '../session.ts'
import { agentName } from '../shared/sessions.ts'
import type { PortalParts } from './parts.ts'
import { passkeySiteOf } from './passkey-site.ts'
import { textOf } from './sign-in.ts'
import { safeTarget } from './target.ts'
import { refusalOf } from './texts.ts'

/** Adds the steps of passkeys, which the script of a page sends and receives as JSON. */
export function addPasskeySteps(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, access, site, addressOf } = parts
  const browser = (request: FastifyRequest) => browserOf(request, addressOf(request))
  scope.post('/sign-in/passkey/options', async (_request, reply) => {
    const host = passkeySiteOf(access)
    return host ? sendJson(reply, 200, await startPasskeySignIn(identity, host)) : sendNoSite(reply)
  })
  scope.post('/sign-in/passkey', async (request, reply) => {
    const host = passkeySiteOf(access)
    if (!host) return sendNoSite(reply)
    const answer = { ticket: textOf(request.body, 'ticket'), response: memberOf(request.body, 'response') }
    const outcome = await signInByPasskey(identity, browser(request), host, answer)
    if (isAdminFault(outcome)) return sendFault(reply, outcome)
    const location = linkTo(site, safeTarget(textOf(request.body, 'to')))
    return sendJson(setSessionCookie(reply, access, outcome.token), 200, { location })
  })
  scope.post('/prove/passkey', async (request, reply) => {
    const [host, found] = [passkeySiteOf(access), await sessionOf(request, identity, access)]
    if (!found) return sendSignedOut(reply)
    if (!host) return sendNoSite(reply)
    const answer = { ticket: textOf(request.body, 'ticket'), response: memberOf(request.body, 'response') }
    const outcome = await proveByPasskey(identity, found, host, answer)
    if (isAdminFault(outcome)) return sendFault(reply, outcome)
    return sendJson(reply, 200, { location: linkTo(site, safeTarget(textOf(request.body, 'to'))) })
  })
  scope.post('/profile/passkeys/options', async (request, reply) => {
    const [host, found] = [passkeySiteOf(access), await sessionOf(request, identity, access)]
    if (!found) return sendSignedOut(reply)
    if (!host) return sendNoSite(reply)
    const outcome = await startPasskey(identity, { ...found, browser: browser(request) }, host)
    return isAdminFault(outcome) ? sendFault(reply, outcome) : sendJson(reply, 200, outcome)
  })
  scope.post('/profile/passkeys', async (request, reply) => {
    const [host, found] = [passkeySiteOf(access), await sessionOf(request, identity, access)]
    if (!found) return sendSignedOut(reply)
    if (!host) return sendNoSite(reply)
    const [ticket, name] = [
      textOf(request.body, 'ticket'),
      textOf(request.body, 'name') || agentName(request.headers['user-agent']),
    ]
    const answer = { ticket, name, response: memberOf(request.body, 'response') }
    const outcome = await addPasskey(identity, { ...found, browser: browser(request) }, host, answer)
    return isAdminFault(outcome)
      ? sendFault(reply, outcome)
      : sendJson(reply, 201, { id: outcome.id, name: outcome.name, location: linkTo(site, '/portal/profile') })
  })
}

const memberOf = (body: unknown, name: string): unknown =>
  (body as Readonly<Record<string, unknown>> | null | undefined)?.[name]

const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply
    .code(status)
    .headers({
      'X-Request-Id': reply.request.id,
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .send(Buffer.from(JSON.stringify(body)))

function sendFault(reply: FastifyReply, fault: AdminFault): FastifyReply {
  const { status, text, headers = {} } = refusalOf(fault)
  return sendJson(reply.headers(headers), status, { code: fault.fault, message: text })
}

const sendSignedOut = (reply: FastifyReply): FastifyReply =>
  sendJson(reply, 401, { code: 'signed_out', message: 'Sign in first.' })

const sendNoSite = (reply: FastifyReply): FastifyReply =>
  sendJson(reply, 409, {
    code: 'passkeys_unavailable',
    message: 'Passkeys need a host name; this service is served at an IP address.',
  })
