import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { UpgradeRequest } from '../../domain/upgrade.ts'
import { decideUpgrade, type UpgradeDeciding } from './decide-upgrade.ts'
import { findOpenUpgrade } from './find-upgrade.ts'

/** Withdraws an open upgrade request on behalf of its partner. */
export async function withdrawUpgrade(
  stores: UpgradeDeciding,
  actor: Actor,
  { id, expectedRevision }: { readonly id: string; readonly expectedRevision: number },
): Promise<UpgradeRequest | AdminFault> {
  const request = await findOpenUpgrade(stores.upgrades, actor, { id, expectedRevision })
  return isAdminFault(request) ? request : decideUpgrade(stores, actor, { request, state: 'withdrawn' })
}
