import type { FastifyInstance, FastifyReply } from 'fastify'
import { checkEmail } from '../../usecases/admin/identity.ts'
import { requestLink } from '../../usecases/admin/request-link.ts'
import { html } from '../../web/html.ts'
import { form } from '../../web/parts/form.ts'
import { linkTo } from '../../web/site.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { browserOf } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { textOf } from './sign-in.ts'
import { type RefusalText, refusalOf } from './texts.ts'

const sent = 'If an account has this address, a link to sign in is on its way. It works once, for 24 hours.'

/** Adds `/portal/forgotten`: a link by mail, or where to get one without an SMTP server. */
export function addForgottenPages(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, site, hasMail, sendLink, log, addressOf } = parts
  scope.get('/forgotten', async (_request, reply) => sendForgotten(reply, parts))
  scope.post('/forgotten', async (request, reply) => {
    const email = textOf(request.body, 'email')
    if (!hasMail) return sendRedirect(reply, linkTo(site, '/portal/forgotten'))
    const fault = checkEmail(email.trim())
    if (fault) return sendForgotten(reply, parts, { email, ...refusalOf(fault) })
    // In the background: an address without an account must not be answered faster.
    void (async () => {
      const link = await requestLink(identity, browserOf(request, addressOf(request)), { email })
      const outcome = link && (await sendLink(link.created, link.to))
      if (outcome?.mail === 'failed') log.warn({ id: request.id }, 'A link to sign in could not be mailed.')
    })().catch((error: unknown) => log.error({ err: error, id: request.id }, 'A link to sign in could not be created.'))
    return sendRedirect(reply, linkTo(site, '/portal/sign-in'), sent)
  })
}

/** Sends the form, or where to get a link; after a refusal with the text that was entered. */
function sendForgotten(
  reply: FastifyReply,
  parts: PortalParts,
  { email, status, text }: { readonly email?: string } & Partial<RefusalText> = {},
): FastifyReply {
  const { site, hasMail } = parts
  return sendPage(reply, site, {
    ...(status !== undefined && { status }),
    title: 'Forgotten password',
    lead: hasMail
      ? 'You get a link by mail with which you sign in and set a new password.'
      : 'This service sends no mail, so its staff gives you a link to sign in.',
    content: [
      hasMail
        ? form({
            action: linkTo(site, '/portal/forgotten'),
            fields: [
              {
                name: 'email',
                label: 'E-mail address',
                type: 'email',
                autocomplete: 'username',
                value: email,
                error: text,
              },
            ],
            button: 'Send a link',
          })
        : html`<p>Ask the operator${contactText(parts)}, who can create one in the console or with this command:</p>
<pre tabindex="0"><code>periplus users link you@example.org</code></pre>`,
      html`<p class="after"><a href="${linkTo(site, '/portal/sign-in')}">Back to sign-in</a></p>`,
    ],
  })
}

/** Returns how to reach the operator, if the site says so. */
function contactText({ site: { contact } }: PortalParts) {
  const { email, url } = contact ?? {}
  const href = email === undefined ? url : `mailto:${email}`
  return href !== undefined && html` (<a href="${href}">${email ?? 'contact'}</a>)`
}
