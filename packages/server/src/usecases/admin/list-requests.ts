import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { RefusalPage, RefusalQuery } from '../../domain/refusal-hours.ts'
import { type CallPage, type CallQuery, InvalidCursor, type RequestLog } from '../../domain/request-log.ts'
import { type Visibility, visibilityOf } from '../../domain/visibility.ts'

/** The calls to list; `partnerId` narrows what the actor may see. */
export type RequestListInput = Omit<CallQuery, 'visibility'> & { readonly partnerId?: string | undefined }

/** The refusals to count. */
export type RefusalListInput = Omit<RefusalQuery, 'visibility'> & { readonly partnerId?: string | undefined }

/** Lists the calls that the actor may see, newest first, in pages. */
export async function listRequests(
  { requests }: { readonly requests: RequestLog },
  actor: Actor,
  { partnerId, ...query }: RequestListInput,
): Promise<CallPage | AdminFault> {
  const visibility = narrow(actor, partnerId)
  return checkPeriod(query) ?? (visibility ? pageOf(() => requests.list({ ...query, visibility })) : { rows: [] })
}

/** Counts the calls of known keys that were refused before metering, by key, hour, code and version, in pages. */
export async function countRefusals(
  { requests }: { readonly requests: RequestLog },
  actor: Actor,
  { partnerId, ...query }: RefusalListInput,
): Promise<RefusalPage | AdminFault> {
  const visibility = narrow(actor, partnerId)
  return checkPeriod(query) ?? (visibility ? pageOf(() => requests.refusals({ ...query, visibility })) : { rows: [] })
}

/** Returns the intersection of what the actor may see and a partner; undefined if it is empty. */
function narrow(actor: Actor, partnerId: string | undefined): Visibility | undefined {
  const visible = visibilityOf(actor)
  if (partnerId === undefined) return visible
  return 'partnerId' in visible && visible.partnerId !== partnerId ? undefined : { partnerId }
}

function checkPeriod({ fromMs, toMs }: Pick<CallQuery, 'fromMs' | 'toMs'>): AdminFault | undefined {
  return fromMs !== undefined && toMs !== undefined && fromMs > toMs
    ? adminFault('period_reversed', ['from', 'to'], { fromMs, toMs })
    : undefined
}

async function pageOf<T>(read: () => Promise<T>): Promise<T | AdminFault> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InvalidCursor) return adminFault('cursor_invalid', ['after'], {})
    throw error
  }
}
