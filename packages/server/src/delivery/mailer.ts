import { readFileSync } from 'node:fs'
import type { Transporter } from 'nodemailer'

/** Settings of outgoing mail. */
export interface MailSettings {
  readonly host?: string
  readonly port: number
  readonly user?: string
  readonly passwordFile?: string
  readonly from?: string
}

/** A mail to one person. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Message id, so that a repeated mail is recognised. */
  readonly id?: string
}

/** Sends mail through the operator's SMTP server. */
export interface Mailer {
  /** Rejects if the server does not accept the mail. */
  send(mail: Mail): Promise<void>
  close(): void
}

const timeoutMs = 15_000
/** Port on which TLS starts with the connection. */
const tlsPort = 465

/** Creates the mailer; undefined without an SMTP server. */
export function createMailer({ host, port, user, passwordFile, from }: MailSettings): Mailer | undefined {
  if (host === undefined || from === undefined) return undefined
  const pass = passwordFile === undefined ? '' : readFileSync(passwordFile, 'utf8').trim()
  const options = {
    host,
    port,
    secure: port === tlsPort,
    ...(user !== undefined && { auth: { user, pass } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // Most services start without sending a mail, so the library is loaded with the first one.
  let transport: Promise<Transporter> | undefined
  const open = async () => (await import('nodemailer')).createTransport(options)
  return {
    send: async ({ to, subject, text, id }) => {
      transport ??= open()
      const message = { from, to, subject, text, ...(id !== undefined && { messageId: `<${id}@periplus>` }) }
      await (await transport).sendMail(message)
    },
    close: () => void transport?.then(opened => opened.close()),
  }
}
