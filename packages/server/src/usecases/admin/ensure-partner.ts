import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Partner } from '../../domain/partner.ts'
import type { KeyAdmin } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { blankTexts } from './required-texts.ts'

/** A partner with a fixed id. */
export type FixedPartner = Pick<Partner, 'id' | 'name'>

/** Returns the partner with a fixed id; creates it when it does not exist. An existing partner keeps its name. */
export async function ensurePartner(
  { keys, clock }: { readonly keys: KeyAdmin; readonly clock: Clock },
  _actor: Actor,
  { id, name }: FixedPartner,
): Promise<Partner | AdminFault> {
  const blank = blankTexts({ id, name })
  if (blank) return blank
  const partner: Partner = { id, name, createdMs: clock.nowMs(), revision: 1 }
  if (await keys.createPartner(partner)) return partner
  return (await keys.partner(id)) ?? adminFault('partner_unknown', ['id'], { partner: id })
}
