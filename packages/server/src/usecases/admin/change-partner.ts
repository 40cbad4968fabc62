import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Partner, PartnerChange } from '../../domain/partner.ts'
import type { KeyAdmin } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { getPartner } from './get-partner.ts'
import { recordOf } from './record.ts'
import { blankTexts } from './required-texts.ts'

/** A change of a partner, based on the revision that the caller read. */
export interface PartnerUpdate {
  readonly id: string
  readonly expectedRevision: number
  readonly change: PartnerChange
}

/** Changes a partner and returns it. Rejects a change based on an earlier revision. */
export async function changePartner(
  stores: { readonly keys: KeyAdmin; readonly clock: Clock },
  actor: Actor,
  { id, expectedRevision, change }: PartnerUpdate,
): Promise<Partner | AdminFault> {
  const { name, email, externalRef } = change
  const blank = blankTexts({ name, email, external_ref: externalRef })
  if (blank) return blank
  const before = await getPartner(stores, actor, { id })
  if (isAdminFault(before)) return before
  if (before.revision === expectedRevision && changesNothing(before, change)) return before
  const after = { ...before, ...change }
  const record = recordOf(stores.clock, actor, { action: 'partner.change', target: id, partnerId: id, before, after })
  const changed = await stores.keys.updatePartner(id, expectedRevision, change, record)
  if (changed) return changed
  const current = await getPartner(stores, actor, { id })
  if (isAdminFault(current)) return current
  return adminFault('changed_meanwhile', [], { resource: 'partner', id, expectedRevision, revision: current.revision })
}

const changesNothing = (before: Partner, change: PartnerChange): boolean =>
  (['name', 'email', 'externalRef'] as const).every(
    field => change[field] === undefined || change[field] === (before[field] ?? null),
  )
