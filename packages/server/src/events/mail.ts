import type { EventType } from '../domain/event.ts'
import type { MailRule } from '../domain/event-store.ts'
import type { OutboxEvent } from '../domain/webhook.ts'

/** Subjects of the events that are mailed; others are not. */
const subjects: Readonly<Partial<Record<EventType, string>>> = {
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
  'version.sunset_near': 'A version that you use ends',
  'statement.closed': 'A statement is closed',
  'import.failed': 'An import failed',
  'backup.failed': 'A backup failed',
  'journal.failing': 'The usage journal cannot be written; requests are refused',
  'webhook.disabled': 'A webhook was disabled',
}

/** Events about secrets and access, which no user can switch off. */
const securityTypes: ReadonlySet<EventType> = new Set([
  'key.created',
  'key.rotated',
  'key.disabled',
  'key.revoked',
  'webhook.disabled',
])

/** Returns who gets mail about an event: staff, or the admins of its partner. */
export const mailRule: MailRule = ({ type, partnerId }) => {
  if (subjects[type] === undefined) return undefined
  const audience = partnerId === undefined || type === 'upgrade.requested' ? 'staff' : 'partner'
  return { audience, isSecurity: securityTypes.has(type) }
}

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
  (Object.keys(subjects) as EventType[])
    .filter(type =>
      audience === 'staff' ? staffTypes.has(type) : !staffTypes.has(type) || type === 'webhook.disabled',
    )
    .map(type => ({ type, subject: subjects[type]!, isSecurity: securityTypes.has(type) }))

/** Returns subject and text of the mail about an event. */
export function formatMail({ id, type, atMs, partnerId, data }: OutboxEvent): { subject: string; text: string } {
  const subject = subjects[type] ?? type
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
