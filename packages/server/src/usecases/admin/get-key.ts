import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { findKey } from './find-key.ts'

/** Returns a key. */
export const getKey = (
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Key | AdminFault> => findKey(keys, actor, id)
