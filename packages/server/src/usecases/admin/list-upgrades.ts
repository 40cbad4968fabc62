import type { Actor } from '../../domain/actor.ts'
import type { UpgradeRequest, UpgradeState, UpgradeStore } from '../../domain/upgrade.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Lists the upgrade requests that the actor may see, the newest first. */
export async function listUpgrades(
  { upgrades }: { readonly upgrades: UpgradeStore },
  actor: Actor,
  { state, partnerId }: { readonly state?: UpgradeState | undefined; readonly partnerId?: string | undefined },
): Promise<UpgradeRequest[]> {
  const all = await upgrades.list(visibilityOf(actor), state)
  return partnerId === undefined ? all : all.filter(request => request.partnerId === partnerId)
}
