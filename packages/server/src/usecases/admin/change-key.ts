import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { applyKeyChange, type Key, type KeyChange } from '../../domain/key.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { KeyAdmin } from '../../domain/stores.ts'
import { createKeyConflict, findKey } from './find-key.ts'
import { checkBounds } from './key-bounds.ts'
import { checkTerms, checkTermValues } from './key-terms.ts'
import { blankTexts } from './required-texts.ts'

/** A change of a key, based on the revision that the caller read. */
export interface KeyUpdate {
  readonly id: string
  readonly expectedRevision: number
  readonly change: KeyChange
}

/**
 * Changes a key's terms or state, and returns the key. A revoked key stays revoked. Rejects a change based on an
 * earlier revision; a change to the current values writes nothing.
 */
export async function changeKey(
  { keys, packageTable }: { readonly keys: KeyAdmin; readonly packageTable: PackageTable },
  _actor: Actor,
  { id, expectedRevision, change }: KeyUpdate,
): Promise<Key | AdminFault> {
  const before = await findKey(keys, id)
  if (isAdminFault(before)) return before
  if (before.state === 'revoked' && change.state !== undefined && change.state !== 'revoked')
    return adminFault('revocation_final', ['state'], { key: id })
  const bounds = checkBounds(change)
  if (isAdminFault(bounds)) return bounds
  const checked = { ...change, ...bounds }
  const after = applyKeyChange(before, checked)
  const fault =
    blankTexts({ name: change.name, notes: change.notes }) ?? checkTermValues(change) ?? checkTerms(after, packageTable)
  if (fault) return fault
  if (before.revision === expectedRevision && isDeepStrictEqual(after, before)) return before
  return (await keys.updateKey(id, expectedRevision, checked)) ?? (await createKeyConflict(keys, id, expectedRevision))
}
