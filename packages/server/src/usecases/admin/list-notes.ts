import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { PartnerNote } from '../../domain/partner.ts'
import { getPartner } from './get-partner.ts'

/** Lists the notes about a partner, the newest first. */
export async function listNotes(
  { keys }: { readonly keys: KeyAdmin },
  actor: Actor,
  { partnerId }: { readonly partnerId: string },
): Promise<readonly PartnerNote[] | AdminFault> {
  const partner = await getPartner({ keys }, actor, { id: partnerId })
  return isAdminFault(partner) ? partner : keys.notes(partnerId)
}
