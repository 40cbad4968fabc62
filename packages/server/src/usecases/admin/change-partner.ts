import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { PackageTable } from '../../domain/package.ts'
import { applyPartnerChange, type Partner, type PartnerChange } from '../../domain/partner.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkTexts } from './check-texts.ts'
import { getPartner } from './get-partner.ts'
import { checkEmail } from './identity.ts'
import { keyEvent } from './key-event.ts'
import { checkPartnerTerms } from './partner-terms.ts'
import { recordOf } from './record.ts'

/** Dependencies of `changePartner`. */
export interface PartnerChanging {
  readonly keys: KeyAdmin
  readonly clock: Clock
  readonly packageTable: PackageTable
}

/** A change of a partner, based on the revision that the caller read. */
export interface PartnerUpdate {
  readonly id: string
  readonly expectedRevision: number
  readonly change: PartnerChange
}

/**
 * Changes a partner and returns it. Rejects a change based on an earlier revision. Closing a partner revokes its keys
 * in the same transaction; they stay revoked when it is opened again.
 */
export async function changePartner(
  stores: PartnerChanging,
  actor: Actor,
  { id, expectedRevision, change: input }: PartnerUpdate,
): Promise<Partner | AdminFault> {
  const { name, email, externalRef } = input
  const fault = checkTexts({ name, email, external_ref: externalRef }) ?? (email ? checkEmail(email) : undefined)
  if (fault) return fault
  const change = checkPartnerTerms(input)
  if (isAdminFault(change)) return change
  const before = await getPartner(stores, actor, { id })
  if (isAdminFault(before)) return before
  const after = applyPartnerChange(before, change)
  if (before.revision === expectedRevision && isDeepStrictEqual(after, before)) return before
  const closes = before.state === 'open' && after.state === 'closed'
  const record = recordOf(stores.clock, actor, {
    action: actionOf(before, after),
    target: id,
    partnerId: id,
    before,
    ...(closes ? await closing(stores, after) : { after }),
  })
  const changed = await stores.keys.updatePartner(id, expectedRevision, change, record)
  if (changed) return changed
  const current = await getPartner(stores, actor, { id })
  if (isAdminFault(current)) return current
  return adminFault('changed_meanwhile', [], { resource: 'partner', id, expectedRevision, revision: current.revision })
}

function actionOf(before: Partner, after: Partner): string {
  if (before.state === after.state) return 'partner.change'
  return after.state === 'closed' ? 'partner.close' : 'partner.open'
}

/** Returns the closed partner with the keys that this revokes, and their events. */
async function closing({ keys }: PartnerChanging, partner: Partner) {
  const open = (await keys.keys({ partnerId: partner.id })).filter(({ state }) => state !== 'revoked')
  return {
    after: { ...partner, ...(open.length > 0 && { revokedKeys: open.map(({ id }) => id) }) },
    events: open.map(key => keyEvent('key.revoked', { ...key, revision: key.revision + 1 }, {})),
  }
}
