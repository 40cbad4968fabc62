import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { UpgradeRequest } from '../../domain/upgrade.ts'
import { decideUpgrade, type UpgradeDeciding } from './decide-upgrade.ts'
import { findOpenUpgrade } from './find-upgrade.ts'

/** Declines an open upgrade request, with an answer for the partner. */
export async function declineUpgrade(
  stores: UpgradeDeciding,
  actor: Actor,
  { id, expectedRevision, answer }: { readonly id: string; readonly expectedRevision: number; readonly answer: string },
): Promise<UpgradeRequest | AdminFault> {
  const request = await findOpenUpgrade(stores.upgrades, actor, { id, expectedRevision })
  return isAdminFault(request) ? request : decideUpgrade(stores, actor, { request, state: 'declined', answer })
}
