import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/stores.ts'

/** Returns a key, or the fault that it does not exist. */
export async function findKey(keys: KeyAdmin, id: string): Promise<Key | AdminFault> {
  return (await keys.key(id)) ?? adminFault('key_unknown', ['id'], { key: id })
}

/** Returns the fault of a change that was rejected because the key has changed since it was read. */
export async function createKeyConflict(keys: KeyAdmin, id: string, expectedRevision: number): Promise<AdminFault> {
  const current = await findKey(keys, id)
  if ('fault' in current) return current
  return adminFault('changed_meanwhile', [], {
    resource: 'key',
    id,
    expectedRevision,
    revision: current.revision,
  })
}
