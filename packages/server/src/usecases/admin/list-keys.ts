import type { Actor } from '../../domain/actor.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/stores.ts'

/** Lists all keys, including revoked ones, oldest first. */
export const listKeys = ({ keys }: { readonly keys: KeyAdmin }, _actor: Actor): Promise<Key[]> => keys.keys()
