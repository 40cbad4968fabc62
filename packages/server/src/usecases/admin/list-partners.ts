import type { Actor } from '../../domain/actor.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { Partner } from '../../domain/partner.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Lists all partners, oldest first. */
export const listPartners = ({ keys }: { readonly keys: KeyAdmin }, actor: Actor): Promise<Partner[]> =>
  keys.partners(visibilityOf(actor))
