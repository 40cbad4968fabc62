import { mailSubjects, securityMails } from '../domain/mail-type.ts'
import type { MailRule } from '../domain/queued-mail.ts'
import type { OutboxEvent } from '../domain/webhook.ts'

/** Returns who gets mail about an event: staff, or the admins of its partner. */
export const mailRule: MailRule = ({ type, partnerId }) => {
  if (mailSubjects[type] === undefined) return undefined
  const audience = partnerId === undefined || type === 'upgrade.requested' ? 'staff' : 'partner'
  return { audience, isSecurity: securityMails.has(type) }
}

/** Returns subject and text of the mail about an event. */
export function formatMail({ id, type, atMs, partnerId, data }: OutboxEvent): { subject: string; text: string } {
  const subject = mailSubjects[type] ?? type
  const facts = { ...(partnerId !== undefined && { partner_id: partnerId }), ...data }
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${formatValue(value)}`)
  return {
    subject,
    text: [`${subject}.`, '', `time: ${new Date(atMs).toISOString()}`, ...lines, '', `Event ${type}, ${id}`, ''].join(
      '\n',
    ),
  }
}

const formatValue = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
