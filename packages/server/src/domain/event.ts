import type { JsonObject } from '../kit/json.ts'

/** All types of events. */
export const eventTypes = [
  'quota.threshold_reached',
  'limit.penalty_started',
  'key.created',
  'key.rotated',
  'key.disabled',
  'key.revoked',
  'key.expiring',
  'upgrade.requested',
  'upgrade.approved',
  'upgrade.declined',
  'suggestion.created',
  'version.deprecated',
  'version.sunset_near',
  'location.changed',
  'location.closed',
  'location.merged',
  'location.removed',
  'location.bulk_changed',
  'feed.published',
  'feed.withdrawn',
  'review.erased',
  'statement.closed',
  'import.finished',
  'import.failed',
  'backup.failed',
  'journal.failing',
  'webhook.disabled',
] as const
export type EventType = (typeof eventTypes)[number]

/** Events about the installation, and about what partners ask for, which only the operator receives. */
const operatorEventTypes: ReadonlySet<EventType> = new Set([
  'import.finished',
  'import.failed',
  'backup.failed',
  'journal.failing',
  'upgrade.requested',
  'suggestion.created',
])

/** The types that an endpoint of a partner can subscribe to. */
export const partnerEventTypes: readonly EventType[] = eventTypes.filter(type => !operatorEventTypes.has(type))

/** An event before it is stored in the outbox. Contains no secret and no text. */
export interface EventDraft {
  readonly type: EventType
  /** The partner that the event concerns; missing for events that concern the operator or all partners. */
  readonly partnerId?: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  /** 64-bit ids are strings. */
  readonly data: JsonObject
  /** Type, target and revision or date: an event with a key that the outbox has is not stored again. */
  readonly uniqueKey: string
}
