import { isAdminFault } from '../../domain/admin-fault.ts'
import { getKey } from '../../usecases/admin/get-key.ts'
import { getPartner } from '../../usecases/admin/get-partner.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest } from '../pages/page-route.ts'

/** Returns the names of keys or partners by id, without those that have none. */
export async function readNames(
  { admin }: ManagementContext,
  { actor }: PageRequest,
  kind: 'key' | 'partner',
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const read = kind === 'key' ? getKey : getPartner
  const names = new Map<string, string>()
  for (const id of new Set(ids)) {
    const found = await read(admin, actor, { id })
    if (!isAdminFault(found) && found.name !== undefined) names.set(id, found.name)
  }
  return names
}
