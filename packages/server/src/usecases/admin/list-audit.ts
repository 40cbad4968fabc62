import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { AuditLog, AuditPage, AuditQuery, StoredAuditLine } from '../../domain/audit-log.ts'
import type { UserStore } from '../../domain/user.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** The lines to list. */
export type AuditListInput = Omit<AuditQuery, 'visibility'>

/** Dependencies of `listAudit`. */
export interface AuditStores {
  readonly audit: AuditLog
  readonly people: { readonly users: Pick<UserStore, 'list'> }
}

/**
 * Lists the changes that the actor may see, newest first, in pages. Partners see neither notes nor the addresses of
 * staff.
 */
export async function listAudit(
  { audit, people }: AuditStores,
  actor: Actor,
  input: AuditListInput,
): Promise<AuditPage | AdminFault> {
  const { fromMs, toMs } = input
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    return adminFault('period_reversed', ['from', 'to'], { fromMs, toMs })
  const page = await audit.list({ ...input, visibility: visibilityOf(actor) })
  if (actor.partnerId === undefined) return page
  const own = new Set((await people.users.list(actor.partnerId)).map(({ id }) => id))
  return { ...page, lines: page.lines.flatMap(line => toPartnersLine(line, own)) }
}

/**
 * Returns a line as its partner sees it: without notes, which are the operator's, and without the network address of an
 * actor who is no user of the partner. A line about a note alone is left out.
 */
function toPartnersLine(line: StoredAuditLine, users: ReadonlySet<string>): StoredAuditLine[] {
  const { before, after, actor } = line
  const [was, is] = [withoutNotes(before), withoutNotes(after)]
  const isAboutNote = (before ?? after) !== undefined && (was ?? is) === undefined
  if (line.action === 'partner.note' || isAboutNote) return []
  const { address, ...others } = actor
  const isOwn = actor.kind === 'token' || users.has(actor.id)
  const { before: _, after: __, ...rest } = line
  return [{ ...rest, ...(was && { before: was }), ...(is && { after: is }), actor: isOwn ? actor : others }]
}

function withoutNotes(members: StoredAuditLine['before']): StoredAuditLine['before'] {
  const { notes: _, ...others } = members ?? {}
  return Object.keys(others).length === 0 ? undefined : others
}
