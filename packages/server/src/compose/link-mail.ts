import type { Config } from '../config/load.ts'
import { createMailer, type Mail } from '../delivery/mailer.ts'
import type { SentLink } from '../management/context.ts'
import type { Identity } from '../usecases/admin/identity.ts'
import type { CreatedLink } from '../usecases/admin/invite-user.ts'

/** A link and the person to whom it is sent. */
export interface LinkMail {
  readonly to: string
  readonly url: string
  readonly created: CreatedLink
}

/** Sends a link by mail and stores that it was sent. The mail contains a secret, so it never passes the outbox. */
export async function mailLink(
  config: Config,
  { people, opaque }: Identity,
  { to, url, created: { link, token } }: LinkMail,
): Promise<SentLink['mail']> {
  const isInvitation = link.purpose === 'invitation'
  const subject = isInvitation ? `Your invitation to ${config.site.name}` : `Sign in to ${config.site.name}`
  const until = new Date(link.expiresMs).toUTCString()
  const text = `${isInvitation ? 'You have been invited.' : 'A link to sign in was made for you.'} Open it once, before ${until}:

${url}

If you do not expect this mail, ignore it: nothing happens unless you open the link.
`
  const mail = await sendMail(config, { to, subject, text })
  if (mail === 'sent') await people.links.mailed(opaque.digest(token))
  return mail
}

/** Returns the mail to the earlier address of an account whose address was changed. */
export const addressChangeMail = (
  { from, to }: { readonly from: string; readonly to: string },
  { site: { name, contact } }: Config,
): Mail => ({
  to: from,
  subject: `Your e-mail address at ${name} was changed`,
  text: `The address of your account at ${name} is ${to} now, and mails go there. It was changed by a user who was signed in.

If that was not you, ask the operator${contact.email === undefined ? '' : ` (${contact.email})`} to disable the account at once.
`,
})

/** Returns a mail that says only that mail works. */
export const testMailTo = (to: string, siteName: string): Mail => ({
  to,
  subject: `Test mail of ${siteName}`,
  text: `${siteName} can send mail. You asked for this test in the console.\n`,
})

/** Sends a mail at once. */
export async function sendMail(config: Config, mail: Mail): Promise<SentLink['mail']> {
  try {
    const mailer = createMailer(config.mail)
    if (!mailer) return 'unset'
    await mailer.send(mail).finally(() => mailer.close())
    return 'sent'
  } catch {
    return 'failed'
  }
}
