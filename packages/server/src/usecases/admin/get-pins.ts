import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { FeedPinChange } from '../../domain/feed.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { findKey } from './find-key.ts'

/** Returns a key with the changes of its pins, oldest first. */
export async function getPins(
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<{ readonly key: Key; readonly history: readonly FeedPinChange[] } | AdminFault> {
  const key = await findKey(keys, actor, id)
  return isAdminFault(key) ? key : { key, history: await keys.feedPinChanges(id) }
}
