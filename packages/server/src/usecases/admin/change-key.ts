import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { applyKeyChange, type Key, type KeyChange, type KeyState } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkTexts } from './check-texts.ts'
import { createKeyConflict, findKey } from './find-key.ts'
import { checkBounds } from './key-bounds.ts'
import { keyEvent } from './key-event.ts'
import { checkTerms, checkTermValues } from './key-terms.ts'
import { checkOwnChange, isPartnerUser } from './own-keys.ts'
import { recordOf } from './record.ts'

/** A change of a key, based on the revision that the caller read. */
export interface KeyUpdate {
  readonly id: string
  readonly expectedRevision: number
  readonly change: KeyChange
}

/**
 * Changes a key's terms or state, and returns the key. A revoked key stays revoked. Rejects a change based on an
 * earlier revision; a change to the current values writes nothing. Users of a partner may change only what R-72
 * permits.
 */
export async function changeKey(
  {
    keys,
    clock,
    packageTable,
  }: { readonly keys: KeyAdmin; readonly clock: Clock; readonly packageTable: PackageTable },
  actor: Actor,
  { id, expectedRevision, change }: KeyUpdate,
): Promise<Key | AdminFault> {
  const before = await findKey(keys, actor, id)
  if (isAdminFault(before)) return before
  if (before.state === 'revoked' && change.state !== undefined && change.state !== 'revoked')
    return adminFault('revocation_final', ['state'], { key: id })
  const refused = isPartnerUser(actor) ? await checkOwnChange(keys, before, change) : undefined
  if (refused) return refused
  const bounds = checkBounds(change)
  if (isAdminFault(bounds)) return bounds
  const checked = { ...change, ...bounds }
  const after = applyKeyChange(before, checked)
  const fault =
    checkTexts({ name: change.name, notes: change.notes }) ?? checkTermValues(change) ?? checkTerms(after, packageTable)
  if (fault) return fault
  if (before.revision === expectedRevision && isDeepStrictEqual(after, before)) return before
  const events = stateEvents(before, { ...after, revision: expectedRevision + 1 })
  const details = { action: actionOf(before, after), target: id, partnerId: before.partnerId, before, after, events }
  const changed = await keys.updateKey(id, expectedRevision, checked, recordOf(clock, actor, details))
  return changed ?? createKeyConflict(keys, actor, { id, expectedRevision })
}

/** Verbs of the audit for a key that gets a state. */
const stateVerbs: Readonly<Record<KeyState, string>> = { active: 'enable', disabled: 'disable', revoked: 'revoke' }

const actionOf = (before: Key, after: Key): string =>
  before.state === after.state ? 'key.change' : `key.${stateVerbs[after.state]}`

function stateEvents(before: Key, after: Key): ReturnType<typeof keyEvent>[] {
  if (before.state === after.state || after.state === 'active') return []
  return [keyEvent(after.state === 'disabled' ? 'key.disabled' : 'key.revoked', after, {})]
}
