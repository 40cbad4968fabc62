import type { Actor } from '../../domain/actor.ts'
import { type Key, noFeedsReason } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { PackageTable } from '../../domain/package.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** A key, and true if it may use its pins. */
export interface PinnedKey {
  readonly key: Key
  readonly canUseFeeds: boolean
}

/** Lists all keys with their pins, except revoked keys. */
export async function listPins(
  { keys, packageTable }: { readonly keys: KeyAdmin; readonly packageTable: PackageTable },
  actor: Actor,
): Promise<PinnedKey[]> {
  const all = await keys.keys(visibilityOf(actor))
  return all
    .filter(key => key.state !== 'revoked')
    .map(key => ({ key, canUseFeeds: noFeedsReason(key, packageTable) === undefined }))
}
