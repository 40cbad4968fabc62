import type { FastifyInstance, FastifyReply } from 'fastify'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Link } from '../../domain/session.ts'
import { acceptLink, findLink } from '../../usecases/admin/accept-link.ts'
import { html } from '../../web/html.ts'
import { type Field, form } from '../../web/parts/form.ts'
import { browserOf } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { sendSignedIn, textOf } from './sign-in.ts'
import { refusalOf } from './texts.ts'

/** Adds `/portal/link/{token}`. GET shows a form and leaves the link unspent, because mail scanners open links; POST spends it. */
export function addLinkPages(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, addressOf } = parts
  scope.get<{ Params: { token: string } }>('/link/:token', async (request, reply) => {
    const { token } = request.params
    const link = await findLink(identity, { token })
    return isAdminFault(link) ? sendRefusal(reply, parts, link) : sendLinkForm(reply, { token, link, parts })
  })
  scope.post<{ Params: { token: string } }>('/link/:token', async (request, reply) => {
    const { token } = request.params
    const [email, name, password] = ['email', 'name', 'password'].map(field => textOf(request.body, field) || undefined)
    const browser = browserOf(request, addressOf(request))
    const outcome = await acceptLink(identity, browser, { token, email, name, password })
    if (!isAdminFault(outcome)) return sendSignedIn(reply, outcome, parts)
    const link = await findLink(identity, { token })
    if (isAdminFault(link)) return sendRefusal(reply, parts, link)
    return sendLinkForm(reply, { token, link, parts, fault: outcome, email, name })
  })
}

function sendRefusal(reply: FastifyReply, { site }: PortalParts, fault: AdminFault): FastifyReply {
  const { status, text } = refusalOf(fault)
  return sendPage(reply, site, { status, title: 'Link', content: html`<p>${text}</p>` })
}

interface LinkForm {
  readonly token: string
  readonly link: Link
  readonly parts: PortalParts
  readonly fault?: AdminFault
  readonly email?: string | undefined
  readonly name?: string | undefined
}

function sendLinkForm(reply: FastifyReply, { token, link, parts, fault, email, name }: LinkForm): FastifyReply {
  const refusal = fault && refusalOf(fault)
  return sendPage(reply, parts.site, {
    ...(refusal && { status: refusal.status, message: refusal.text }),
    title: `Welcome to ${parts.site.name}`,
    content: form({
      action: `${parts.basePath}/portal/link/${encodeURIComponent(token)}`,
      fields: fieldsOf(link, email, name),
      button: 'Continue',
    }),
  })
}

/** Returns the fields of a link: the address where the link does not know it, and a password where one can be set. */
function fieldsOf({ purpose, userId }: Link, email: string | undefined, name: string | undefined): Field[] {
  if (purpose === 'demo' || purpose === 'email') return []
  const text = { required: false } as const
  return [
    ...(purpose === 'owner'
      ? [{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email } as const]
      : []),
    ...(userId === undefined ? [{ name: 'name', label: 'Your name', autocomplete: 'name', value: name, ...text }] : []),
    {
      name: 'password',
      label: 'New password (12 characters or more)',
      type: 'password',
      ...text,
      autocomplete: 'new-password',
    },
  ]
}
