import type { Key } from '../../domain/key.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { KeyAdmin, KeyChange } from '../../domain/stores.ts'
import { refuseTerms, type TermsRefused } from './create-key.ts'

/** Changes a key's terms or state; gives the key as it is then. A revoked key stays revoked. */
export async function changeKey(
  keys: KeyAdmin,
  packageTable: PackageTable,
  key: Key,
  change: KeyChange,
): Promise<Key | TermsRefused> {
  if (key.state === 'revoked' && change.state !== undefined && change.state !== 'revoked') {
    return { refused: `The key ${key.id} is revoked, and that is final: create another one.` }
  }
  const changed = { ...key, ...change }
  const refused = refuseTerms(changed, packageTable)
  if (refused) return refused
  await keys.updateKey(key.id, change)
  return changed
}
