import type { AuditLine } from './audit.ts'
import type { EventDraft } from './event.ts'

/** The record of a change. A store writes it in the transaction of the change, and only if anything changes. */
export interface ChangeRecord {
  readonly audit: AuditLine
  readonly events?: readonly EventDraft[]
}
