import type { KeySecret, StoredSecret } from '../../domain/key-secret.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { changeAccess } from './access-change.ts'
import { get, run, type SqlDatabase, type SqlWork } from './database.ts'
import { swapKey } from './key-rows.ts'

interface SecretRow {
  id: number
  last4: string | null
  created_ms: number
  expires_ms: number | null
  last_used_day: string | null
  last_used_ms: number | null
  calls: number
}

/** A secret that may have an end, in milliseconds since 1970. */
export interface SecretToStore extends StoredSecret {
  readonly expiresMs?: number
}

/** Adds a secret to a key. Part of a transaction. */
export function* insertSecret(
  keyId: string,
  { digest, last4, expiresMs }: SecretToStore,
  createdMs: number,
): SqlWork<void> {
  const last = yield* get<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM key_secrets WHERE key_id = @keyId', {
    keyId,
  })
  yield* run(
    `INSERT INTO key_secrets (digest, key_id, created_ms, expires_ms, id, last4)
     VALUES (@digest, @keyId, @createdMs, @expiresMs, @id, @last4)`,
    { digest, keyId, createdMs, expiresMs: expiresMs ?? null, id: last!.id + 1, last4: last4 ?? null },
  )
}

/** Ends secrets of a key at a time, or before if an earlier end was set. */
const endSql =
  'UPDATE key_secrets SET expires_ms = CASE WHEN expires_ms < @endMs THEN expires_ms ELSE @endMs END WHERE key_id = @keyId'

/** Opens the secrets of keys. */
export const createSecrets = (db: SqlDatabase): Pick<KeyAdmin, 'addSecret' | 'endSecret' | 'secrets'> => ({
  addSecret: (keyId, expectedRevision, secret, record) =>
    changeAccess(db, record, function* () {
      const rotated = yield* swapKey(db, keyId, expectedRevision, before => before)
      if (!rotated) return undefined
      yield* run(endSql, { endMs: secret.othersExpireMs, keyId })
      yield* run('UPDATE key_secrets SET calls = 0 WHERE key_id = @keyId', { keyId })
      yield* insertSecret(keyId, secret, secret.createdMs)
      return rotated
    }),
  endSecret: (keyId, expectedRevision, { id, endMs }, record) =>
    changeAccess(db, record, function* () {
      const changed = yield* swapKey(db, keyId, expectedRevision, before => before)
      if (changed) yield* run(`${endSql} AND id = @id`, { keyId, id: Number(id), endMs })
      return changed
    }),
  secrets: async keyId => {
    const rows = await db.all<SecretRow>(
      `SELECT id, last4, created_ms, expires_ms, last_used_day, last_used_ms, calls FROM key_secrets
       WHERE key_id = @keyId ORDER BY id`,
      { keyId },
    )
    return rows.map(secretOf)
  },
})

const secretOf = (row: SecretRow): KeySecret => ({
  id: String(row.id),
  ...(row.last4 !== null && { last4: row.last4 }),
  createdMs: row.created_ms,
  ...(row.expires_ms !== null && { expiresMs: row.expires_ms }),
  ...(row.last_used_day !== null && { lastUsedDay: row.last_used_day }),
  ...(row.last_used_ms !== null && { lastUsedMs: row.last_used_ms }),
  calls: row.calls,
})
