import type { AuditLine } from './audit.ts'
import type { EventDraft } from './event.ts'

/**
 * The record of a change, which a store writes in the transaction of the change. A change of nothing is not recorded.
 */
export interface ChangeRecord {
  readonly audit: AuditLine
  readonly events?: readonly EventDraft[]
}
