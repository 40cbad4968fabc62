import type { Actor } from '../../domain/actor.ts'
import { type Key, noFeedsReason } from '../../domain/key.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { KeyAdmin } from '../../domain/stores.ts'

/** A key, and true when it may use its pins. */
export interface PinnedKey {
  readonly key: Key
  readonly takesFeeds: boolean
}

/** Lists the keys that are not revoked, with their pins and the permission to use them. */
export async function listPins(
  { keys, packageTable }: { readonly keys: KeyAdmin; readonly packageTable: PackageTable },
  _actor: Actor,
): Promise<PinnedKey[]> {
  const all = await keys.keys()
  return all
    .filter(key => key.state !== 'revoked')
    .map(key => ({ key, takesFeeds: noFeedsReason(key, packageTable) === undefined }))
}
