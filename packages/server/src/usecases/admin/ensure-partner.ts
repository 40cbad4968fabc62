import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { newPartnerTerms, type Partner } from '../../domain/partner.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkTexts } from './check-texts.ts'
import { recordOf } from './record.ts'

/** A partner with a fixed id. */
export type FixedPartner = Pick<Partner, 'id' | 'name'>

/** Returns the partner with a fixed id; creates it when it does not exist. An existing partner keeps its name. */
export async function ensurePartner(
  { keys, clock }: { readonly keys: KeyAdmin; readonly clock: Clock },
  actor: Actor,
  { id, name }: FixedPartner,
): Promise<Partner | AdminFault> {
  const fault = checkTexts({ id, name })
  if (fault) return fault
  const partner: Partner = { id, name, ...newPartnerTerms, createdMs: clock.nowMs(), revision: 1 }
  const record = recordOf(clock, actor, { action: 'partner.create', target: id, partnerId: id, after: partner })
  if (await keys.createPartner(partner, record)) return partner
  return (await keys.partner(id, visibilityOf(actor))) ?? adminFault('partner_unknown', ['id'], { partner: id })
}
