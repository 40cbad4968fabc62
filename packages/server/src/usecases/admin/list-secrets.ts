import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeySecret } from '../../domain/key-secret.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { findKey } from './find-key.ts'

/** Returns a key with its secrets, including ended ones, oldest first. */
export async function listSecrets(
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<{ readonly key: Key; readonly secrets: readonly KeySecret[] } | AdminFault> {
  const key = await findKey(keys, actor, id)
  return isAdminFault(key) ? key : { key, secrets: await keys.secrets(id) }
}
