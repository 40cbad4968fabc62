import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { pinAllFeeds } from '../../domain/feed.ts'
import type { Key } from '../../domain/key.ts'
import { type SecretMint, toStoredSecret } from '../../domain/key-secret.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { explorerKeyId, explorerSecretMs } from '../../domain/own-key.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { Clock } from '../../kit/clock.ts'
import { recordOf } from './record.ts'

/** Dependencies of `openExplorer`. */
export interface ExplorerStores {
  readonly keys: KeyAdmin
  readonly mint: SecretMint
  readonly clock: Clock
  /** The version that all feeds of a new key are pinned to. */
  readonly latestStable: string
}

/**
 * Returns a secret of a partner's explorer key, which ends after 8 hours. The key is a test key with the package and
 * the scope of the partner; all secrets share its limits. Only this function returns the secret.
 */
export async function openExplorer(
  { keys, mint, clock, latestStable }: ExplorerStores,
  actor: Actor,
  partnerId: string,
): Promise<{ readonly secret: string; readonly expiresMs: number } | AdminFault> {
  const partner = await keys.partner(partnerId, visibilityOf(actor))
  if (!partner) return adminFault('partner_unknown', ['partner_id'], { partner: partnerId })
  if (partner.state === 'closed') return adminFault('partner_closed', ['partner_id'], { partner: partnerId })
  const id = explorerKeyId(partnerId)
  const createdMs = clock.nowMs()
  const expiresMs = createdMs + explorerSecretMs
  const key: Key = {
    id,
    partnerId,
    test: true,
    packageName: partner.packageName ?? 'discover',
    addOns: [],
    agreement: {},
    scope: partner.scope,
    feedPins: pinAllFeeds(latestStable),
    state: 'active',
    createdMs,
    revision: 1,
  }
  const secret = mint.create('test')
  const record = recordOf(clock, actor, { action: 'explorer.open', target: id, partnerId, after: { expiresMs } })
  const isAdded = await keys.addExplorerSecret(key, { ...toStoredSecret(secret, mint), expiresMs }, record)
  return isAdded ? { secret, expiresMs } : adminFault('explorer_disabled', [], { key: id })
}
