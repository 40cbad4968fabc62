import type { AuditLine } from './audit.ts'
import type { ChangeRecord } from './change-record.ts'
import type { EventDraft } from './event.ts'
import type { TimeOrder } from './list-order.ts'
import type { Visibility } from './visibility.ts'

/** A stored line of the audit. */
export interface StoredAuditLine extends AuditLine {
  /** Ascending and never reused. */
  readonly seq: number
}

/** Selects lines of the audit; a missing member selects all. */
export interface AuditQuery {
  readonly visibility: Visibility
  readonly partnerId?: string | undefined
  readonly actorId?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  /** Milliseconds since 1970. */
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly toMs?: number | undefined
  /** Default: newest first. */
  readonly order?: TimeOrder | undefined
  readonly limit: number
  /** The number of the line after which the page begins. */
  readonly after?: number | undefined
}

/** One page of the audit. */
export interface AuditPage {
  readonly lines: readonly StoredAuditLine[]
  /** `after` of the next page; missing on the last one. */
  readonly next?: number
}

/** The audit and the outbox of events. Lines and events cannot be changed. */
export interface AuditLog {
  /** Records a change that has no transaction in control.sqlite, such as an import. */
  append(record: ChangeRecord): Promise<void>
  /** Adds events that no change of an actor causes to the outbox, unless they are there. */
  appendEvents(events: readonly EventDraft[]): Promise<void>
  list(query: AuditQuery): Promise<AuditPage>
  /**
   * Removes the oldest lines before a time, `limit` at most, and returns their number. Lines of the last 365 days stay.
   */
  prune(beforeMs: number, limit: number): Promise<number>
}
