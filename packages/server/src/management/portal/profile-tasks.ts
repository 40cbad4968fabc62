import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { changeUser } from '../../usecases/admin/change-user.ts'
import { chooseMails } from '../../usecases/admin/choose-mails.ts'
import { userActor } from '../../usecases/admin/identity.ts'
import { removePasskey } from '../../usecases/admin/passkeys.ts'
import { requestEmail } from '../../usecases/admin/request-email.ts'
import {
  confirmTotp,
  type NewTotp,
  removeTotp,
  renewRecoveryCodes,
  type SignedIn,
  setPassword,
  startTotp,
} from '../../usecases/admin/second-factors.ts'
import { endSessions } from '../../usecases/admin/sessions.ts'
import { Html, html } from '../../web/html.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { form } from '../../web/parts/form.ts'
import { buttonLink, buttonRow } from '../../web/parts/link.ts'
import { notice } from '../../web/parts/notice.ts'
import { linkTo, type Site } from '../../web/site.ts'
import type { FormValues } from '../pages/page-route.ts'
import { revisionOf } from '../pages/revision.ts'
import type { PortalPage } from './page.ts'
import type { PortalParts } from './parts.ts'

/** Result of a task: a fault, the message for the profile, or a page that is shown once. */
export type TaskResult = AdminFault | string | PortalPage

/** Performs the task of a form of the profile. */
export type Task = (signedIn: SignedIn, values: FormValues, parts: PortalParts) => Promise<TaskResult>

const said = <T extends object>(outcome: T | AdminFault, message: string): AdminFault | string =>
  isAdminFault(outcome) ? outcome : message

/** The tasks of the profile, by the last part of their path. */
export const profileTasks: Readonly<Record<string, Task>> = {
  account: async ({ user, browser }, values, { identity }) => {
    const [name, zone] = ['name', 'zone'].map(field => values.text(field) || null) as [string | null, string | null]
    const update = { id: user.id, expectedRevision: revisionOf(values), change: { name, zone } }
    return said(await changeUser(identity, userActor(user, browser), update), 'Saved.')
  },
  email: async (signedIn, values, { identity, sendLink, hasMail }) => {
    const created = await requestEmail(identity, signedIn, { email: values.text('email') })
    if (isAdminFault(created)) return created
    const to = created.link.email!
    const mail = hasMail ? (await sendLink(created, to)).mail : 'unset'
    return mail === 'sent' ? `A link was sent to ${to}. Open it in this browser.` : mailFailed
  },
  password: async (signedIn, values, { identity }) =>
    said(
      await setPassword(identity, signedIn, { password: values.all('password').at(-1) ?? '' }),
      'The password is set. Your other sessions have ended.',
    ),
  'passkey-remove': async (signedIn, values, { identity }) => {
    const outcome = await removePasskey(identity, signedIn, { id: values.text('id') })
    if (isAdminFault(outcome)) return outcome
    return outcome.removed ? 'The passkey was removed.' : 'The passkey had been removed before.'
  },
  totp: async (signedIn, _values, { identity, site }) => {
    const outcome = await startTotp(identity, signedIn)
    return isAdminFault(outcome) ? outcome : totpPage(site, outcome)
  },
  'totp-code': async (signedIn, values, { identity, site }) => {
    const code = { ticket: values.text('ticket'), code: values.text('code') }
    const outcome = await confirmTotp(identity, signedIn, code)
    if (!isAdminFault(outcome)) return codesPage(site, outcome.recoveryCodes)
    if (outcome.fault !== 'sign_in_refused') return outcome
    const error = 'This is not the code of the app now. Enter the one that it shows.'
    return { status: 401, title: newApp, content: codeForm(site, code.ticket, error) }
  },
  'totp-remove': async (signedIn, _values, { identity }) =>
    said(await removeTotp(identity, signedIn), 'The authenticator app and its recovery codes were removed.'),
  'recovery-codes': async (signedIn, _values, { identity, site }) => {
    const outcome = await renewRecoveryCodes(identity, signedIn)
    return isAdminFault(outcome) ? outcome : codesPage(site, outcome.recoveryCodes)
  },
  mails: async (signedIn, values, { identity }) => {
    const choice = { wanted: values.all('mails'), expectedRevision: revisionOf(values) }
    return said(await chooseMails(identity, signedIn, choice), 'Saved.')
  },
  'end-session': async ({ user, browser }, values, { identity }) =>
    said(await endSessions(identity, userActor(user, browser), { id: values.text('id') }), 'The session was ended.'),
  'end-sessions': async ({ user, browser, session }, _values, { identity }) =>
    said(
      await endSessions(identity, userActor(user, browser), { user: user.id, exceptId: session.id }),
      'All other sessions were ended.',
    ),
}

const mailFailed = 'The mail could not be sent, so the address stays as it is. Try again later.'

const newApp = 'Add an authenticator app'

/** Returns the page with the secret of a new authenticator app. */
async function totpPage(site: Site, { secret, url, ticket }: NewTotp): Promise<PortalPage> {
  const { toString: toPicture } = await import('qrcode')
  const picture = new Html(await toPicture(url, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }))
  return {
    title: newApp,
    lead: 'Scan the QR code with the app, then enter the code that the app shows.',
    content: [
      html`<div class="qr" role="img" aria-label="QR code of the secret">${picture}</div>`,
      html`<p>Or <a href="${url}">open the app on this device</a>, or enter the secret by hand:
<code>${secret}</code></p>`,
      codeForm(site, ticket),
    ],
  }
}

const codeForm = (site: Site, ticket: string, error?: string): Html =>
  form({
    action: linkTo(site, '/portal/profile/totp-code'),
    fields: [
      { name: 'ticket', label: '', type: 'hidden', value: ticket },
      { name: 'code', label: 'Code', autocomplete: 'one-time-code', error },
    ],
    button: 'Confirm',
    cancel: { href: linkTo(site, '/portal/profile'), label: 'Cancel' },
  })

const codesPage = (site: Site, codes: readonly string[]): PortalPage => ({
  title: 'Recovery codes',
  lead: 'Each code signs you in once when you do not have your phone.',
  content: [
    notice('warn', html`<p><strong>Store the codes now.</strong> They are not shown again.</p>`, 'status'),
    html`<ul class="codes">${codes.map(code => html`<li><code>${code}</code></li>\n`)}</ul>`,
    codeBlock(codes.join('\n'), 'To copy'),
    buttonRow(buttonLink(linkTo(site, '/portal/profile'), 'I have stored them', { kind: 'primary' })),
  ],
  scripts: ['samples.js'],
})
