import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { AuditLog, AuditPage, AuditQuery } from '../../domain/audit-log.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** The lines to list. */
export type AuditListInput = Omit<AuditQuery, 'visibility'>

/** Lists the changes that the actor may see, newest first, in pages. */
export async function listAudit(
  { audit }: { readonly audit: AuditLog },
  actor: Actor,
  input: AuditListInput,
): Promise<AuditPage | AdminFault> {
  const { fromMs, toMs } = input
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    return adminFault('period_reversed', ['from', 'to'], { fromMs, toMs })
  return audit.list({ ...input, visibility: visibilityOf(actor) })
}
