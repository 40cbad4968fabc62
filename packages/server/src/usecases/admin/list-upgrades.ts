import type { Actor } from '../../domain/actor.ts'
import type { ListPart } from '../../domain/list-order.ts'
import type { UpgradeRequest, UpgradeSpan, UpgradeState, UpgradeStore } from '../../domain/upgrade.ts'
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

/** Lists a part of the upgrade requests that the actor may see, in an order. */
export const listUpgradePart = (
  { upgrades }: { readonly upgrades: UpgradeStore },
  actor: Actor,
  span: UpgradeSpan,
): Promise<ListPart<UpgradeRequest>> => upgrades.part(visibilityOf(actor), span)
