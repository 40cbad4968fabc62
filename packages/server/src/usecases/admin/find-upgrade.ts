import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { EventDraft, EventType } from '../../domain/event.ts'
import type { UpgradeRequest, UpgradeStore } from '../../domain/upgrade.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Returns an upgrade request that the actor may see, or the fault that it does not exist. */
export async function findUpgrade(
  upgrades: UpgradeStore,
  actor: Actor,
  id: string,
): Promise<UpgradeRequest | AdminFault> {
  return (await upgrades.get(id, visibilityOf(actor))) ?? adminFault('upgrade_unknown', ['id'], { upgrade: id })
}

/** Returns an open request, or the fault that it does not exist, was decided, or has another revision. */
export async function findOpenUpgrade(
  upgrades: UpgradeStore,
  actor: Actor,
  { id, expectedRevision }: { readonly id: string; readonly expectedRevision: number },
): Promise<UpgradeRequest | AdminFault> {
  const found = await findUpgrade(upgrades, actor, id)
  if (isAdminFault(found)) return found
  if (found.state !== 'open') return adminFault('upgrade_decided', ['id'], { upgrade: id, state: found.state })
  if (found.revision === expectedRevision) return found
  const { revision } = found
  return adminFault('changed_meanwhile', [], { resource: 'upgrade', id, expectedRevision, revision })
}

/** Creates an event of an upgrade request; each type occurs once per request. */
export const upgradeEvent = (
  type: EventType & `upgrade.${string}`,
  { id, partnerId, keyId, ask }: Pick<UpgradeRequest, 'id' | 'partnerId' | 'keyId' | 'ask'>,
): Omit<EventDraft, 'atMs'> => ({
  type,
  partnerId,
  data: { upgrade_id: id, partner_id: partnerId, ...(keyId !== undefined && { key_id: keyId }), kind: ask.kind },
  uniqueKey: `${type}:${id}`,
})
