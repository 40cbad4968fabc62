import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { newPartnerTerms, type Partner } from '../../domain/partner.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkTexts } from './check-texts.ts'
import { checkEmail } from './identity.ts'
import { recordOf } from './record.ts'

/** Terms of a new partner. */
export interface PartnerInput {
  readonly name: string
  readonly email?: string
  readonly externalRef?: string
}

/** Creates a partner. */
export async function createPartner(
  { keys, clock, newId }: { readonly keys: KeyAdmin; readonly clock: Clock; newId(kind: 'partner'): string },
  actor: Actor,
  { name, email, externalRef }: PartnerInput,
): Promise<Partner | AdminFault> {
  const fault = checkTexts({ name, email, external_ref: externalRef }) ?? (email ? checkEmail(email) : undefined)
  if (fault) return fault
  const partner: Partner = {
    id: newId('partner'),
    name,
    ...(email !== undefined && { email }),
    ...(externalRef !== undefined && { externalRef }),
    ...newPartnerTerms,
    createdMs: clock.nowMs(),
    revision: 1,
  }
  const change = { action: 'partner.create', target: partner.id, partnerId: partner.id, after: partner }
  await keys.createPartner(partner, recordOf(clock, actor, change))
  return partner
}
