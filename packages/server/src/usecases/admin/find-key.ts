import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Returns a key that the actor may see, or the fault that it does not exist. */
export async function findKey(keys: KeyAdmin, actor: Actor, id: string): Promise<Key | AdminFault> {
  return (await keys.key(id, visibilityOf(actor))) ?? adminFault('key_unknown', ['id'], { key: id })
}

/** Returns the fault of a change that was rejected because the key has changed since it was read. */
export async function createKeyConflict(
  keys: KeyAdmin,
  actor: Actor,
  { id, expectedRevision }: { readonly id: string; readonly expectedRevision: number },
): Promise<AdminFault> {
  const current = await findKey(keys, actor, id)
  if ('fault' in current) return current
  return adminFault('changed_meanwhile', [], {
    resource: 'key',
    id,
    expectedRevision,
    revision: current.revision,
  })
}
