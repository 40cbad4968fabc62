import { isDeepStrictEqual } from 'node:util'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { explorerSecretsMax } from '../../domain/own-key.ts'
import type { Sqlite } from '../connection.ts'
import type { AccessChange } from './access-change.ts'
import type { KeyInsert } from './key-insert.ts'
import { createKeySwap, type KeyRow, keyOf } from './key-rows.ts'
import { type SecretToStore, secretInsert } from './key-secrets.ts'

/** Opens the keys of API explorers. */
export function explorerKeys(
  control: Sqlite,
  write: AccessChange,
  add: KeyInsert,
): Pick<KeyAdmin, 'addExplorerSecret'> {
  const one = control.prepare<[string], KeyRow>('SELECT * FROM keys WHERE id = ?')
  const swap = createKeySwap(control)
  const addSecret = secretInsert(control)
  // The newest secrets remain: older ones have ended, or their tabs are too many.
  const removeOld = control.prepare(
    `DELETE FROM key_secrets WHERE key_id = @id AND id NOT IN
       (SELECT id FROM key_secrets WHERE key_id = @id ORDER BY id DESC LIMIT @kept)`,
  )
  const addExplorerSecret = write((key: Key, secret: SecretToStore): boolean => {
    const row = one.get(key.id)
    if (!row) return add(key, secret)
    const current = keyOf(control, row)
    if (current.state !== 'active') return false
    const { packageName, scope } = key
    if (current.packageName !== packageName || !isDeepStrictEqual(current.scope, scope))
      swap(key.id, current.revision, before => ({ ...before, packageName, scope }))
    addSecret(key.id, secret, key.createdMs)
    removeOld.run({ id: key.id, kept: explorerSecretsMax })
    return true
  })
  return { addExplorerSecret: async (key, secret, record) => addExplorerSecret(key, secret, record) }
}
