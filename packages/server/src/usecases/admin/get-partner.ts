import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { Partner } from '../../domain/partner.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Returns a partner. */
export async function getPartner(
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Partner | AdminFault> {
  return (await keys.partner(id, visibilityOf(actor))) ?? adminFault('partner_unknown', ['id'], { partner: id })
}
