import type { FastifyInstance } from 'fastify'
import { requestLink } from '../../usecases/admin/request-link.ts'
import { html } from '../../web/html.ts'
import { form } from '../../web/parts/form.ts'
import { linkTo } from '../../web/site.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { browserOf } from '../session.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { textOf } from './sign-in.ts'

const sent = 'If an account has this address, a link to sign in is on its way. It works once, for 24 hours.'

/** Adds `/portal/forgotten`: a link by mail, or where to get one without an SMTP server. */
export function addForgottenPages(scope: FastifyInstance, parts: PortalParts): void {
  const { identity, site, hasMail, sendLink, log, addressOf } = parts
  const toSignIn = html`<p class="after"><a href="${linkTo(site, '/portal/sign-in')}">Back to sign-in</a></p>`
  scope.get('/forgotten', async (_request, reply) =>
    sendPage(reply, site, {
      title: 'Forgotten password',
      lead: hasMail
        ? 'You get a link by mail with which you sign in and set a new password.'
        : 'This service sends no mail, so its staff gives you a link to sign in.',
      content: [
        hasMail
          ? form({
              action: linkTo(site, '/portal/forgotten'),
              fields: [{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' }],
              button: 'Send a link',
            })
          : html`<p>Ask the operator${contactText(parts)}, who can create one in the console or with this command:</p>
<pre tabindex="0"><code>periplus users link you@example.org</code></pre>`,
        toSignIn,
      ],
    }),
  )
  scope.post('/forgotten', async (request, reply) => {
    const email = textOf(request.body, 'email')
    const back = () => sendRedirect(reply, linkTo(site, '/portal/sign-in'), hasMail ? sent : undefined)
    if (!hasMail) return back()
    // In the background: an address without an account must not be answered faster.
    void (async () => {
      const link = await requestLink(identity, browserOf(request, addressOf(request)), { email })
      const outcome = link && (await sendLink(link.created, link.to))
      if (outcome?.mail === 'failed') log.warn({ id: request.id }, 'A link to sign in could not be mailed.')
    })().catch((error: unknown) => log.error({ err: error, id: request.id }, 'A link to sign in could not be created.'))
    return back()
  })
}

/** Returns how to reach the operator, if the site says so. */
function contactText({ site: { contact } }: PortalParts) {
  const { email, url } = contact ?? {}
  const href = email === undefined ? url : `mailto:${email}`
  return href !== undefined && html` (<a href="${href}">${email ?? 'contact'}</a>)`
}
