import type { Actor } from '../../domain/actor.ts'
import type { KeyAdmin, PartnerFilter } from '../../domain/key-stores.ts'
import type { Partner } from '../../domain/partner.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Lists partners, oldest first. */
export const listPartners = (
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  filter: PartnerFilter = {},
): Promise<Partner[]> => keys.partners(visibilityOf(actor), filter)
