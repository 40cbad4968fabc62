import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { AuditLog, StoredAuditLine } from '../../domain/audit-log.ts'
import type { Id } from '../../domain/id.ts'
import { everything } from '../../domain/visibility.ts'
import { getDecidedPlace } from './get-place.ts'
import type { PlaceStores } from './override-location.ts'
import { placeTarget } from './place-record.ts'

/** Returns the decisions of operators about a location, newest first. */
export async function locationHistory(
  stores: Pick<PlaceStores, 'places' | 'locations'> & { readonly audit: AuditLog },
  actor: Actor,
  { id, limit, after }: { readonly id: Id; readonly limit: number; readonly after?: number | undefined },
): Promise<{ readonly lines: readonly StoredAuditLine[]; readonly next?: number } | AdminFault> {
  const place = await getDecidedPlace(stores, actor, { id })
  if (isAdminFault(place)) return place
  const query = { visibility: everything, target: placeTarget(id), limit, ...(after !== undefined && { after }) }
  return stores.audit.list(query)
}
