import type { Config } from '../config/load.ts'
import { createMailer, type Mail } from '../delivery/mailer.ts'
import type { Link } from '../domain/session.ts'
import type { SentLink } from '../management/context.ts'

/** A link and the person to whom it is sent. */
export interface LinkMail {
  readonly to: string
  readonly url: string
  readonly link: Link
}

/** Sends a link by mail. The mail contains a secret, so it never passes the outbox. */
export function mailLink(config: Config, { to, url, link }: LinkMail): Promise<SentLink['mail']> {
  const isInvitation = link.purpose === 'invitation'
  const subject = isInvitation ? `Your invitation to ${config.site.name}` : `Sign in to ${config.site.name}`
  const until = new Date(link.expiresMs).toUTCString()
  const text = `${isInvitation ? 'You have been invited.' : 'A link to sign in was made for you.'} Open it once, before ${until}:

${url}

If you do not expect this mail, ignore it: nothing happens unless you open the link.
`
  return sendMail(config, { to, subject, text })
}

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
