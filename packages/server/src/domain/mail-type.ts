import type { EventType } from './event.ts'

/** Subjects of the events that are mailed; others are not. */
export const mailSubjects: Readonly<Partial<Record<EventType, string>>> = {
  'key.created': 'A key was created',
  'key.rotated': 'A key has a new secret',
  'key.disabled': 'A key was disabled',
  'key.revoked': 'A key was revoked',
  'key.expiring': 'A key ends soon',
  'quota.threshold_reached': 'A daily quota is almost used',
  'limit.penalty_started': 'A key calls before the promised time',
  'upgrade.requested': 'An upgrade was requested',
  'upgrade.approved': 'Your request was approved',
  'upgrade.declined': 'Your request was declined',
  'version.deprecated': 'A version that you use is deprecated',
  'version.sunset_near': 'A version that you use will be retired',
  'statement.closed': 'A statement is closed',
  'import.failed': 'An import failed',
  'backup.failed': 'A backup failed',
  'journal.failing': 'The usage journal cannot be written; requests are refused',
  'webhook.disabled': 'A webhook was disabled',
}

/** Events about secrets and access, which no user can switch off. */
export const securityMails: ReadonlySet<EventType> = new Set([
  'key.created',
  'key.rotated',
  'key.disabled',
  'key.revoked',
  'webhook.disabled',
])

/** A type of mail that a user can get. */
export interface MailType {
  readonly type: EventType
  readonly subject: string
  /** True if the user cannot switch it off. */
  readonly isSecurity: boolean
}

/** Types whose mails go to staff, unless they concern a partner. */
const staffTypes: ReadonlySet<EventType> = new Set([
  ...(['upgrade.requested', 'import.failed', 'backup.failed', 'journal.failing', 'webhook.disabled'] as const),
])

/** Returns the types of mail that owners and operators (`staff`) or the admins of a partner can get. */
export const mailTypes = (audience: 'staff' | 'partner'): MailType[] =>
  (Object.keys(mailSubjects) as EventType[])
    .filter(type =>
      audience === 'staff' ? staffTypes.has(type) : !staffTypes.has(type) || type === 'webhook.disabled',
    )
    .map(type => ({ type, subject: mailSubjects[type]!, isSecurity: securityMails.has(type) }))
