import type { Actor } from '../../domain/actor.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin, KeyFilter, KeySpan } from '../../domain/key-stores.ts'
import type { ListPart } from '../../domain/list-order.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Lists keys, including revoked ones, oldest first. */
export const listKeys = ({ keys }: { readonly keys: KeyAdmin }, actor: Actor, filter: KeyFilter = {}): Promise<Key[]> =>
  keys.keys(visibilityOf(actor), filter)

/** Lists a part of the keys in an order. */
export const listKeyPart = (
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  span: KeySpan,
): Promise<ListPart<Key>> => keys.keyPart(visibilityOf(actor), span)
