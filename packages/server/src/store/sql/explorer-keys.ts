import { isDeepStrictEqual } from 'node:util'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { explorerSecretsMax } from '../../domain/own-key.ts'
import { changeAccess } from './access-change.ts'
import { run, type SqlDatabase } from './database.ts'
import { insertKey } from './key-insert.ts'
import { keyOf, readKey, swapKey } from './key-rows.ts'
import { insertSecret } from './key-secrets.ts'

/** Opens the keys of API explorers. */
export const createExplorerKeys = (db: SqlDatabase): Pick<KeyAdmin, 'addExplorerSecret'> => ({
  addExplorerSecret: (key, secret, record) =>
    changeAccess(db, record, function* () {
      const { id, packageName, scope } = key
      const row = yield* readKey(id)
      if (!row) return yield* insertKey(key, secret)
      const current = keyOf(db, row)
      if (current.state !== 'active') return false
      if (current.packageName !== packageName || !isDeepStrictEqual(current.scope, scope))
        yield* swapKey(db, id, current.revision, before => ({ ...before, packageName, scope }))
      yield* insertSecret(id, secret, key.createdMs)
      // The newest secrets remain: older ones have ended, or their tabs are too many.
      yield* run(
        `DELETE FROM key_secrets WHERE key_id = @id AND id NOT IN
           (SELECT id FROM key_secrets WHERE key_id = @id ORDER BY id DESC LIMIT @kept)`,
        { id, kept: explorerSecretsMax },
      )
      return true
    }),
})
