import type { Actor } from '../../domain/actor.ts'
import type { KeyAdmin, PartnerFilter, PartnerSpan } from '../../domain/key-stores.ts'
import type { ListPart } from '../../domain/list-order.ts'
import type { Partner } from '../../domain/partner.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Lists partners, oldest first. */
export const listPartners = (
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  filter: PartnerFilter = {},
): Promise<Partner[]> => keys.partners(visibilityOf(actor), filter)

/** Lists a part of the partners in an order. */
export const listPartnerPart = (
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  span: PartnerSpan,
): Promise<ListPart<Partner>> => keys.partnerPart(visibilityOf(actor), span)
