import type { Actor } from '../../domain/actor.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin, KeyFilter } from '../../domain/key-stores.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Lists keys, including revoked ones, oldest first. */
export const listKeys = ({ keys }: { readonly keys: KeyAdmin }, actor: Actor, filter: KeyFilter = {}): Promise<Key[]> =>
  keys.keys(visibilityOf(actor), filter)
