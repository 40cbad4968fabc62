import type { Config } from '../config/load.ts'
import { createMailer } from '../delivery/mailer.ts'
import type { Link } from '../domain/session.ts'
import type { SentLink } from '../management/context.ts'

/** A link and the person to whom it is sent. */
export interface LinkMail {
  readonly to: string
  readonly url: string
  readonly link: Link
}

/** Sends a link by mail. The mail contains a secret, so it never passes the outbox. */
export async function mailLink(config: Config, { to, url, link }: LinkMail): Promise<SentLink['mail']> {
  const mailer = createMailer(config.mail)
  if (!mailer) return 'unset'
  const isInvitation = link.purpose === 'invitation'
  const subject = isInvitation ? `Your invitation to ${config.site.name}` : `Sign in to ${config.site.name}`
  const until = new Date(link.expiresMs).toUTCString()
  const text = `${isInvitation ? 'You have been invited.' : 'A link to sign in was made for you.'} Open it once, before ${until}:

${url}

If you do not expect this mail, ignore it: nothing happens unless you open the link.
`
  try {
    await mailer.send({ to, subject, text })
    return 'sent'
  } catch {
    return 'failed'
  } finally {
    mailer.close()
  }
}
